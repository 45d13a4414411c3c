#include "encode/encoded_type.h"

#include <set>
#include <utility>
#include <vector>

#include <arrow/extension_type.h>
#include <arrow/type.h>
#include <arrow/type_traits.h>
#include <arrow/util/key_value_metadata.h>

#include "encode/map_type.h"
#include "encode/utf8.h"

namespace tailrace {
namespace {

// Arrow's reader refuses Parquet schemas of more than 100 levels unless told otherwise, and a list takes two.
constexpr int kMaxTypeDepth = 48;

Status Refuse(const std::string& path, const arrow::DataType& type, const std::string& why) {
  return MakeError(ErrorKind::kInvalid, "column " + path + " of type " + type.ToString() + ": " + why);
}

// What a dictionary of other than text and bytes becomes for readers; nullptr for other types.
std::shared_ptr<arrow::DataType> WrittenInstead(const std::shared_ptr<arrow::DataType>& type) {
  if (type->id() != arrow::Type::DICTIONARY) return nullptr;
  const auto& value = arrow::internal::checked_cast<const arrow::DictionaryType&>(*type).value_type();
  return arrow::is_base_binary_like(value->id()) ? type : MapType(value, WrittenInstead);
}

// As what Arrow's reader restores a dictionary; nullptr for other types.
std::shared_ptr<arrow::DataType> ReadInstead(const std::shared_ptr<arrow::DataType>& type) {
  if (type->id() != arrow::Type::DICTIONARY) return nullptr;
  const auto& value = arrow::internal::checked_cast<const arrow::DictionaryType&>(*type).value_type();
  // Large ones come back with small offsets.
  const bool same = value->id() == arrow::Type::STRING || value->id() == arrow::Type::BINARY;
  return same ? type : value;
}

Result<std::shared_ptr<arrow::Field>> EncodedField(const std::shared_ptr<arrow::Field>& field, const std::string& path,
                                                   int depth);
Result<std::shared_ptr<arrow::DataType>> EncodedType(const std::shared_ptr<arrow::DataType>& type,
                                                     const std::string& path, int depth);

Result<std::vector<std::shared_ptr<arrow::Field>>> EncodedChildren(const arrow::DataType& type, const std::string& path,
                                                                   int depth) {
  std::vector<std::shared_ptr<arrow::Field>> children;
  for (int i = 0; i < type.num_fields(); ++i) {
    ARROW_ASSIGN_OR_RAISE(auto child, EncodedField(type.field(i), ChildPath(path, type, i), depth + 1));
    children.push_back(std::move(child));
  }
  return children;
}

Status CheckDistinct(const std::vector<std::shared_ptr<arrow::Field>>& fields, const std::string& of) {
  std::set<std::string_view> names;
  for (const auto& field : fields) {
    if (!names.insert(field->name()).second) {
      return MakeError(ErrorKind::kInvalid, of + " has two columns named " + field->name());
    }
  }
  return Status::OK();
}

Result<std::shared_ptr<arrow::DataType>> EncodedDictionary(const std::shared_ptr<arrow::DataType>& type,
                                                           const std::string& path, int depth) {
  const auto& value = arrow::internal::checked_cast<const arrow::DictionaryType&>(*type).value_type();
  if (IsTextKind(*value)) return arrow::utf8_view();
  if (IsBytesKind(*value)) return arrow::binary_view();
  return EncodedType(value, path, depth + 1);
}

Result<std::shared_ptr<arrow::DataType>> EncodedNested(const std::shared_ptr<arrow::DataType>& type,
                                                       const std::string& path, int depth) {
  if (type->num_fields() == 0) return Refuse(path, *type, "Parquet has no struct without fields");
  ARROW_ASSIGN_OR_RAISE(auto children, EncodedChildren(*type, path, depth));
  switch (type->id()) {
    case arrow::Type::STRUCT:
      ARROW_RETURN_NOT_OK(CheckDistinct(children, "struct " + path));
      return arrow::struct_(std::move(children));
    case arrow::Type::LIST:
    case arrow::Type::LIST_VIEW:
      return arrow::list(children[0]);
    case arrow::Type::LARGE_LIST:
    case arrow::Type::LARGE_LIST_VIEW:
      return arrow::large_list(children[0]);
    case arrow::Type::FIXED_SIZE_LIST: {
      const int32_t size = arrow::internal::checked_cast<const arrow::FixedSizeListType&>(*type).list_size();
      // libparquet writes them, but cannot read them back.
      if (size == 0) return Refuse(path, *type, "lists of the fixed size 0 cannot be read back from Parquet");
      return arrow::fixed_size_list(children[0], size);
    }
    default: {
      const auto& map = arrow::internal::checked_cast<const arrow::MapType&>(*type);
      return std::make_shared<arrow::MapType>(children[0], map.keys_sorted());
    }
  }
}

Result<std::shared_ptr<arrow::DataType>> EncodedExtension(const std::shared_ptr<arrow::DataType>& type,
                                                          const std::string& path, int depth) {
  const auto& storage = arrow::internal::checked_cast<const arrow::ExtensionType&>(*type).storage_type();
  ARROW_ASSIGN_OR_RAISE(auto encoded, EncodedType(storage, path, depth + 1));
  // Readers put the extension around the storage that they restored, which must be the very same.
  if (MapType(storage, ReadInstead) != storage) {
    return Refuse(path, *type,
                  "an extension type over dictionaries of other than string and binary cannot be read back");
  }
  return encoded->Equals(*storage) ? type : encoded;
}

Status CheckDecimal(const std::shared_ptr<arrow::DataType>& type, const std::string& path) {
  const auto& decimal = arrow::internal::checked_cast<const arrow::DecimalType&>(*type);
  if (decimal.scale() >= 0 && decimal.scale() <= decimal.precision()) return Status::OK();
  return Refuse(path, *type, "Parquet needs a scale from 0 to the precision");
}

Result<std::shared_ptr<arrow::DataType>> EncodedType(const std::shared_ptr<arrow::DataType>& type,
                                                     const std::string& path, int depth) {
  if (depth > kMaxTypeDepth) {
    return MakeError(ErrorKind::kInvalid,
                     "column " + path + " is nested more than " + std::to_string(kMaxTypeDepth) + " levels deep");
  }
  switch (type->id()) {
    case arrow::Type::DICTIONARY:
      return EncodedDictionary(type, path, depth);
    case arrow::Type::STRUCT:
    case arrow::Type::LIST:
    case arrow::Type::LARGE_LIST:
    case arrow::Type::LIST_VIEW:
    case arrow::Type::LARGE_LIST_VIEW:
    case arrow::Type::FIXED_SIZE_LIST:
    case arrow::Type::MAP:
      return EncodedNested(type, path, depth);
    case arrow::Type::EXTENSION:
      return EncodedExtension(type, path, depth);
    case arrow::Type::DECIMAL32:
    case arrow::Type::DECIMAL64:
    case arrow::Type::DECIMAL128:
    case arrow::Type::DECIMAL256:
      ARROW_RETURN_NOT_OK(CheckDecimal(type, path));
      return type;
    case arrow::Type::FIXED_SIZE_BINARY:
      if (type->byte_width() > 0) return type;
      return Refuse(path, *type, "Parquet has no fixed-size values of 0 bytes");
    case arrow::Type::DATE64:
      return Refuse(path, *type, "it would come back as date32; cast it to date32, or to timestamp[ms] to keep times");
    default:
      break;
  }
  if (arrow::is_primitive(type->id()) && !arrow::is_interval(type->id())) return type;
  if (type->id() == arrow::Type::NA || IsTextKind(*type) || IsBytesKind(*type)) return type;
  return Refuse(path, *type, "Parquet cannot hold this type");
}

Status CheckMetadata(const arrow::Field& field, const std::string& path) {
  if (field.metadata() == nullptr) return Status::OK();
  for (int64_t i = 0; i < field.metadata()->size(); ++i) {
    if (!IsUtf8(field.metadata()->key(i)) || !IsUtf8(field.metadata()->value(i))) {
      return MakeError(ErrorKind::kInvalid, "column " + path + ": its metadata entry " +
                                                Printable(field.metadata()->key(i)) + " is not UTF-8");
    }
  }
  return Status::OK();
}

Result<std::shared_ptr<arrow::Field>> EncodedField(const std::shared_ptr<arrow::Field>& field, const std::string& path,
                                                   int depth) {
  if (!IsUtf8(field->name())) {
    return MakeError(ErrorKind::kInvalid, "the column name " + Printable(path) + " is not UTF-8");
  }
  ARROW_RETURN_NOT_OK(CheckMetadata(*field, path));
  ARROW_ASSIGN_OR_RAISE(auto type, EncodedType(field->type(), path, depth));
  return field->WithType(std::move(type));
}

std::shared_ptr<arrow::DataType> BytesInstead(const std::shared_ptr<arrow::DataType>& type) {
  switch (type->id()) {
    case arrow::Type::STRING:
      return arrow::binary();
    case arrow::Type::LARGE_STRING:
      return arrow::large_binary();
    case arrow::Type::STRING_VIEW:
      return arrow::binary_view();
    case arrow::Type::DICTIONARY: {
      const auto& dictionary = arrow::internal::checked_cast<const arrow::DictionaryType&>(*type);
      auto values = MapType(dictionary.value_type(), BytesInstead);
      if (values == dictionary.value_type()) return type;
      return arrow::dictionary(dictionary.index_type(), std::move(values), dictionary.ordered());
    }
    default:
      return nullptr;
  }
}

}  // namespace

std::string ChildPath(const std::string& path, const arrow::DataType& parent, int child) {
  switch (parent.id()) {
    case arrow::Type::LIST:
    case arrow::Type::LARGE_LIST:
    case arrow::Type::LIST_VIEW:
    case arrow::Type::LARGE_LIST_VIEW:
    case arrow::Type::FIXED_SIZE_LIST:
      return path + ".element";
    case arrow::Type::MAP:
      return path;  // its entries are a struct of key and value
    default:
      return path + "." + parent.field(child)->name();
  }
}

Result<std::shared_ptr<arrow::Schema>> EncodedSchema(const arrow::Schema& schema) {
  if (schema.num_fields() == 0) return MakeError(ErrorKind::kInvalid, "a schema without columns cannot be written");
  std::vector<std::shared_ptr<arrow::Field>> fields;
  for (const auto& field : schema.fields()) {
    ARROW_ASSIGN_OR_RAISE(auto encoded, EncodedField(field, field->name(), 0));
    fields.push_back(std::move(encoded));
  }
  ARROW_RETURN_NOT_OK(CheckDistinct(fields, "the schema"));
  return arrow::schema(std::move(fields));
}

std::shared_ptr<arrow::Schema> WrittenSchema(const arrow::Schema& schema) { return MapTypes(schema, WrittenInstead); }

std::shared_ptr<arrow::Schema> TextAsBytes(const arrow::Schema& schema) { return MapTypes(schema, BytesInstead); }

bool IsTextKind(const arrow::DataType& type) {
  return type.id() == arrow::Type::STRING || type.id() == arrow::Type::LARGE_STRING ||
         type.id() == arrow::Type::STRING_VIEW;
}
bool IsBytesKind(const arrow::DataType& type) {
  return type.id() == arrow::Type::BINARY || type.id() == arrow::Type::LARGE_BINARY ||
         type.id() == arrow::Type::BINARY_VIEW;
}

}  // namespace tailrace
