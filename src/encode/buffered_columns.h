// Columns of any kind, by a libparquet writer that keeps the pages of each in a buffer until the row group ends.
#pragma once

#include <memory>

#include "encode/columns_writer.h"
#include "encode/encoder_properties.h"

namespace tailrace {

Result<std::unique_ptr<ColumnsWriter>> MakeBufferedColumns(const ColumnRun& columns,
                                                           std::shared_ptr<parquet::WriterProperties> properties,
                                                           arrow::MemoryPool* pool);

}  // namespace tailrace
