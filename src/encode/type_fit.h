// Whether the columns of a batch can go into a file, by names and types alone.
#pragma once

#include <string>

#include <arrow/type_fwd.h>

#include "tailrace/error.h"

namespace tailrace {

// `from`: of a batch; `to`: of PreparedSchema::encoded. kInvalid naming the first column, also nested, that is missing,
// additional, elsewhere or of another type.
Status CheckFieldsFit(const arrow::FieldVector& from, const arrow::FieldVector& to, const std::string& path);

}  // namespace tailrace
