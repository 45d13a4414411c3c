#include "encode/parquet_file.h"

#include <string>

namespace tailrace {
namespace {

constexpr std::string_view kEncryptedMagic = "PARE";

}  // namespace

Result<int64_t> FooterLength(std::string_view last_bytes, int64_t file_bytes) {
  if (file_bytes < kFileMagicBytes + kFileTrailerBytes || static_cast<int64_t>(last_bytes.size()) < kFileTrailerBytes) {
    return MakeError(ErrorKind::kInvalid, "not a Parquet file: it has " + std::to_string(file_bytes) + " bytes");
  }
  const std::string_view trailer = last_bytes.substr(last_bytes.size() - kFileTrailerBytes);
  const std::string_view magic = trailer.substr(kFileTrailerBytes - kFileMagicBytes);
  if (magic == kEncryptedMagic) {
    return MakeError(ErrorKind::kInvalid, "a Parquet file with an encrypted footer, which cannot be read without keys");
  }
  if (magic != kFileMagic) return MakeError(ErrorKind::kInvalid, "not a Parquet file: it does not end in PAR1");
  int64_t length = 0;
  for (int i = 3; i >= 0; --i) length = length << 8 | static_cast<uint8_t>(trailer[i]);
  if (length == 0 || length > kMaxFooterBytes || length > file_bytes - kFileMagicBytes - kFileTrailerBytes) {
    return MakeError(ErrorKind::kInvalid, "damaged Parquet file: its footer of " + std::to_string(length) +
                                              " bytes does not fit into " + std::to_string(file_bytes) + " bytes");
  }
  return length;
}

}  // namespace tailrace
