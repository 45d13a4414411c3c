// Values of an array by their positions.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <arrow/result.h>
#include <arrow/type_fwd.h>

#include "encode/validity.h"

namespace tailrace {

// Slot i is values[positions[i]] where `live` is set, else null. Types become ones of equal meaning that AdaptArray
// takes: text and bytes are views that share memory, lists and maps large lists, extensions their storage. REQUIRES:
// positions inside of `values` where `live` is set; nested values are adapted (their offsets are not checked again).
// Fails with a Misfit where a text lies outside of the memory of `values`.
Result<std::shared_ptr<arrow::ArrayData>> GatherValues(const arrow::ArrayData& values,
                                                       const std::vector<int64_t>& positions, const Validity& live);

}  // namespace tailrace
