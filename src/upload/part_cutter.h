// Cuts encoded bytes into upload parts, whose length is a function of their number, without copying.
#pragma once

#include <cstdint>
#include <vector>

#include "tailrace/object.h"

namespace tailrace {

// A value; not thread-safe. Keeps less than one part between calls.
class PartCutter {
 public:
  // Goes on after `stored_parts` full parts, with `unsent` behind them. REQUIRES: unsent shorter than the next part.
  PartCutter(PartLengths lengths, int stored_parts, ByteSlices unsent);

  // Shares the memory of `bytes`; returns the parts that became full, in file order.
  std::vector<Part> Push(ByteSlices bytes);
  // The rest as the last, shorter part; none where nothing is left. Nothing can be pushed afterwards.
  std::vector<Part> CutRest();

  const ByteSlices& unsent() const { return unsent_; }
  int parts() const { return parts_; }  // cut so far, the stored ones included
  int64_t total_bytes() const;          // cut and unsent

 private:
  Part Cut(int64_t size_bytes);

  PartLengths lengths_;
  int parts_;
  int64_t cut_bytes_;
  ByteSlices unsent_;
};

}  // namespace tailrace
