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
      : length_(lengths.LengthOf(1)), stored_(stored_parts), unsent_(std::move(unsent)), build_tail_(build_tail) {
    for (const PartReceipt& part : listed) {
      if (part.number > stored_) listed_[part.number] = part.size_bytes;
    }
  }

  Result<EndLayout> Run() {
    ARROW_ASSIGN_OR_RAISE(ByteSlices tail, build_tail_(stored_ * length_ + unsent_.size()));
    const int64_t plain_last = stored_ + PartsFor(unsent_.size() + tail.size());
    highest_ = listed_.empty() ? 0 : listed_.rbegin()->first;
    if (plain_last >= highest_) {
      unsent_.Append(tail);
      Place(stored_ + 1, stored_ * length_, std::move(unsent_));
      return std::move(out_);
    }
    return AroundStrays();
  }

 private:
  int64_t PartsFor(int64_t bytes) const { return (bytes + length_ - 1) / length_; }

  // Cuts `bytes` into parts from `number` on.
  void Place(int number, int64_t offset, ByteSlices bytes) {
    while (!bytes.empty()) {
      const int64_t size = std::min(length_, bytes.size());
      out_.parts.push_back({number++, offset, bytes.TakeFront(size)});
      offset += size;
    }
    out_.size_bytes = offset;
  }

  // Listed numbers from `first` to `last`.
  int64_t Between(int first, int64_t last) const {
    return std::count_if(listed_.begin(), listed_.end(),
                         [&](const auto& part) { return part.first >= first && part.first <= last; });
  }

  Result<EndLayout> AroundStrays() {
    const int64_t data_parts = PartsFor(unsent_.size());
    const int first_between = stored_ + static_cast<int>(data_parts) + 1;
    // The more parts the tail takes, the fewer filler parts stand before it; its own length follows its offset by a few
    // bytes. The smallest number that holds it is taken.
    ByteSlices tail;
    int64_t tail_offset = 0;
    int tail_parts = 0;
    do {
      ++tail_parts;
      tail_offset = (stored_ + data_parts + Between(first_between, highest_ - tail_parts)) * length_;
      ARROW_ASSIGN_OR_RAISE(tail, build_tail_(tail_offset));
    } while (PartsFor(tail.size()) > tail_parts);
    // A tail that is a few bytes too short to reach into its last part begins that much later.
    const int64_t short_by = (tail_parts - 1) * length_ + 1 - tail.size();
    ByteSlices last_parts;
    if (short_by > 0) {
      ARROW_ASSIGN_OR_RAISE(tail, build_tail_(tail_offset + short_by));
      last_parts = Filler(short_by);
    }
    last_parts.Append(tail);

    const int first_tail = highest_ - tail_parts + 1;
    if (first_tail < first_between) return OverAllStrays();
    unsent_.Append(Filler(data_parts * length_ - unsent_.size()));
    Place(stored_ + 1, stored_ * length_, std::move(unsent_));
    PlaceFiller(first_between, first_tail);
    Place(first_tail, tail_offset, std::move(last_parts));
    return std::move(out_);
  }

  // The few bytes by which the tail grows with its offset leave no room for the padding: every number up to the highest
  // is overwritten, as one run that reaches into the last.
  Result<EndLayout> OverAllStrays() {
    const int64_t begin = stored_ * length_;
    const int64_t at_least = (highest_ - stored_ - 1) * length_ + 1;
    ARROW_ASSIGN_OR_RAISE(ByteSlices tail, build_tail_(begin + unsent_.size()));
    const int64_t short_by = std::max<int64_t>(0, at_least - unsent_.size() - tail.size());
    ARROW_ASSIGN_OR_RAISE(tail, build_tail_(begin + unsent_.size() + short_by));
    unsent_.Append(Filler(short_by));
    unsent_.Append(tail);
    Place(stored_ + 1, begin, std::move(unsent_));
    return std::move(out_);
  }

  void PlaceFiller(int first, int end) {
    int64_t offset = int64_t{first - 1} * length_;
    for (const auto& [number, size] : listed_) {
      if (number < first || number >= end) continue;
      if (size == length_) {
        out_.kept_numbers.push_back(number);
      } else {
        out_.parts.push_back({number, offset, Filler(length_)});
      }
      offset += length_;
    }
  }

  const int64_t length_;
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
