#include "store/part_check.h"

#include <algorithm>

#include "base/crc64.h"
#include "store/file_error.h"

namespace tailrace {

Result<uint64_t> ReadBackCrc(FileCalls* files, int fd, const std::string& path, int64_t offset, int64_t size,
                             int64_t* read_bytes) {
  // A guess: fits a second-level cache, so that the checksum reads what the kernel has just copied.
  constexpr int64_t kPieceBytes = 256 * 1024;
  std::vector<char> piece(static_cast<size_t>(std::min(size, kPieceBytes)));
  uint64_t crc = 0;
  for (*read_bytes = 0; *read_bytes < size;) {
    const int64_t wanted = std::min(size - *read_bytes, kPieceBytes);
    const int64_t got = files->ReadAt(fd, piece.data(), wanted, offset + *read_bytes);
    ARROW_RETURN_NOT_OK(CheckFile(got, "read back the upload", path));
    crc = Crc64Nvme(piece.data(), static_cast<size_t>(got), crc);
    *read_bytes += got;
    if (got < wanted) break;
  }
  return crc;
}

void PartCheck::Forget(int64_t begin, int64_t end) {
  written_.Add(begin, end);
  auto it = known_.lower_bound(end);
  while (it != known_.begin()) {
    --it;
    if (it->second.offset_bytes + it->second.size_bytes <= begin) break;
    it = known_.erase(it);
  }
}

void PartCheck::Remember(const PartReceipt& receipt) { known_.insert_or_assign(receipt.offset_bytes, receipt); }

std::vector<PartReceipt> PartCheck::Known() const {
  std::vector<PartReceipt> parts;
  for (const auto& [offset, receipt] : known_) parts.push_back(receipt);
  std::sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.number < b.number; });
  return parts;
}

bool PartCheck::Believes(const PartReceipt& receipt) const {
  const auto known = known_.find(receipt.offset_bytes);
  if (known != known_.end()) {
    return known->second.size_bytes == receipt.size_bytes && known->second.crc64 == receipt.crc64;
  }
  const int64_t end = receipt.offset_bytes + receipt.size_bytes;
  return end <= trusted_bytes_ && !written_.Overlaps(receipt.offset_bytes, end);
}

}  // namespace tailrace
