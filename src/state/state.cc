#include "tailrace/state.h"

namespace tailrace {

int64_t ParquetContent::rows() const {
  int64_t rows = 0;
  for (const RowGroupEntry& group : row_groups) rows += group.rows;
  return rows;
}

int64_t ParquetContent::data_bytes() const {
  int64_t bytes = 0;
  for (const RowGroupEntry& group : row_groups) bytes += group.size_bytes;
  return bytes;
}

int64_t CarriedRows::rows() const {
  int64_t rows = 0;
  for (const CarriedChunk& chunk : chunks) rows += chunk.rows;
  return rows;
}

int64_t CarriedRows::size_bytes() const {
  int64_t bytes = 0;
  for (const CarriedChunk& chunk : chunks) bytes += static_cast<int64_t>(chunk.bytes.size());
  return bytes;
}

int64_t UploadProgress::stored_bytes() const {
  int64_t bytes = 0;
  for (const PartReceipt& receipt : receipts) bytes += receipt.size_bytes;
  return bytes;
}

bool operator==(const PendingCommit& a, const PendingCommit& b) {
  return a.library_version == b.library_version && a.write_id == b.write_id && a.target == b.target &&
         a.overwrite == b.overwrite && a.upload_id == b.upload_id && a.receipts == b.receipts &&
         a.inline_bytes == b.inline_bytes && a.size_bytes == b.size_bytes && a.crc64 == b.crc64 &&
         a.footer == b.footer && a.rows == b.rows && a.state == b.state;
}

}  // namespace tailrace
