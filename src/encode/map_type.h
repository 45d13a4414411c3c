// Types with other types in the place of some of theirs.
#pragma once

#include <functional>
#include <memory>

#include <arrow/type_fwd.h>

namespace tailrace {

// Called for a type before its children; nullptr: it stays, and its children are asked.
using ReplaceType = std::function<std::shared_ptr<arrow::DataType>(const std::shared_ptr<arrow::DataType>&)>;

// The same object where nothing changes. Names, metadata and nullability stay, what extension types store too.
std::shared_ptr<arrow::DataType> MapType(const std::shared_ptr<arrow::DataType>& type, const ReplaceType& replace);
std::shared_ptr<arrow::Schema> MapTypes(const arrow::Schema& schema, const ReplaceType& replace);

}  // namespace tailrace
