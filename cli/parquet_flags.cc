#include "cli/parquet_flags.h"

#include <limits>
#include <string_view>

#include "cli/column_text.h"
#include "cli/key_value_text.h"
#include "cli/size_text.h"
#include "tailrace/option_names.h"

namespace tailrace::cli {

namespace {

constexpr char kFileGroup[] = "The file";
constexpr char kEncodingGroup[] = "Encoding of the file";

struct CodecRow {
  Codec codec;
  // Equal where the codec has no levels.
  int64_t min_level, max_level, default_level;
};
constexpr CodecRow kCodecs[] = {
    {Codec::kZstd, 1, 22, 1},   {Codec::kSnappy, 0, 0, 0}, {Codec::kGzip, 1, 9, 6},
    {Codec::kBrotli, 0, 11, 5}, {Codec::kLz4, 1, 12, 1},   {Codec::kNone, 0, 0, 0},
};
// As the library has it.
constexpr int64_t kMaxPageBytes = int64_t{16} << 20;

Status Refuse(const std::string& message) { return MakeError(ErrorKind::kInvalid, message); }

// "a, b or c".
std::string Alternatives(const std::vector<std::string>& words) {
  std::string text;
  for (size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " or " : ", ";
    text += words[i];
  }
  return text;
}

// The one of `values` whose name is `text`; none where that is empty.
template <typename Value>
Status ParseWord(const std::string& option, const std::string& text, std::string (*name_of)(Value),
                 std::initializer_list<Value> values, Value* out) {
  if (text.empty()) return Status::OK();
  std::vector<std::string> names;
  for (const Value value : values) {
    names.push_back(name_of(value));
    if (names.back() != text) continue;
    *out = value;
    return Status::OK();
  }
  return Refuse(option + " " + text + ": must be " + Alternatives(names));
}

}  // namespace

void ParquetFlags::AddTo(CLI::App* command) {
  const auto AddOption = [&](const char* name, std::string* value, const char* type, const char* help) {
    command->add_option(name, *value, help)->type_name(type)->group(kFileGroup);
  };
  const auto AddFlag = [&](const char* name, bool* value, const char* help) {
    command->add_flag(name, *value, help)->group(kFileGroup);
  };
  AddOption("--row-group-bytes", &row_group_bytes_, "SIZE", "end a row group at this many bytes in memory (128MiB)");
  AddOption("--row-group-rows", &row_group_rows_, "N", "... or after this many rows (no limit)");
  AddOption("--codec", &codec_, "zstd|snappy|gzip|brotli|lz4|none", "(zstd)");
  AddOption("--level", &level_, "N", "level of the codec: zstd 1-22 (1), gzip 1-9 (6), brotli 0-11 (5), lz4 1-12 (1)");
  AddFlag("--no-statistics", &no_statistics_, "write no min, max and null counts, and no page index");
  AddFlag("--no-page-index", &no_page_index_, "write no column and offset indexes");
  command->add_option("--metadata", metadata_, "key-value metadata of the file; may be given often")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false)
      ->group(kFileGroup);
  AddFormat(command);
  AddColumns(command);
}

void ParquetFlags::AddFormat(CLI::App* command) {
  const auto AddOption = [&](const char* name, std::string* value, const char* type, const char* help) {
    command->add_option(name, *value, help)->type_name(type)->group(kEncodingGroup);
  };
  AddOption("--adaptive", &adaptive_, "on|off",
            "choose encoding and codec of each column chunk by its values; off: always the codec, and dictionaries "
            "that give way to plain (on)");
  AddOption("--encodings", &encodings_, "portable|spark|all",
            "encodings to choose from: portable, which every reader knows, spark, or all (portable)");
  AddOption("--dictionary", &dictionary_, "on|off", "dictionary encoding may be used (on)");
  AddOption("--page-bytes", &page_bytes_, "SIZE", "close a page once its values reach this (1MiB)");
  AddOption("--parquet-version", &parquet_version_, "1.0|2.4|2.6", "the newest types that its readers know (2.6)");
  AddOption("--data-page-version", &data_page_version_, "1|2", "layout of data pages (1)");
  AddOption("--text-not-utf8", &text_not_utf8_, "refuse|binary",
            "text that is not UTF-8: refuse, or binary, which writes all text columns as bytes (refuse)");
}

void ParquetFlags::AddColumns(CLI::App* command) {
  const auto AddList = [&](const char* name, std::vector<std::string>* values, const char* type, const char* help) {
    command->add_option(name, *values, help)->type_name(type)->allow_extra_args(false)->group(kEncodingGroup);
  };
  AddList("--column-dictionary", &dictionary_columns_, "COLUMN=on|off",
          "instead of --dictionary; a COLUMN is named as inspect shows it: id, tags.list.element; may be given often");
  AddList(
      "--bloom-filter", &bloom_filters_, "COLUMN[=DISTINCT[,RATE]]",
      "a filter for DISTINCT values in a row group (1000000), which takes the share RATE of absent ones for present "
      "(0.05); may be given often");
  AddList(
      "--sorting-column", &sorting_columns_, "COLUMN[=WORD,...]",
      "tell readers that each row group is sorted by it, which is not checked: ascending or descending, nulls-first "
      "or nulls-last (ascending, nulls-last); often, in order");
}

Status ParquetFlags::ParseCodec(ParquetOptions* parquet) const {
  std::vector<std::string> names;
  for (const CodecRow& row : kCodecs) {
    names.push_back(CodecName(row.codec));
    if (names.back() != codec_) continue;
    parquet->codec = row.codec;
    parquet->codec_level = static_cast<int>(row.default_level);
    if (level_.empty()) return Status::OK();
    if (row.min_level == row.max_level) return Refuse("--level " + level_ + ": the codec " + codec_ + " has no levels");
    ARROW_ASSIGN_OR_RAISE(const int64_t level, ParseCount("--level", level_, row.min_level, row.max_level));
    parquet->codec_level = static_cast<int>(level);
    return Status::OK();
  }
  return Refuse("--codec " + codec_ + ": must be " + Alternatives(names));
}

Status ParquetFlags::ParseRowGroups(ParquetOptions* parquet) const {
  if (!row_group_bytes_.empty()) {
    ARROW_ASSIGN_OR_RAISE(parquet->row_group_bytes, ParseSize("--row-group-bytes", row_group_bytes_));
  }
  if (!row_group_rows_.empty()) {
    ARROW_ASSIGN_OR_RAISE(parquet->row_group_rows,
                          ParseCount("--row-group-rows", row_group_rows_, 1, std::numeric_limits<int64_t>::max()));
  }
  return Status::OK();
}

Status ParquetFlags::ParseEncodings(ParquetOptions* parquet) const {
  ARROW_ASSIGN_OR_RAISE(parquet->adaptive, ParseOnOff("--adaptive", adaptive_));
  ARROW_RETURN_NOT_OK(ParseWord("--encodings", encodings_, &EncodingsName,
                                {Encodings::kPortable, Encodings::kSpark, Encodings::kAll}, &parquet->encodings));
  if (!encodings_.empty() && !parquet->adaptive) {
    return Refuse("--encodings " + encodings_ + ": means nothing with --adaptive off, which chooses none");
  }
  ARROW_ASSIGN_OR_RAISE(parquet->dictionary, ParseOnOff("--dictionary", dictionary_));
  ARROW_RETURN_NOT_OK(AddDictionaries("--column-dictionary", dictionary_columns_, &parquet->columns));
  return AddBloomFilters("--bloom-filter", bloom_filters_, &parquet->columns);
}

Status ParquetFlags::ParseFormat(ParquetOptions* parquet) const {
  if (!page_bytes_.empty()) {
    ARROW_ASSIGN_OR_RAISE(parquet->page_bytes, ParseSize("--page-bytes", page_bytes_));
    if (parquet->page_bytes > kMaxPageBytes) return Refuse("--page-bytes " + page_bytes_ + ": must be at most 16MiB");
  }
  ARROW_RETURN_NOT_OK(ParseWord("--parquet-version", parquet_version_, &ParquetVersionName,
                                {ParquetVersion::k1_0, ParquetVersion::k2_4, ParquetVersion::k2_6}, &parquet->version));
  ARROW_RETURN_NOT_OK(ParseWord("--data-page-version", data_page_version_, &DataPageVersionName,
                                {DataPageVersion::kV1, DataPageVersion::kV2}, &parquet->data_page_version));
  return ParseWord("--text-not-utf8", text_not_utf8_, &TextNotUtf8Name, {TextNotUtf8::kRefuse, TextNotUtf8::kBinary},
                   &parquet->text_not_utf8);
}

arrow::Result<ParquetOptions> ParquetFlags::Parse() const {
  ParquetOptions parquet;
  ARROW_RETURN_NOT_OK(ParseCodec(&parquet));
  ARROW_RETURN_NOT_OK(ParseRowGroups(&parquet));
  ARROW_RETURN_NOT_OK(ParseEncodings(&parquet));
  ARROW_RETURN_NOT_OK(ParseFormat(&parquet));
  ARROW_ASSIGN_OR_RAISE(parquet.sorting_columns, ParseSortingColumns("--sorting-column", sorting_columns_));
  parquet.statistics = !no_statistics_;
  parquet.page_index = !no_page_index_ && !no_statistics_;
  ARROW_ASSIGN_OR_RAISE(parquet.key_value_metadata, ParseKeyValues("--metadata", metadata_));
  return parquet;
}

}  // namespace tailrace::cli
