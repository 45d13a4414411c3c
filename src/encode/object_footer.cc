#include "encode/object_footer.h"

#include <algorithm>
#include <utility>

#include "encode/parquet_file.h"

namespace tailrace {
namespace {

// The footers of most files fit, so that one request is enough.
constexpr int64_t kFirstReadBytes = int64_t{64} << 10;

Result<std::string> ReadExactly(ObjectStore* store, const std::string& key, const ObjectMeta& meta, int64_t offset,
                                int64_t length) {
  ARROW_ASSIGN_OR_RAISE(std::string bytes, store->GetRange(key, offset, length, meta.etag));
  if (static_cast<int64_t>(bytes.size()) == length) return bytes;
  // It had this many bytes a moment ago.
  return MakeError(ErrorKind::kPrecondition, key + " has changed: " + std::to_string(bytes.size()) + " instead of " +
                                                 std::to_string(length) + " bytes at offset " + std::to_string(offset));
}

}  // namespace

Result<std::string> ReadObjectFooter(ObjectStore* store, const std::string& key, const ObjectMeta& meta) {
  const int64_t first = std::min(meta.size_bytes, kFirstReadBytes);
  std::string end;
  // An object too small to be one is refused without a request.
  if (first >= kFileMagicBytes + kFileTrailerBytes) {
    ARROW_ASSIGN_OR_RAISE(end, ReadExactly(store, key, meta, meta.size_bytes - first, first));
  }
  auto length = FooterLength(end, meta.size_bytes);
  if (!length.ok()) return WithContext(length.status(), key);
  const int64_t footer_begin = meta.size_bytes - kFileTrailerBytes - *length;
  const int64_t have_begin = meta.size_bytes - first;
  if (footer_begin >= have_begin) return end.substr(footer_begin - have_begin, *length);
  ARROW_ASSIGN_OR_RAISE(std::string footer, ReadExactly(store, key, meta, footer_begin, have_begin - footer_begin));
  footer.append(end, 0, end.size() - kFileTrailerBytes);
  return footer;
}

}  // namespace tailrace
