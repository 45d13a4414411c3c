#include "encode/footer_template.h"

#include <arrow/io/memory.h>
#include <arrow/memory_pool.h>
#include <arrow/type.h>
#include <arrow/util/base64.h>
#include <parquet/arrow/writer.h>

#include "encode/encoder_properties.h"
#include "encode/parquet_file.h"
#include "encode/prepared_schema.h"
#include "encode/thrift_compact.h"

namespace tailrace {
namespace {

// The footer of a file without rows.
Result<std::string> EmptyFileFooter(const arrow::Schema& encoded,
                                    const std::shared_ptr<parquet::WriterProperties>& properties) {
  return CatchEncoder([&]() -> Result<std::string> {
    ARROW_ASSIGN_OR_RAISE(auto sink, arrow::io::BufferOutputStream::Create());
    ARROW_ASSIGN_OR_RAISE(auto writer,
                          parquet::arrow::FileWriter::Open(encoded, arrow::default_memory_pool(), sink, properties));
    ARROW_RETURN_NOT_OK(writer->Close());
    ARROW_ASSIGN_OR_RAISE(auto file, sink->Finish());
    const std::string_view bytes(*file);
    ARROW_ASSIGN_OR_RAISE(const int64_t length, FooterLength(bytes, file->size()));
    return std::string(bytes.substr(bytes.size() - kFileTrailerBytes - length, length));
  });
}

// EncodedSchema refuses what is known to fail. Should libparquet refuse more, the column is found by trying each alone.
Status ExplainRefusal(const arrow::Schema& encoded, const std::shared_ptr<parquet::WriterProperties>& properties,
                      const Status& refusal) {
  for (const auto& field : encoded.fields()) {
    auto alone = EmptyFileFooter(*arrow::schema({field}), properties);
    if (!alone.ok()) {
      return MakeError(ErrorKind::kInvalid, "column " + field->name() + " of type " + field->type()->ToString() +
                                                " cannot be written to Parquet: " + alone.status().message());
    }
  }
  return refusal;
}

Status BadTemplate(const std::string& what) {
  return MakeError(ErrorKind::kBadState, "content.footer_template: " + what);
}

}  // namespace

Result<std::string> MakeFooterTemplate(const arrow::Schema& encoded, std::string_view schema_ipc, KeyValues metadata,
                                       const ParquetOptions& options) {
  ARROW_ASSIGN_OR_RAISE(auto properties, MakeWriterProperties(options, {}, {}, arrow::default_memory_pool()));
  auto footer = EmptyFileFooter(encoded, properties);
  if (!footer.ok()) return ExplainRefusal(encoded, properties, footer.status());
  ARROW_ASSIGN_OR_RAISE(ThriftStruct tree, DecodeThrift(*footer));
  metadata.emplace_back(kArrowSchemaKey, arrow::util::base64_encode(schema_ipc));
  AppendKeyValues(metadata, &tree);
  return EncodeThrift(tree);
}

Result<std::string> WithCarriedId(std::string_view footer_template, uint64_t id) {
  auto tree = DecodeThrift(footer_template);
  if (!tree.ok()) return BadTemplate(tree.status().message());
  AppendKeyValues({{kCarriedKey, HexOf(id)}}, &*tree);
  return EncodeThrift(*tree);
}

Result<std::string> SchemaOfTemplate(std::string_view footer_template) {
  auto tree = DecodeThrift(footer_template);
  if (!tree.ok()) return BadTemplate(tree.status().message());
  return arrow::util::base64_decode(FindKeyValue(ReadKeyValues(*tree), kArrowSchemaKey));
}

std::string EncoderVersion() { return parquet::default_writer_properties()->created_by(); }

}  // namespace tailrace
