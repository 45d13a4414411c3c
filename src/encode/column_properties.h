// What libparquet is told about single columns.
#pragma once

#include <string>
#include <vector>

#include <parquet/properties.h>

#include "encode/leaf_columns.h"
#include "tailrace/column_choice.h"
#include "tailrace/options.h"

namespace tailrace {

// kInvalid naming option and column: for a path that no leaf column has, or two; a column that is named twice; a bloom
// filter that cannot be.
Status CheckColumnOptions(const ParquetOptions& options, const std::vector<LeafColumn>& leaves);

// `columns` of the options. REQUIRES: checked.
void AddColumnProperties(const ParquetOptions& options, parquet::WriterProperties::Builder* builder);

void SetEncoding(const std::string& path, ChunkEncoding encoding, parquet::WriterProperties::Builder* builder);

}  // namespace tailrace
