// Dictionary arrays as the values that they stand for.
#pragma once

#include <functional>
#include <memory>

#include <arrow/result.h>
#include <arrow/type_fwd.h>

#include "encode/validity.h"

namespace tailrace {

// Text and bytes as views that share the dictionary's memory, other types in the layout of the dictionary. Slots that
// are not of `live`, and nulls of the dictionary, become null. Fails with a Misfit where an index is outside of the
// dictionary, or a text is not UTF-8. REQUIRES: a dictionary of plain values.
Result<std::shared_ptr<arrow::ArrayData>> DecodeDictionary(const arrow::ArrayData& data, const Validity& live);

// The same for dictionaries of any values: `adapt` makes the dictionary what an encoder takes, asked for the values
// alone that are used. What comes back has a type as GatherValues makes it.
using AdaptValues = std::function<Result<std::shared_ptr<arrow::ArrayData>>(
    const std::shared_ptr<arrow::ArrayData>& values, const Validity& used)>;
Result<std::shared_ptr<arrow::ArrayData>> DecodeDictionary(const arrow::ArrayData& data, const Validity& live,
                                                           const AdaptValues& adapt);

// Neither nested nor themselves encoded: no adapting is needed.
bool HasPlainValues(const arrow::DictionaryType& type);

}  // namespace tailrace
