// What follows the row groups of a Parquet file: page indexes laid out together, then the footer.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <arrow/result.h>

#include "tailrace/bytes.h"
#include "tailrace/error.h"
#include "tailrace/state.h"

namespace tailrace {

using arrow::Result;

// The four bytes before the first row group.
ByteSlices FileHead();

enum class FileEnd { kClose, kFinish };  // stored as tailrace.end = close | finish

struct FileTail {
  ByteSlices bytes;    // column indexes, offset indexes, footer, its length, magic
  std::string footer;  // the thrift FileMetaData alone
};
// The tail of the file whose row groups stand one after the other behind FileHead(). Pure: equal content gives equal
// bytes. It begins at `tail_offset`, by default right behind the row groups; a later place leaves a gap that nothing
// points at. kLimit where row groups, their number or the footer pass the format's limits.
Result<FileTail> BuildTail(const ParquetContent& content, FileEnd end,
                           std::optional<int64_t> tail_offset = std::nullopt);
// BuildTail as a function of the place alone. `content` outlives it.
std::function<Result<ByteSlices>(int64_t tail_offset)> TailOf(const ParquetContent& content, FileEnd end);

// An upper bound of BuildTail(...).bytes.size(), and what one more row group adds to it.
int64_t TailBytesBound(const ParquetContent& content);
int64_t TailBytesBound(const RowGroupEntry& entry);

// What makes two files of one write the same file, read from the footer alone.
struct ContentId {
  struct Group {
    int64_t rows = 0;
    int64_t total_bytes = 0;   // RowGroup.total_byte_size
    int64_t first_offset = 0;  // of its first page
    friend bool operator==(const Group&, const Group&) = default;
  };
  int64_t rows = 0;
  std::vector<Group> groups;
  std::string digest;  // tailrace.digest, 16 hex digits; empty where there is none
  // tailrace.carried, 16 hex digits, of a file that was finished from a state with carried rows: the last row group was
  // made of them, and this names the state's own row groups and those rows.
  std::string carried;
  std::string end;  // tailrace.end; not compared
  // Equal rows, row groups and digest; or the same state finished by versions of the library that encode its carried
  // rows otherwise.
  bool SameContent(const ContentId& other) const;
};
// kInvalid where `footer` is no FileMetaData.
Result<ContentId> ReadContentId(std::string_view footer);

}  // namespace tailrace
