// Which types a version of Parquet has.
#pragma once

#include <arrow/type_fwd.h>

#include "tailrace/error.h"
#include "tailrace/options.h"

namespace tailrace {

// kInvalid naming the first column, also nested, whose values `version` could only hold as others. `encoded` is of
// encoded_type.h.
Status CheckVersionHolds(const arrow::Schema& encoded, ParquetVersion version);

}  // namespace tailrace
