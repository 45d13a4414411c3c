// One flat column, by a libparquet writer that hands each page on when it is full.
#pragma once

#include <memory>

#include "encode/columns_writer.h"
#include "encode/encoder_properties.h"

namespace tailrace {

// REQUIRES: one field, for which IsFlat holds.
Result<std::unique_ptr<ColumnsWriter>> MakeFlatColumn(const ColumnRun& column,
                                                      std::shared_ptr<parquet::WriterProperties> properties,
                                                      arrow::MemoryPool* pool);

}  // namespace tailrace
