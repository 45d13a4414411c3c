// Values that their type allows in memory, but that Parquet would store as others.
#pragma once

#include <arrow/type_fwd.h>

#include "encode/validity.h"
#include "tailrace/error.h"

namespace tailrace {

// That decimals have no more digits than their type, and that times in seconds, which Parquet keeps in milliseconds,
// fit. `storage`: the type, without extension. Fails with a Misfit.
Status CheckValueRange(const arrow::ArrayData& data, const arrow::DataType& storage, const Validity& valid);

}  // namespace tailrace
