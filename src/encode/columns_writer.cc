#include "encode/columns_writer.h"

#include <utility>

#include <arrow/extension_type.h>
#include <arrow/type.h>
#include <arrow/type_traits.h>

#include "encode/buffered_columns.h"
#include "encode/encoder_properties.h"
#include "encode/flat_column.h"

namespace tailrace {

bool IsFlat(const arrow::Field& field) {
  const arrow::DataType* type = field.type().get();
  while (type->id() == arrow::Type::EXTENSION) {
    type = static_cast<const arrow::ExtensionType&>(*type).storage_type().get();
  }
  return !arrow::is_nested(type->id()) && !arrow::is_dictionary(type->id()) && type->id() != arrow::Type::NA;
}

Result<std::unique_ptr<ColumnsWriter>> ColumnsWriter::Make(const ColumnRun& columns,
                                                           const std::vector<ColumnChoice>& choices,
                                                           const ParquetOptions& options, arrow::MemoryPool* pool) {
  ARROW_ASSIGN_OR_RAISE(auto properties, MakeWriterProperties(options, columns.leaves, choices, pool));
  const bool flat = columns.schema->num_fields() == 1 && IsFlat(*columns.schema->field(0));
  return flat ? MakeFlatColumn(columns, std::move(properties), pool)
              : MakeBufferedColumns(columns, std::move(properties), pool);
}

}  // namespace tailrace
