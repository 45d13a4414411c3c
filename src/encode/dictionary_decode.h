// Dictionary arrays as the values that they stand for.
#pragma once

#include <memory>

#include <arrow/result.h>
#include <arrow/type_fwd.h>

#include "encode/validity.h"

namespace tailrace {

// Text and bytes as views that share the dictionary's memory, other types in the layout of the dictionary. Slots that
// are not of `live`, and nulls of the dictionary, become null. Fails with a Misfit where an index is outside of the
// dictionary, or a text is not UTF-8. REQUIRES: a dictionary of plain values.
Result<std::shared_ptr<arrow::ArrayData>> DecodeDictionary(const arrow::ArrayData& data, const Validity& live);

}  // namespace tailrace
