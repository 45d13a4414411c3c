#include "encode/footer_key_values.h"

#include "encode/parquet_fields.h"

namespace tailrace {

KeyValues ReadKeyValues(const ThriftStruct& file_metadata) {
  KeyValues out;
  const ThriftList* entries = file_metadata.FindList(file_metadata::kKeyValueMetadata);
  if (entries == nullptr) return out;
  for (const ThriftValue& value : entries->values) {
    const auto* entry = std::get_if<ThriftStruct>(&value.data);
    const std::string* key = entry == nullptr ? nullptr : entry->FindBinary(key_value::kKey);
    if (key == nullptr) continue;
    const std::string* text = entry->FindBinary(key_value::kValue);
    out.emplace_back(*key, text == nullptr ? std::string() : *text);
  }
  return out;
}

void AppendKeyValues(const KeyValues& entries, ThriftStruct* file_metadata) {
  if (file_metadata->FindList(file_metadata::kKeyValueMetadata) == nullptr) {
    file_metadata->Set(file_metadata::kKeyValueMetadata, ThriftValue::List({}));
  }
  ThriftList* list = file_metadata->FindList(file_metadata::kKeyValueMetadata);
  for (const auto& [key, value] : entries) {
    ThriftStruct entry;
    entry.Set(key_value::kKey, ThriftValue::Binary(key));
    entry.Set(key_value::kValue, ThriftValue::Binary(value));
    list->values.push_back(ThriftValue::Struct(std::move(entry)));
  }
}

std::string FindKeyValue(const KeyValues& entries, std::string_view key) {
  for (const auto& [name, value] : entries) {
    if (name == key) return value;
  }
  return {};
}

std::string HexOf(uint64_t value) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string out(16, '0');
  for (size_t i = out.size(); i-- > 0; value >>= 4) out[i] = kDigits[value & 15];
  return out;
}

}  // namespace tailrace
