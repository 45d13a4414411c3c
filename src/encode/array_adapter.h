// Checks an array's values and makes it what the encoder takes.
#pragma once

#include <memory>

#include <arrow/result.h>
#include <arrow/type_fwd.h>

#include "encode/validity.h"

namespace tailrace {

// `data` as an array of the field `to` of PreparedSchema::encoded, sharing memory wherever nothing has to change. Only
// the slots of `live` count: others become null, and nothing is asked of them. REQUIRES: the type fits (type_fit.h).
// Fails with a Misfit.
Result<std::shared_ptr<arrow::ArrayData>> AdaptArray(const std::shared_ptr<arrow::ArrayData>& data,
                                                     const arrow::Field& to, const Validity& live);

}  // namespace tailrace
