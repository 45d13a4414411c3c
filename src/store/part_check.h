// Which stored parts of an upload's file are known to hold the bytes of their receipts.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "store/byte_ranges.h"
#include "store/file_calls.h"
#include "tailrace/object.h"

#include <arrow/result.h>

namespace tailrace {

using arrow::Result;

// CRC-64/NVME of `size` bytes from `offset` on, read back in small pieces. `read_bytes` tells how many there were.
Result<uint64_t> ReadBackCrc(FileCalls* files, int fd, const std::string& path, int64_t offset, int64_t size,
                             int64_t* read_bytes);

// Memory of one opening of an upload: what it wrote or verified itself, and whether the rest is believed without
// reading it. Not thread-safe.
class PartCheck {
 public:
  // Parts that lie within the first `trusted_bytes` and that this opening has not written over are believed. That is
  // the length of the file when it was opened, or 0: a file that was cut grows again when something is written behind.
  explicit PartCheck(int64_t trusted_bytes) : trusted_bytes_(trusted_bytes) {}

  // The bytes [begin, end) are about to be overwritten: whatever lies there is not known any more.
  void Forget(int64_t begin, int64_t end);
  // Written or read back as the receipt says.
  void Remember(const PartReceipt& receipt);

  // All that is known, by number.
  std::vector<PartReceipt> Known() const;
  // Known or believed, without reading. REQUIRES: the part lies within the file.
  bool Believes(const PartReceipt& receipt) const;

 private:
  const int64_t trusted_bytes_;
  ByteRanges written_;
  std::map<int64_t, PartReceipt> known_;  // by offset; never overlapping
};

}  // namespace tailrace
