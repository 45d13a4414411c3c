#include "encode/prepared_schema.h"

#include <set>
#include <utility>

#include <arrow/buffer.h>
#include <arrow/io/memory.h>
#include <arrow/ipc/dictionary.h>
#include <arrow/ipc/reader.h>
#include <arrow/ipc/writer.h>
#include <arrow/type.h>
#include <arrow/util/key_value_metadata.h>

#include "encode/column_properties.h"
#include "encode/encoded_type.h"
#include "encode/footer_template.h"
#include "encode/utf8.h"
#include "encode/version_fit.h"

namespace tailrace {
namespace {

bool IsReserved(const std::string& key) { return key.starts_with("tailrace.") || key.starts_with("ARROW:"); }

// A schema read from another Parquet file brings along what that file said about itself.
std::shared_ptr<arrow::Schema> WithoutReserved(const std::shared_ptr<arrow::Schema>& schema) {
  if (schema->metadata() == nullptr) return schema;
  auto kept = std::make_shared<arrow::KeyValueMetadata>();
  for (int64_t i = 0; i < schema->metadata()->size(); ++i) {
    if (!IsReserved(schema->metadata()->key(i))) kept->Append(schema->metadata()->key(i), schema->metadata()->value(i));
  }
  return schema->WithMetadata(kept->size() == 0 ? nullptr : kept);
}

Result<KeyValues> UserMetadata(const arrow::Schema& schema, const ParquetOptions& options) {
  KeyValues all;
  if (schema.metadata() != nullptr) {
    for (int64_t i = 0; i < schema.metadata()->size(); ++i) {
      all.emplace_back(schema.metadata()->key(i), schema.metadata()->value(i));
    }
  }
  for (const auto& [key, value] : options.key_value_metadata) {
    if (IsReserved(key)) {
      return MakeError(ErrorKind::kInvalid, "key_value_metadata: " + Printable(key) +
                                                " is reserved, as all that begins with \"tailrace.\" or \"ARROW:\"");
    }
    all.emplace_back(key, value);
  }
  std::set<std::string_view> keys;
  for (const auto& [key, value] : all) {
    if (!IsUtf8(key) || !IsUtf8(value)) {
      return MakeError(ErrorKind::kInvalid, "the metadata entry " + Printable(key) + " is not UTF-8");
    }
    if (!keys.insert(key).second) {
      return MakeError(ErrorKind::kInvalid, "the metadata key " + key + " is given twice");
    }
  }
  return all;
}

Status BadState(const Status& status) { return MakeError(ErrorKind::kBadState, "content.schema: " + status.message()); }

Result<std::shared_ptr<arrow::Schema>> ReadSchemaMessage(const std::string& message) {
  arrow::io::BufferReader reader(std::make_shared<arrow::Buffer>(std::string_view(message)));
  arrow::ipc::DictionaryMemo memo;
  return arrow::ipc::ReadSchema(&reader, &memo);
}

// Compared as schemas, not as bytes, which another version of Arrow may lay out otherwise. Where nothing had to be
// written otherwise, both were the same bytes from the start.
bool IsWrittenSchemaOf(const arrow::Schema& input, const std::string& message) {
  const auto expected = WrittenSchema(input);
  if (expected->Equals(input, /*check_metadata=*/true)) return false;
  const auto written = ReadSchemaMessage(message);
  return written.ok() && (*written)->Equals(*expected, /*check_metadata=*/true);
}

}  // namespace

Result<PreparedSchema> PrepareSchema(const std::shared_ptr<arrow::Schema>& schema, const ParquetOptions& options) {
  PreparedSchema prepared;
  prepared.input = WithoutReserved(schema);
  if (options.text_not_utf8 == TextNotUtf8::kBinary) prepared.input = TextAsBytes(*prepared.input);
  ARROW_ASSIGN_OR_RAISE(prepared.encoded, EncodedSchema(*prepared.input));
  ARROW_RETURN_NOT_OK(CheckVersionHolds(*prepared.encoded, options.version));
  ARROW_ASSIGN_OR_RAISE(KeyValues metadata, UserMetadata(*prepared.input, options));
  ARROW_ASSIGN_OR_RAISE(auto message, arrow::ipc::SerializeSchema(*prepared.input));
  prepared.schema_ipc = message->ToString();
  ARROW_ASSIGN_OR_RAISE(auto written, arrow::ipc::SerializeSchema(*WrittenSchema(*prepared.input)));
  ARROW_ASSIGN_OR_RAISE(prepared.footer_template,
                        MakeFooterTemplate(*prepared.encoded, written->ToString(), std::move(metadata), options));
  ARROW_ASSIGN_OR_RAISE(prepared.leaves, FindLeafColumns(prepared.footer_template));
  ARROW_RETURN_NOT_OK(CheckColumnOptions(options, prepared.leaves));
  return prepared;
}

Result<PreparedSchema> RestoreSchema(const ParquetContent& content) {
  PreparedSchema prepared;
  auto input = ReadSchemaMessage(content.schema);
  if (!input.ok()) return BadState(input.status());
  prepared.input = *input;
  auto encoded = EncodedSchema(*prepared.input);
  if (!encoded.ok()) return BadState(encoded.status());
  prepared.encoded = *encoded;
  ARROW_ASSIGN_OR_RAISE(const std::string message, SchemaOfTemplate(content.footer_template));
  if (message != content.schema && !IsWrittenSchemaOf(*prepared.input, message)) {
    return MakeError(ErrorKind::kBadState, "content.footer_template: is not of content.schema");
  }
  prepared.schema_ipc = content.schema;
  prepared.footer_template = content.footer_template;
  ARROW_ASSIGN_OR_RAISE(prepared.leaves, FindLeafColumns(content.footer_template));
  return prepared;
}

}  // namespace tailrace
