// Where the end of a file goes on stores that refuse a Complete which leaves stored parts out (Ceph RGW, s3s-fs), when
// a lost process left parts there that no state names.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include <arrow/result.h>

#include "tailrace/object.h"

namespace tailrace {

using arrow::Result;

// The tail of the file (page indexes and footer) for the place it gets; its length may grow with the offset.
using TailBuilder = std::function<Result<ByteSlices>(int64_t tail_offset)>;

struct EndLayout {
  std::vector<Part> parts;        // to be stored, by number: what is left of the row groups, filler, the tail
  std::vector<int> kept_numbers;  // listed parts that stay as they are, named with the listed tag
  int64_t size_bytes = 0;         // of the whole object
};

// Lays the end out behind `stored_parts` full parts, with `unsent` bytes of row groups to go, as a pure function of its
// arguments. It is the same when some of the parts it names have been stored and are listed, so a process that dies
// anywhere is followed by one that does the same.
//
// Let m be the highest listed number. Where the plain way (unsent bytes and tail right behind one another) ends at m or
// above, it is taken: every stray is overwritten. Else the unsent bytes are padded to whole parts, the tail takes the
// numbers that end at m, and of the numbers between, the listed ones become filler of exactly the part length; the
// others stay out. No offset in the footer points at filler, and nothing is stored above m.
//
// `listed`: number and size of each part in the store; those up to `stored_parts` are ignored.
Result<EndLayout> LayOutEnd(const PartLengths& lengths, int stored_parts, const ByteSlices& unsent,
                            const std::vector<PartReceipt>& listed, const TailBuilder& build_tail);

}  // namespace tailrace
