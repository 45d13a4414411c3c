#include "encode/chunk_trials.h"

#include <map>
#include <string>
#include <string_view>
#include <utility>

#include <arrow/io/memory.h>
#include <arrow/memory_pool.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <parquet/arrow/writer.h>

#include "encode/chunk_facts.h"
#include "encode/encoder_properties.h"
#include "encode/parquet_fields.h"
#include "encode/parquet_file.h"
#include "encode/thrift_compact.h"

namespace tailrace {
namespace {

using LeafIndexes = std::vector<size_t>;

Status Unexpected(const std::string& what) {
  return MakeError(ErrorKind::kInternal, "Parquet encoder: trial: " + what);
}

// A trial's file, and the metadata of the column chunks that were asked for, by their leaf columns.
struct TrialFile {
  std::shared_ptr<arrow::Buffer> bytes;
  ThriftStruct footer;
  std::map<size_t, const ThriftStruct*> columns;  // into `footer`
};

// The fields of the schema that hold one of `leaves`; others would be encoded in vain.
std::shared_ptr<arrow::RecordBatch> FieldsOf(const arrow::RecordBatch& sample, const std::vector<LeafColumn>& all,
                                             const LeafIndexes& leaves) {
  arrow::FieldVector fields;
  arrow::ArrayVector arrays;
  int last = -1;
  for (size_t leaf : leaves) {
    if (all[leaf].field == last) continue;
    last = all[leaf].field;
    fields.push_back(sample.schema()->field(last));
    arrays.push_back(sample.column(last));
  }
  return arrow::RecordBatch::Make(arrow::schema(std::move(fields)), sample.num_rows(), std::move(arrays));
}

std::string PathOf(const ThriftStruct& metadata) {
  std::string path;
  const ThriftList* names = metadata.FindList(column_metadata::kPath);
  if (names == nullptr) return path;
  for (const ThriftValue& value : names->values) {
    const auto* name = std::get_if<std::string>(&value.data);
    if (name != nullptr) path += (&value == &names->values.front() ? "" : ".") + *name;
  }
  return path;
}

Status FindColumns(const std::vector<LeafColumn>& all, const LeafIndexes& leaves, TrialFile* file) {
  std::map<std::string_view, size_t> by_path;
  for (size_t leaf : leaves) by_path.emplace(all[leaf].path, leaf);
  const ThriftList* groups = file->footer.FindList(file_metadata::kRowGroups);
  if (groups == nullptr || groups->values.size() != 1) return Unexpected("not one row group");
  const auto* group = std::get_if<ThriftStruct>(&groups->values[0].data);
  const ThriftList* columns = group == nullptr ? nullptr : group->FindList(row_group::kColumns);
  if (columns == nullptr) return Unexpected("no columns");
  for (const ThriftValue& value : columns->values) {
    const auto* chunk = std::get_if<ThriftStruct>(&value.data);
    const ThriftStruct* metadata = chunk == nullptr ? nullptr : chunk->FindStruct(column_chunk::kMetaData);
    if (metadata == nullptr) return Unexpected("a column chunk without metadata");
    const auto leaf = by_path.find(PathOf(*metadata));
    if (leaf != by_path.end()) file->columns[leaf->second] = metadata;
  }
  return file->columns.size() == leaves.size() ? Status::OK() : Unexpected("columns are missing");
}

Result<TrialFile> WriteTrial(const arrow::RecordBatch& sample, const std::vector<LeafColumn>& all,
                             const LeafIndexes& leaves, ChunkEncoding encoding, const ParquetOptions& options,
                             arrow::MemoryPool* pool) {
  std::vector<std::string> paths;
  for (size_t leaf : leaves) paths.push_back(all[leaf].path);
  ARROW_ASSIGN_OR_RAISE(auto properties, MakeTrialProperties(options, paths, encoding, pool));
  return CatchEncoder([&]() -> Result<TrialFile> {
    const auto batch = FieldsOf(sample, all, leaves);
    ARROW_ASSIGN_OR_RAISE(auto sink, arrow::io::BufferOutputStream::Create(4096, pool));
    ARROW_ASSIGN_OR_RAISE(auto writer, parquet::arrow::FileWriter::Open(*batch->schema(), pool, sink, properties));
    ARROW_RETURN_NOT_OK(FromEncoder(writer->WriteRecordBatch(*batch)));
    ARROW_RETURN_NOT_OK(FromEncoder(writer->Close()));
    TrialFile file;
    ARROW_ASSIGN_OR_RAISE(file.bytes, sink->Finish());
    const std::string_view bytes(*file.bytes);
    ARROW_ASSIGN_OR_RAISE(const int64_t length, FooterLength(bytes, file.bytes->size()));
    ARROW_ASSIGN_OR_RAISE(file.footer, DecodeThrift(bytes.substr(bytes.size() - kFileTrailerBytes - length, length)));
    ARROW_RETURN_NOT_OK(FindColumns(all, leaves, &file));
    return file;
  });
}

Result<TrialSize> SizeOf(const ThriftStruct& metadata) {
  const int64_t* raw = metadata.FindInt(column_metadata::kTotalUncompressedSize);
  const int64_t* compressed = metadata.FindInt(column_metadata::kTotalCompressedSize);
  if (raw == nullptr || compressed == nullptr) return Unexpected("a column chunk without sizes");
  return TrialSize{*raw, *compressed};
}

int64_t IntOr0(const ThriftStruct* of, int16_t id) {
  const int64_t* value = of == nullptr ? nullptr : of->FindInt(id);
  return value == nullptr ? 0 : *value;
}

Result<TrialDictionary> DictionaryOf(const TrialFile& file, const ThriftStruct& metadata) {
  TrialDictionary out;
  ARROW_ASSIGN_OR_RAISE(const TrialSize all, SizeOf(metadata));
  out.values = IntOr0(&metadata, column_metadata::kNumValues) -
               IntOr0(metadata.FindStruct(column_metadata::kStatistics), statistics::kNullCount);
  out.gave_way = DictionaryGaveWay(metadata);
  out.rest = all;
  const int64_t* begin = metadata.FindInt(column_metadata::kDictionaryPageOffset);
  if (begin == nullptr) return out;
  if (*begin < 0 || *begin > file.bytes->size()) return Unexpected("a dictionary page outside of the file");
  size_t header_bytes = 0;
  ARROW_ASSIGN_OR_RAISE(const ThriftStruct header,
                        DecodeThrift(std::string_view(*file.bytes).substr(*begin), &header_bytes));
  const auto header_size = static_cast<int64_t>(header_bytes);
  out.distinct = IntOr0(header.FindStruct(page_header::kDictionaryPageHeader), dictionary_page_header::kNumValues);
  out.page = {header_size + IntOr0(&header, page_header::kUncompressedSize),
              header_size + IntOr0(&header, page_header::kCompressedSize)};
  out.rest = {all.raw_bytes - out.page.raw_bytes, all.compressed_bytes - out.page.compressed_bytes};
  return out;
}

std::optional<TrialSize>* SlotOf(ChunkEncoding encoding, ColumnTrial* trial) {
  switch (encoding) {
    case ChunkEncoding::kDelta:
      return &trial->delta;
    case ChunkEncoding::kDeltaLength:
      return &trial->delta_length;
    case ChunkEncoding::kDeltaBytes:
      return &trial->delta_bytes;
    case ChunkEncoding::kByteStreamSplit:
      return &trial->byte_stream_split;
    default:
      return &trial->plain;
  }
}

constexpr ChunkEncoding kEncodings[] = {ChunkEncoding::kPlain,      ChunkEncoding::kDictionary,
                                        ChunkEncoding::kDelta,      ChunkEncoding::kDeltaLength,
                                        ChunkEncoding::kDeltaBytes, ChunkEncoding::kByteStreamSplit};

bool HasDifferences(int64_t type) { return type == parquet::Type::INT32 || type == parquet::Type::INT64; }

std::optional<bool> AskedDictionary(const LeafColumn& leaf, const ParquetOptions& options) {
  for (const ColumnOptions& column : options.columns) {
    if (column.path == leaf.path && column.dictionary) return column.dictionary;
  }
  return std::nullopt;
}

}  // namespace

bool MayGet(const LeafColumn& leaf, ChunkEncoding encoding, const ParquetOptions& options) {
  const int64_t type = leaf.physical_type;
  switch (encoding) {
    case ChunkEncoding::kPlain:
      return true;
    case ChunkEncoding::kDictionary:
      return type != parquet::Type::BOOLEAN && AskedDictionary(leaf, options).value_or(options.dictionary);
    case ChunkEncoding::kDelta:
      return HasDifferences(type) && options.encodings != Encodings::kPortable;
    case ChunkEncoding::kDeltaLength:
    case ChunkEncoding::kDeltaBytes:
      return type == parquet::Type::BYTE_ARRAY && options.encodings != Encodings::kPortable;
    case ChunkEncoding::kByteStreamSplit:
      return options.encodings == Encodings::kAll &&
             (HasDifferences(type) || type == parquet::Type::FLOAT || type == parquet::Type::DOUBLE ||
              type == parquet::Type::FIXED_LEN_BYTE_ARRAY);
  }
  return false;
}

Result<std::vector<ColumnTrial>> RunTrials(const arrow::RecordBatch& sample, const std::vector<LeafColumn>& leaves,
                                           const ParquetOptions& options, arrow::MemoryPool* pool) {
  std::vector<ColumnTrial> trials(leaves.size());
  for (const ChunkEncoding encoding : kEncodings) {
    LeafIndexes tried;
    for (size_t i = 0; i < leaves.size(); ++i) {
      if (!leaves[i].ambiguous && MayGet(leaves[i], encoding, options)) tried.push_back(i);
    }
    if (tried.empty()) continue;
    ARROW_ASSIGN_OR_RAISE(const TrialFile file, WriteTrial(sample, leaves, tried, encoding, options, pool));
    for (const auto& [leaf, metadata] : file.columns) {
      trials[leaf].slots = IntOr0(metadata, column_metadata::kNumValues);
      if (encoding == ChunkEncoding::kDictionary) {
        ARROW_ASSIGN_OR_RAISE(trials[leaf].dictionary, DictionaryOf(file, *metadata));
      } else {
        ARROW_ASSIGN_OR_RAISE(*SlotOf(encoding, &trials[leaf]), SizeOf(*metadata));
      }
    }
  }
  return trials;
}

}  // namespace tailrace
