// The leaf columns of a file: those that have column chunks.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <arrow/result.h>

#include "tailrace/error.h"

namespace tailrace {

using arrow::Result;

struct LeafColumn {
  std::string path;        // of names in the Parquet schema, dotted
  int64_t physical_type;   // by its number in parquet.thrift
  int field = 0;           // of the schema, that it is or lies in
  bool ambiguous = false;  // another leaf has the same dotted path, since a name holds a dot
  friend bool operator==(const LeafColumn&, const LeafColumn&) = default;
};

// In the order of their column chunks. kBadState where `footer_template` is none.
Result<std::vector<LeafColumn>> FindLeafColumns(std::string_view footer_template);

}  // namespace tailrace
