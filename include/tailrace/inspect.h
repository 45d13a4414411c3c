// What a Parquet object is made of, from its footer.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <arrow/result.h>

#include "tailrace/state.h"
#include "tailrace/store.h"

namespace tailrace {

struct ByteRange {
  int64_t offset_bytes = 0;
  int64_t size_bytes = 0;
  friend bool operator==(const ByteRange&, const ByteRange&) = default;
};
struct ColumnChunkSummary {
  std::string path;  // dotted
  std::string physical_type;
  std::string codec;
  std::vector<std::string> encodings;  // of pages of any kind, and of levels
  // Of data pages alone, by name, as the file tells them; empty where it does not. Two of them: a dictionary that gave
  // way to plain pages.
  std::vector<std::string> data_encodings;
  int64_t values = 0;
  int64_t compressed_bytes = 0;
  int64_t uncompressed_bytes = 0;
  int64_t column_index_bytes = 0;  // 0 where it has none
  int64_t offset_index_bytes = 0;
  bool has_statistics = false;
  bool has_bloom_filter = false;
};
struct RowGroupSummary {
  int64_t rows = 0;
  int64_t compressed_bytes = 0;
  std::vector<ColumnChunkSummary> columns;
};
struct ParquetSummary {
  int64_t size_bytes = 0;
  int64_t footer_bytes = 0;
  int64_t rows = 0;
  std::string write_id;  // of the object, empty where it has none
  std::string created_by;
  std::string digest;                                                   // tailrace.digest, empty where there is none
  std::string end;                                                      // tailrace.end
  std::vector<std::pair<std::string, std::string>> key_value_metadata;  // as stored, ARROW:schema included
  std::vector<RowGroupSummary> row_groups;
  // Of a file that tailrace wrote: runs of bytes that nothing points to. There are some where the end of the file was
  // laid out around parts that a lost process left, on stores that refuse to leave them out.
  std::vector<ByteRange> filler;
};
// Any Parquet object, by whomever written. kInvalid where it is none.
Result<ParquetSummary> InspectObject(ObjectStore* store, const std::string& key);
// The same summary of the file that finishing `state` would make, and its schema as text; for printing.
Result<std::string> DescribeSchema(const ParquetContent& content);

// How the columns of the last row group are written, and why; empty where nothing was chosen (`adaptive` off, no rows).
struct ChosenColumn {
  std::string path;  // dotted
  std::string encoding;
  bool compressed = false;
  std::string why;
};
Result<std::vector<ChosenColumn>> DescribeChoices(const ParquetContent& content);

}  // namespace tailrace
