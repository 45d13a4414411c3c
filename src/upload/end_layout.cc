#include "upload/end_layout.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace tailrace {

namespace {

ByteSlices Filler(int64_t bytes) {
  return bytes == 0 ? ByteSlices() : ByteSlices(ByteSlice::Copy(std::string(static_cast<size_t>(bytes), '\0')));
}

// One run of the layout.
class Layout {
 public:
  Layout(const PartLengths& lengths, int stored_parts, ByteSlices unsent, const std::vector<PartReceipt>& listed,
         const TailBuilder& build_tail)
      : lengths_(lengths), stored_(stored_parts), unsent_(std::move(unsent)), build_tail_(build_tail) {
    for (const PartReceipt& part : listed) {
      if (part.number > stored_) listed_[part.number] = part.size_bytes;
    }
  }

  Result<EndLayout> Run() {
    const int64_t begin = lengths_.BytesOf(stored_);
    ARROW_ASSIGN_OR_RAISE(ByteSlices tail, build_tail_(begin + unsent_.size()));
    const int64_t plain_last = lengths_.PartsFor(begin + unsent_.size() + tail.size());
    highest_ = listed_.empty() ? 0 : listed_.rbegin()->first;
    if (plain_last >= highest_) {
      unsent_.Append(tail);
      Place(stored_ + 1, begin, std::move(unsent_));
      return std::move(out_);
    }
    return AroundStrays();
  }

 private:
  // Together, of the parts from number `first` to `last`; 0 where there are none.
  int64_t LengthOfParts(int first, int last) const {
    return last < first ? 0 : lengths_.BytesOf(last) - lengths_.BytesOf(first - 1);
  }

  // Cuts `bytes` into parts from `number` on.
  void Place(int number, int64_t offset, ByteSlices bytes) {
    while (!bytes.empty()) {
      const int64_t size = std::min(lengths_.LengthOf(number), bytes.size());
      out_.parts.push_back({number++, offset, bytes.TakeFront(size)});
      offset += size;
    }
    out_.size_bytes = offset;
  }

  // Together, of the listed parts from number `first` to `last`, as filler.
  int64_t FillerBetween(int first, int last) const {
    int64_t bytes = 0;
    for (auto part = listed_.lower_bound(first); part != listed_.end() && part->first <= last; ++part) {
      bytes += lengths_.LengthOf(part->first);
    }
    return bytes;
  }

  Result<EndLayout> AroundStrays() {
    const int64_t begin = lengths_.BytesOf(stored_);
    const int first_between = static_cast<int>(lengths_.PartsFor(begin + unsent_.size())) + 1;
    const int64_t data_end = lengths_.BytesOf(first_between - 1);
    // The more parts the tail takes, the fewer filler parts stand before it; its own length follows its offset by a few
    // bytes. The smallest number that holds it is taken.
    ByteSlices tail;
    int64_t tail_offset = 0;
    int first_tail = highest_ + 1;
    do {
      --first_tail;
      if (first_tail < first_between) return OverAllStrays();
      tail_offset = data_end + FillerBetween(first_between, first_tail - 1);
      ARROW_ASSIGN_OR_RAISE(tail, build_tail_(tail_offset));
    } while (tail.size() > LengthOfParts(first_tail, highest_));
    // A tail that is a few bytes too short to reach into its last part begins that much later.
    const int64_t short_by = LengthOfParts(first_tail, highest_ - 1) + 1 - tail.size();
    ByteSlices last_parts;
    if (short_by > 0) {
      ARROW_ASSIGN_OR_RAISE(tail, build_tail_(tail_offset + short_by));
      last_parts = Filler(short_by);
    }
    last_parts.Append(tail);

    unsent_.Append(Filler(data_end - begin - unsent_.size()));
    Place(stored_ + 1, begin, std::move(unsent_));
    PlaceFiller(first_between, first_tail, data_end);
    Place(first_tail, tail_offset, std::move(last_parts));
    return std::move(out_);
  }

  // The few bytes by which the tail grows with its offset leave no room for the padding: every number up to the highest
  // is overwritten, as one run that reaches into the last.
  Result<EndLayout> OverAllStrays() {
    const int64_t begin = lengths_.BytesOf(stored_);
    const int64_t at_least = LengthOfParts(stored_ + 1, highest_ - 1) + 1;
    ARROW_ASSIGN_OR_RAISE(ByteSlices tail, build_tail_(begin + unsent_.size()));
    const int64_t short_by = std::max<int64_t>(0, at_least - unsent_.size() - tail.size());
    ARROW_ASSIGN_OR_RAISE(tail, build_tail_(begin + unsent_.size() + short_by));
    unsent_.Append(Filler(short_by));
    unsent_.Append(tail);
    Place(stored_ + 1, begin, std::move(unsent_));
    return std::move(out_);
  }

  void PlaceFiller(int first, int end, int64_t offset) {
    for (auto part = listed_.lower_bound(first); part != listed_.end() && part->first < end; ++part) {
      const auto& [number, size] = *part;
      const int64_t length = lengths_.LengthOf(number);
      if (size == length) {
        out_.kept_numbers.push_back(number);
      } else {
        out_.parts.push_back({number, offset, Filler(length)});
      }
      offset += length;
    }
  }

  const PartLengths lengths_;
  const int stored_;
  ByteSlices unsent_;
  const TailBuilder& build_tail_;
  std::map<int, int64_t> listed_;  // number -> size, beyond the stored parts
  int highest_ = 0;
  EndLayout out_;
};

}  // namespace

Result<EndLayout> LayOutEnd(const PartLengths& lengths, int stored_parts, const ByteSlices& unsent,
                            const std::vector<PartReceipt>& listed, const TailBuilder& build_tail) {
  return Layout(lengths, stored_parts, unsent, listed, build_tail).Run();
}

}  // namespace tailrace
