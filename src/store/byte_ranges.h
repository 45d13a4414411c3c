// A set of bytes as disjoint ranges.
#pragma once

#include <cstdint>
#include <iterator>
#include <map>

namespace tailrace {

// Ranges are [begin, end). Not thread-safe.
class ByteRanges {
 public:
  // Touching ranges become one, so that a file written from front to back is one range.
  void Add(int64_t begin, int64_t end) {
    if (begin >= end) return;
    auto next = ranges_.upper_bound(begin);
    if (next != ranges_.begin() && std::prev(next)->second >= begin) {
      --next;
      begin = next->first;
    }
    while (next != ranges_.end() && next->first <= end) {
      if (next->second > end) end = next->second;
      next = ranges_.erase(next);
    }
    ranges_.emplace_hint(next, begin, end);
  }

  bool Overlaps(int64_t begin, int64_t end) const {
    if (begin >= end) return false;
    const auto next = ranges_.lower_bound(end);
    return next != ranges_.begin() && std::prev(next)->second > begin;
  }

  int count() const { return static_cast<int>(ranges_.size()); }

 private:
  std::map<int64_t, int64_t> ranges_;
};

}  // namespace tailrace
