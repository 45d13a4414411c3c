#include "state/options_codec.h"

#include <limits>
#include <utility>
#include <vector>

#include "state/column_options_codec.h"
#include "state/key_values_codec.h"
#include "state/tagged_codec.h"

namespace tailrace {
namespace {

constexpr Field kParquet{1, WireType::kBytes, true, "parquet"};
constexpr Field kPartSize{2, WireType::kVarint, true, "part_size_bytes"};
constexpr Field kOverwrite{3, WireType::kVarint, true, "overwrite"};
constexpr Field kSmallFiles{4, WireType::kVarint, true, "small_files"};
constexpr Field kInlineMax{5, WireType::kVarint, true, "inline_max_bytes"};
constexpr Field kCheckpointMode{6, WireType::kVarint, true, "checkpoint_mode"};
constexpr Field kCarryMax{7, WireType::kVarint, true, "carry_max_bytes"};
constexpr Field kExpected{8, WireType::kVarint, true, "expected_bytes"};
constexpr Field kGrowingParts{9, WireType::kVarint, true, "growing_parts"};
constexpr Field kFields[] = {kParquet,        kPartSize, kOverwrite, kSmallFiles,  kInlineMax,
                             kCheckpointMode, kCarryMax, kExpected,  kGrowingParts};

constexpr Field kCodec{1, WireType::kVarint, true, "codec"};
constexpr Field kCodecLevel{2, WireType::kVarint, true, "codec_level"};
constexpr Field kStatistics{3, WireType::kVarint, true, "statistics"};
constexpr Field kPageIndex{4, WireType::kVarint, true, "page_index"};
constexpr Field kRowGroupBytes{5, WireType::kVarint, true, "row_group_bytes"};
constexpr Field kRowGroupRows{6, WireType::kVarint, true, "row_group_rows"};
constexpr Field kKeyValues{7, WireType::kBytes, true, "key_value_metadata"};
constexpr Field kDictionary{8, WireType::kVarint, true, "dictionary"};
constexpr Field kPageBytes{9, WireType::kVarint, true, "page_bytes"};
constexpr Field kVersion{10, WireType::kVarint, true, "version"};
constexpr Field kDataPageVersion{11, WireType::kVarint, true, "data_page_version"};
constexpr Field kTextNotUtf8{12, WireType::kVarint, true, "text_not_utf8"};
constexpr Field kColumns{13, WireType::kBytes, true, "columns"};
constexpr Field kSortingColumns{14, WireType::kBytes, true, "sorting_columns"};
constexpr Field kAdaptive{15, WireType::kVarint, true, "adaptive"};
constexpr Field kEncodings{16, WireType::kVarint, true, "encodings"};
constexpr Field kParquetFields[] = {
    kCodec,     kCodecLevel, kStatistics,      kPageIndex,   kRowGroupBytes, kRowGroupRows,   kKeyValues, kDictionary,
    kPageBytes, kVersion,    kDataPageVersion, kTextNotUtf8, kColumns,       kSortingColumns, kAdaptive,  kEncodings};

constexpr Codec kCodecNumbers[] = {Codec::kNone,   Codec::kSnappy, Codec::kGzip,
                                   Codec::kBrotli, Codec::kZstd,   Codec::kLz4};
constexpr Encodings kEncodingsNumbers[] = {Encodings::kPortable, Encodings::kSpark, Encodings::kAll};
constexpr ParquetVersion kVersionNumbers[] = {ParquetVersion::k1_0, ParquetVersion::k2_4, ParquetVersion::k2_6};
constexpr DataPageVersion kDataPageNumbers[] = {DataPageVersion::kV1, DataPageVersion::kV2};
constexpr TextNotUtf8 kTextNumbers[] = {TextNotUtf8::kRefuse, TextNotUtf8::kBinary};
constexpr CheckpointMode kCheckpointModeNumbers[] = {CheckpointMode::kFlush, CheckpointMode::kCarry};
constexpr SmallFiles kSmallFilesNumbers[] = {SmallFiles::kInline, SmallFiles::kUpload};

std::string EncodeParquet(const ParquetOptions& options) {
  MessageWriter out;
  out.PutEnum(kCodec, options.codec, kCodecNumbers);
  out.PutSigned(kCodecLevel, options.codec_level);
  out.PutBool(kStatistics, options.statistics);
  out.PutBool(kPageIndex, options.page_index);
  out.PutInt(kRowGroupBytes, options.row_group_bytes);
  out.PutInt(kRowGroupRows, options.row_group_rows);
  out.PutBytes(kKeyValues, EncodeKeyValues(options.key_value_metadata));
  out.PutBool(kDictionary, options.dictionary);
  out.PutInt(kPageBytes, options.page_bytes);
  out.PutEnum(kVersion, options.version, kVersionNumbers);
  out.PutEnum(kDataPageVersion, options.data_page_version, kDataPageNumbers);
  out.PutEnum(kTextNotUtf8, options.text_not_utf8, kTextNumbers);
  if (!options.columns.empty()) out.PutBytes(kColumns, EncodeColumnOptions(options.columns));
  if (!options.sorting_columns.empty()) out.PutBytes(kSortingColumns, EncodeSortingColumns(options.sorting_columns));
  out.PutBool(kAdaptive, options.adaptive);
  out.PutEnum(kEncodings, options.encodings, kEncodingsNumbers);
  return out.Take();
}

Result<ParquetOptions> DecodeParquet(std::string_view bytes, std::string prefix) {
  ARROW_ASSIGN_OR_RAISE(MessageReader in, MessageReader::Parse(bytes, std::move(prefix), kParquetFields));
  ParquetOptions options;
  ARROW_ASSIGN_OR_RAISE(options.codec, in.EnumOf(kCodec, kCodecNumbers));
  ARROW_ASSIGN_OR_RAISE(int64_t level, in.Signed(kCodecLevel));
  if (level < std::numeric_limits<int>::min() || level > std::numeric_limits<int>::max()) {
    return MakeError(ErrorKind::kBadState, in.PathOf(kCodecLevel) + ": " + std::to_string(level) + " is out of range");
  }
  options.codec_level = static_cast<int>(level);
  ARROW_ASSIGN_OR_RAISE(options.statistics, in.Bool(kStatistics));
  ARROW_ASSIGN_OR_RAISE(options.page_index, in.Bool(kPageIndex));
  ARROW_ASSIGN_OR_RAISE(options.row_group_bytes, in.Int(kRowGroupBytes));
  ARROW_ASSIGN_OR_RAISE(options.row_group_rows, in.Int(kRowGroupRows));
  ARROW_ASSIGN_OR_RAISE(std::string_view pairs, in.Bytes(kKeyValues));
  ARROW_ASSIGN_OR_RAISE(options.key_value_metadata, DecodeKeyValues(pairs, in.PathOf(kKeyValues)));
  ARROW_ASSIGN_OR_RAISE(options.dictionary, in.Bool(kDictionary));
  ARROW_ASSIGN_OR_RAISE(options.page_bytes, in.Int(kPageBytes));
  ARROW_ASSIGN_OR_RAISE(options.version, in.EnumOf(kVersion, kVersionNumbers));
  ARROW_ASSIGN_OR_RAISE(options.data_page_version, in.EnumOf(kDataPageVersion, kDataPageNumbers));
  ARROW_ASSIGN_OR_RAISE(options.text_not_utf8, in.EnumOf(kTextNotUtf8, kTextNumbers));
  if (in.Has(kColumns)) {
    ARROW_ASSIGN_OR_RAISE(std::string_view columns, in.Bytes(kColumns));
    ARROW_ASSIGN_OR_RAISE(options.columns, DecodeColumnOptions(columns, in.PathOf(kColumns)));
  }
  if (in.Has(kSortingColumns)) {
    ARROW_ASSIGN_OR_RAISE(std::string_view columns, in.Bytes(kSortingColumns));
    ARROW_ASSIGN_OR_RAISE(options.sorting_columns, DecodeSortingColumns(columns, in.PathOf(kSortingColumns)));
  }
  ARROW_ASSIGN_OR_RAISE(options.adaptive, in.Bool(kAdaptive));
  ARROW_ASSIGN_OR_RAISE(options.encodings, in.EnumOf(kEncodings, kEncodingsNumbers));
  return options;
}

}  // namespace

std::string EncodeOptions(const FileOptions& options) {
  MessageWriter out;
  out.PutBytes(kParquet, EncodeParquet(options.parquet));
  out.PutInt(kPartSize, options.part_size_bytes);
  out.PutEnum(kOverwrite, options.overwrite, kOverwriteNumbers);
  out.PutEnum(kSmallFiles, options.small_files, kSmallFilesNumbers);
  out.PutInt(kInlineMax, options.inline_max_bytes);
  out.PutEnum(kCheckpointMode, options.checkpoint_mode, kCheckpointModeNumbers);
  out.PutInt(kCarryMax, options.carry_max_bytes);
  if (options.expected_bytes > 0) out.PutInt(kExpected, options.expected_bytes);
  if (options.growing_parts) out.PutBool(kGrowingParts, true);
  return out.Take();
}

Result<FileOptions> DecodeOptions(std::string_view bytes, std::string prefix) {
  ARROW_ASSIGN_OR_RAISE(MessageReader in, MessageReader::Parse(bytes, std::move(prefix), kFields));
  FileOptions options;
  ARROW_ASSIGN_OR_RAISE(std::string_view parquet, in.Bytes(kParquet));
  ARROW_ASSIGN_OR_RAISE(options.parquet, DecodeParquet(parquet, in.PrefixOf(kParquet)));
  ARROW_ASSIGN_OR_RAISE(options.part_size_bytes, in.Int(kPartSize));
  ARROW_ASSIGN_OR_RAISE(options.overwrite, in.EnumOf(kOverwrite, kOverwriteNumbers));
  ARROW_ASSIGN_OR_RAISE(options.small_files, in.EnumOf(kSmallFiles, kSmallFilesNumbers));
  ARROW_ASSIGN_OR_RAISE(options.inline_max_bytes, in.Int(kInlineMax));
  ARROW_ASSIGN_OR_RAISE(options.checkpoint_mode, in.EnumOf(kCheckpointMode, kCheckpointModeNumbers));
  ARROW_ASSIGN_OR_RAISE(options.carry_max_bytes, in.Int(kCarryMax));
  ARROW_ASSIGN_OR_RAISE(options.expected_bytes, in.IntOr(kExpected, 0));
  if (in.Has(kGrowingParts)) {
    ARROW_ASSIGN_OR_RAISE(options.growing_parts, in.Bool(kGrowingParts));
  }
  return options;
}

}  // namespace tailrace
