#include "encode/encoder_properties.h"

#include <limits>

#include <arrow/util/compression.h>

#include "encode/column_properties.h"
#include "encode/row_size.h"
#include "tailrace/version.h"

namespace tailrace {
namespace {

// Spelled out, though they are libparquet's defaults, because the bytes of a file depend on them.
constexpr int64_t kWriteBatchRows = 1024;  // page sizes are looked at after this many
constexpr int64_t kPageRows = 20000;

arrow::Result<parquet::Compression::type> CompressionOf(Codec codec) {
  switch (codec) {
    case Codec::kNone:
      return parquet::Compression::UNCOMPRESSED;
    case Codec::kSnappy:
      return parquet::Compression::SNAPPY;
    case Codec::kGzip:
      return parquet::Compression::GZIP;
    case Codec::kBrotli:
      return parquet::Compression::BROTLI;
    case Codec::kZstd:
      return parquet::Compression::ZSTD;
    case Codec::kLz4:
      return parquet::Compression::LZ4;  // libparquet writes LZ4_RAW for it
  }
  return MakeError(ErrorKind::kInvalid, "unknown codec " + std::to_string(static_cast<int>(codec)));
}

parquet::ParquetVersion::type VersionOf(ParquetVersion version) {
  switch (version) {
    case ParquetVersion::k1_0:
      return parquet::ParquetVersion::PARQUET_1_0;
    case ParquetVersion::k2_4:
      return parquet::ParquetVersion::PARQUET_2_4;
    default:
      return parquet::ParquetVersion::PARQUET_2_6;
  }
}

Status CheckCodec(parquet::Compression::type compression, int level) {
  const std::string name = arrow::util::Codec::GetCodecAsString(compression);
  if (!arrow::util::Codec::IsAvailable(compression)) {
    return MakeError(ErrorKind::kInvalid, "codec " + name + " is not built into this Arrow");
  }
  if (!arrow::util::Codec::SupportsCompressionLevel(compression)) return Status::OK();
  ARROW_ASSIGN_OR_RAISE(const int lowest, arrow::util::Codec::MinimumCompressionLevel(compression));
  ARROW_ASSIGN_OR_RAISE(const int highest, arrow::util::Codec::MaximumCompressionLevel(compression));
  if (level < lowest || level > highest) {
    return MakeError(ErrorKind::kInvalid, "codec_level " + std::to_string(level) + " is outside of " +
                                              std::to_string(lowest) + " to " + std::to_string(highest) + " of codec " +
                                              name);
  }
  return Status::OK();
}

}  // namespace

namespace {

using Builder = parquet::WriterProperties::Builder;

// What holds for all columns.
Status SetFileProperties(const ParquetOptions& options, arrow::MemoryPool* pool, Builder* builder) {
  ARROW_ASSIGN_OR_RAISE(const auto compression, CompressionOf(options.codec));
  ARROW_RETURN_NOT_OK(CheckCodec(compression, options.codec_level));
  // libparquet would write offset indexes alone, which no reader prunes by.
  if (options.page_index && !options.statistics) {
    return MakeError(ErrorKind::kInvalid, "page_index needs statistics: switch both off, or statistics on");
  }
  if (options.page_bytes < 1 || options.page_bytes > kMaxPageBytes) {
    return MakeError(ErrorKind::kInvalid, "page_bytes is " + std::to_string(options.page_bytes) +
                                              "; it must be from 1 to " + std::to_string(kMaxPageBytes));
  }
  builder->memory_pool(pool)
      ->version(VersionOf(options.version))
      ->data_page_version(options.data_page_version == DataPageVersion::kV1 ? parquet::ParquetDataPageVersion::V1
                                                                            : parquet::ParquetDataPageVersion::V2)
      ->created_by("tailrace version " + std::string(LibraryVersion()) + " (build " +
                   parquet::default_writer_properties()->created_by() + ")")
      ->compression(compression)
      ->data_pagesize(options.page_bytes)
      ->dictionary_pagesize_limit(kDictionaryPageBytes)
      ->write_batch_size(kWriteBatchRows)
      ->max_rows_per_page(kPageRows)
      ->max_row_group_length(std::numeric_limits<int64_t>::max());
  if (arrow::util::Codec::SupportsCompressionLevel(compression)) builder->compression_level(options.codec_level);
  options.statistics ? builder->enable_statistics() : builder->disable_statistics();
  options.page_index ? builder->enable_write_page_index() : builder->disable_write_page_index();
  options.dictionary ? builder->enable_dictionary() : builder->disable_dictionary();
  return Status::OK();
}

}  // namespace

arrow::Result<std::shared_ptr<parquet::WriterProperties>> MakeWriterProperties(const ParquetOptions& options,
                                                                               const std::vector<LeafColumn>& leaves,
                                                                               const std::vector<ColumnChoice>& choices,
                                                                               arrow::MemoryPool* pool) {
  Builder builder;
  ARROW_RETURN_NOT_OK(SetFileProperties(options, pool, &builder));
  if (leaves.empty()) return builder.build();
  AddColumnProperties(options, &builder);
  for (size_t i = 0; i < choices.size(); ++i) {
    if (choices[i].reason == ChoiceReason::kSharedPath) continue;
    SetEncoding(leaves[i].path, choices[i].encoding, &builder);
    if (choices[i].compressed) continue;
    builder.compression(leaves[i].path, parquet::Compression::UNCOMPRESSED);
    // The file's level would be refused.
    builder.compression_level(leaves[i].path, arrow::util::kUseDefaultCompressionLevel);
  }
  return builder.build();
}

arrow::Result<std::shared_ptr<parquet::WriterProperties>> MakeTrialProperties(const ParquetOptions& options,
                                                                              const std::vector<std::string>& paths,
                                                                              ChunkEncoding encoding,
                                                                              arrow::MemoryPool* pool) {
  Builder builder;
  ARROW_RETURN_NOT_OK(SetFileProperties(options, pool, &builder));
  builder.disable_write_page_index();
  // How many values are null tells how many a dictionary stands for.
  encoding == ChunkEncoding::kDictionary ? builder.enable_statistics() : builder.disable_statistics();
  // Columns that share a field with those of `paths` come along.
  builder.disable_dictionary();
  for (const std::string& path : paths) SetEncoding(path, encoding, &builder);
  return builder.build();
}

Status FromEncoder(const Status& status) {
  if (status.ok() || DetailOf(status) != nullptr || status.IsOutOfMemory() || status.IsCapacityError()) return status;
  return MakeError(ErrorKind::kInternal, "Parquet encoder: " + status.ToString());
}

}  // namespace tailrace
