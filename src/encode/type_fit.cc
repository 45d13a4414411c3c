#include "encode/type_fit.h"

#include <algorithm>

#include <arrow/extension_type.h>
#include <arrow/type.h>
#include <arrow/util/checked_cast.h>

#include "encode/encoded_type.h"
#include "encode/utf8.h"

namespace tailrace {
namespace {

std::string Join(const std::string& path, const std::string& name) {
  return Printable(path.empty() ? name : path + "." + name);
}

bool HasName(const arrow::FieldVector& fields, const std::string& name) {
  return std::any_of(fields.begin(), fields.end(), [&](const auto& field) { return field->name() == name; });
}

Status OtherType(const arrow::DataType& from, const arrow::DataType& to, const std::string& path) {
  return MakeError(ErrorKind::kInvalid, "column " + Printable(path) + ": the batch has " + from.ToString() +
                                            ", the file has " + to.ToString());
}

const arrow::DataType& StorageOf(const arrow::DataType& type) {
  if (type.id() != arrow::Type::EXTENSION) return type;
  return *arrow::internal::checked_cast<const arrow::ExtensionType&>(type).storage_type();
}

bool SameListKind(const arrow::DataType& from, const arrow::DataType& to) {
  switch (to.id()) {
    case arrow::Type::LIST:
      return from.id() == arrow::Type::LIST || from.id() == arrow::Type::LIST_VIEW;
    case arrow::Type::LARGE_LIST:
      return from.id() == arrow::Type::LARGE_LIST || from.id() == arrow::Type::LARGE_LIST_VIEW;
    case arrow::Type::FIXED_SIZE_LIST:
      return from.id() == to.id() && arrow::internal::checked_cast<const arrow::FixedSizeListType&>(from).list_size() ==
                                         arrow::internal::checked_cast<const arrow::FixedSizeListType&>(to).list_size();
    default:
      return false;
  }
}

Status CheckTypeFits(const arrow::DataType& given, const arrow::DataType& wanted, const std::string& path) {
  const bool both_extended = given.id() == arrow::Type::EXTENSION && wanted.id() == arrow::Type::EXTENSION;
  if (both_extended && !given.Equals(wanted)) return OtherType(given, wanted, path);
  // Where the extension is registered on one side only, the other sees the storage.
  const arrow::DataType& from = StorageOf(given);
  const arrow::DataType& to = StorageOf(wanted);
  if (from.id() == arrow::Type::NA) return Status::OK();
  if (from.id() == arrow::Type::DICTIONARY) {
    return CheckTypeFits(*arrow::internal::checked_cast<const arrow::DictionaryType&>(from).value_type(), wanted, path);
  }
  // Text is bytes, but bytes need not be text.
  if ((IsTextKind(from) && IsTextKind(to)) || (IsBytesKind(to) && (IsBytesKind(from) || IsTextKind(from)))) {
    return Status::OK();
  }
  if (SameListKind(from, to)) {
    return CheckTypeFits(*from.field(0)->type(), *to.field(0)->type(), ChildPath(path, to, 0));
  }
  if (from.id() == arrow::Type::MAP && to.id() == arrow::Type::MAP) {
    // The names inside of a map differ between producers and mean nothing.
    for (int i = 0; i < 2; ++i) {
      const auto& entries = *to.field(0)->type();
      ARROW_RETURN_NOT_OK(CheckTypeFits(*from.field(0)->type()->field(i)->type(), *entries.field(i)->type(),
                                        ChildPath(path, entries, i)));
    }
    return Status::OK();
  }
  if (from.id() == arrow::Type::STRUCT && to.id() == arrow::Type::STRUCT) {
    return CheckFieldsFit(from.fields(), to.fields(), path);
  }
  return from.Equals(to) ? Status::OK() : OtherType(given, wanted, path);
}

}  // namespace

Status CheckFieldsFit(const arrow::FieldVector& from, const arrow::FieldVector& to, const std::string& path) {
  for (size_t i = 0; i < std::max(from.size(), to.size()); ++i) {
    if (i < to.size() && i < from.size() && from[i]->name() == to[i]->name()) {
      ARROW_RETURN_NOT_OK(
          CheckTypeFits(*from[i]->type(), *to[i]->type(), path.empty() ? to[i]->name() : path + "." + to[i]->name()));
      continue;
    }
    if (i < to.size() && !HasName(from, to[i]->name())) {
      return MakeError(ErrorKind::kInvalid, "column " + Join(path, to[i]->name()) + " is missing in the batch");
    }
    const std::string& extra = i < from.size() ? from[i]->name() : to[i]->name();
    if (i < from.size() && !HasName(to, extra)) {
      return MakeError(ErrorKind::kInvalid, "column " + Join(path, extra) + " of the batch does not exist in the file");
    }
    return MakeError(ErrorKind::kInvalid, "column " + Join(path, extra) + " is at another position in the batch (" +
                                              std::to_string(i) + ") than in the file");
  }
  return Status::OK();
}

}  // namespace tailrace
