#include "encode/column_properties.h"

#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <parquet/types.h>

#include "encode/utf8.h"

namespace tailrace {
namespace {

// Beyond it libparquet would make the filter smaller than its options ask for.
constexpr int64_t kMaxDistinctValues = int64_t{64} << 20;

Status Refuse(const std::string& option, const std::string& path, const std::string& what) {
  return MakeError(ErrorKind::kInvalid, option + ": column " + Printable(path) + ": " + what);
}

// The leaf column of a path; the error names `option`.
arrow::Result<const LeafColumn*> FindLeaf(const std::string& option, const std::string& path,
                                          const std::vector<LeafColumn>& leaves) {
  for (const LeafColumn& leaf : leaves) {
    if (leaf.path != path) continue;
    if (leaf.ambiguous) return Refuse(option, path, "two leaf columns have this dotted path");
    return &leaf;
  }
  for (const LeafColumn& leaf : leaves) {
    if (leaf.path.starts_with(path + ".")) {
      return Refuse(option, path, "it is nested; name its leaf columns, such as " + Printable(leaf.path));
    }
  }
  return Refuse(option, path, "the file has no such leaf column");
}

Status CheckBloomFilter(const LeafColumn& leaf, const BloomFilterOptions& filter) {
  const std::string option = "columns: bloom_filter";
  if (leaf.physical_type == parquet::Type::BOOLEAN) {
    return Refuse(option, leaf.path, "Parquet has no bloom filters for booleans");
  }
  if (filter.distinct_values < 1 || filter.distinct_values > kMaxDistinctValues) {
    return Refuse(option, leaf.path,
                  "distinct_values is " + std::to_string(filter.distinct_values) + "; it must be from 1 to " +
                      std::to_string(kMaxDistinctValues));
  }
  if (!(filter.false_positives > 0 && filter.false_positives < 1)) {
    return Refuse(option, leaf.path,
                  "false_positives is " + std::to_string(filter.false_positives) + "; it must be between 0 and 1");
  }
  return Status::OK();
}

}  // namespace

Status CheckColumnOptions(const ParquetOptions& options, const std::vector<LeafColumn>& leaves) {
  std::set<std::string_view> named;
  for (const ColumnOptions& column : options.columns) {
    ARROW_ASSIGN_OR_RAISE(const LeafColumn* leaf, FindLeaf("columns", column.path, leaves));
    if (!named.insert(column.path).second) return Refuse("columns", column.path, "it is named twice");
    if (column.bloom_filter) ARROW_RETURN_NOT_OK(CheckBloomFilter(*leaf, *column.bloom_filter));
  }
  named.clear();
  for (const SortingColumn& column : options.sorting_columns) {
    ARROW_RETURN_NOT_OK(FindLeaf("sorting_columns", column.path, leaves).status());
    if (!named.insert(column.path).second) return Refuse("sorting_columns", column.path, "it is named twice");
  }
  return Status::OK();
}

void AddColumnProperties(const ParquetOptions& options, parquet::WriterProperties::Builder* builder) {
  for (const ColumnOptions& column : options.columns) {
    if (column.dictionary) {
      *column.dictionary ? builder->enable_dictionary(column.path) : builder->disable_dictionary(column.path);
    }
    if (!column.bloom_filter) continue;
    parquet::BloomFilterOptions filter;
    filter.ndv = column.bloom_filter->distinct_values;
    filter.fpp = column.bloom_filter->false_positives;
    filter.fold = true;
    builder->enable_bloom_filter(column.path, filter);
  }
}

void SetEncoding(const std::string& path, ChunkEncoding encoding, parquet::WriterProperties::Builder* builder) {
  encoding == ChunkEncoding::kDictionary ? builder->enable_dictionary(path) : builder->disable_dictionary(path);
  switch (encoding) {
    case ChunkEncoding::kPlain:
    case ChunkEncoding::kDictionary:
      // libparquet's own without a dictionary: plain, or run lengths for booleans in V2 pages.
      break;
    case ChunkEncoding::kDelta:
      builder->encoding(path, parquet::Encoding::DELTA_BINARY_PACKED);
      break;
    case ChunkEncoding::kDeltaLength:
      builder->encoding(path, parquet::Encoding::DELTA_LENGTH_BYTE_ARRAY);
      break;
    case ChunkEncoding::kDeltaBytes:
      builder->encoding(path, parquet::Encoding::DELTA_BYTE_ARRAY);
      break;
    case ChunkEncoding::kByteStreamSplit:
      builder->encoding(path, parquet::Encoding::BYTE_STREAM_SPLIT);
      break;
  }
}

}  // namespace tailrace
