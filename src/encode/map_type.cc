#include "encode/map_type.h"

#include <utility>
#include <vector>

#include <arrow/type.h>
#include <arrow/util/checked_cast.h>

namespace tailrace {
namespace {

using arrow::internal::checked_cast;

std::shared_ptr<arrow::DataType> WithChildren(const std::shared_ptr<arrow::DataType>& type,
                                              arrow::FieldVector children) {
  switch (type->id()) {
    case arrow::Type::STRUCT:
      return arrow::struct_(std::move(children));
    case arrow::Type::LIST:
      return arrow::list(std::move(children[0]));
    case arrow::Type::LARGE_LIST:
      return arrow::large_list(std::move(children[0]));
    case arrow::Type::LIST_VIEW:
      return arrow::list_view(std::move(children[0]));
    case arrow::Type::LARGE_LIST_VIEW:
      return arrow::large_list_view(std::move(children[0]));
    case arrow::Type::FIXED_SIZE_LIST:
      return arrow::fixed_size_list(std::move(children[0]),
                                    checked_cast<const arrow::FixedSizeListType&>(*type).list_size());
    case arrow::Type::MAP:
      // By its entries, whose name and metadata thereby stay.
      return std::make_shared<arrow::MapType>(std::move(children[0]),
                                              checked_cast<const arrow::MapType&>(*type).keys_sorted());
    default:
      return type;
  }
}

}  // namespace

std::shared_ptr<arrow::DataType> MapType(const std::shared_ptr<arrow::DataType>& type, const ReplaceType& replace) {
  if (auto replaced = replace(type)) return replaced;
  arrow::FieldVector children;
  bool changed = false;
  for (const auto& child : type->fields()) {
    auto mapped = MapType(child->type(), replace);
    changed |= mapped != child->type();
    children.push_back(child->WithType(std::move(mapped)));
  }
  return changed ? WithChildren(type, std::move(children)) : type;
}

std::shared_ptr<arrow::Schema> MapTypes(const arrow::Schema& schema, const ReplaceType& replace) {
  arrow::FieldVector fields;
  for (const auto& field : schema.fields()) fields.push_back(field->WithType(MapType(field->type(), replace)));
  return arrow::schema(std::move(fields), schema.metadata());
}

}  // namespace tailrace
