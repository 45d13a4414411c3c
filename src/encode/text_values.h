// Strings and bytes in their three layouts: checked, and changed from one into another.
#pragma once

#include <memory>

#include <arrow/result.h>
#include <arrow/type_fwd.h>

#include "encode/validity.h"
#include "tailrace/error.h"

namespace tailrace {

// That the slots of `data`, a text or bytes kind, lie inside its buffers and, with `utf8`, that those of `valid` are
// UTF-8. Fails with a Misfit.
Status CheckTextValues(const arrow::ArrayData& data, const Validity& valid, bool utf8);

// The same values with the layout of `type`; slots that are not of `valid` become empty. REQUIRES: checked. Fails with
// a Misfit of kind kLimit where all values together do not fit into 32-bit offsets.
Result<std::shared_ptr<arrow::ArrayData>> ConvertTextValues(const arrow::ArrayData& data, const Validity& valid,
                                                            const std::shared_ptr<arrow::DataType>& type);

}  // namespace tailrace
