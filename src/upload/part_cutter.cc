#include "upload/part_cutter.h"

#include <utility>

namespace tailrace {

PartCutter::PartCutter(PartLengths lengths, int stored_parts, ByteSlices unsent)
    : lengths_(lengths),
      parts_(stored_parts),
      cut_bytes_(lengths.OffsetOf(stored_parts + 1)),
      unsent_(std::move(unsent)) {}

std::vector<Part> PartCutter::Push(ByteSlices bytes) {
  unsent_.Append(bytes);
  std::vector<Part> full;
  while (unsent_.size() >= lengths_.LengthOf(parts_ + 1)) {
    full.push_back(Cut(lengths_.LengthOf(parts_ + 1)));
  }
  return full;
}

std::vector<Part> PartCutter::CutRest() {
  std::vector<Part> rest;
  if (!unsent_.empty()) rest.push_back(Cut(unsent_.size()));
  return rest;
}

int64_t PartCutter::total_bytes() const { return cut_bytes_ + unsent_.size(); }

Part PartCutter::Cut(int64_t size_bytes) {
  Part part;
  part.number = ++parts_;
  part.offset_bytes = lengths_.OffsetOf(part.number);
  part.body = unsent_.TakeFront(size_bytes);
  cut_bytes_ += size_bytes;
  return part;
}

}  // namespace tailrace
