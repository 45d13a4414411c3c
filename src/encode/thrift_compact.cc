#include "encode/thrift_compact.h"

#include <algorithm>

namespace tailrace {
namespace {

template <typename T, typename Struct>
auto* FindAs(Struct& of, int16_t id) {
  auto* value = of.Find(id);
  return value == nullptr ? nullptr : std::get_if<T>(&value->data);
}

}  // namespace

const ThriftValue* ThriftStruct::Find(int16_t id) const {
  for (const ThriftField& field : fields) {
    if (field.id == id) return &field.value;
  }
  return nullptr;
}
ThriftValue* ThriftStruct::Find(int16_t id) { return const_cast<ThriftValue*>(std::as_const(*this).Find(id)); }
const int64_t* ThriftStruct::FindInt(int16_t id) const { return FindAs<int64_t>(*this, id); }
int64_t* ThriftStruct::FindInt(int16_t id) { return FindAs<int64_t>(*this, id); }
const std::string* ThriftStruct::FindBinary(int16_t id) const { return FindAs<std::string>(*this, id); }
const ThriftStruct* ThriftStruct::FindStruct(int16_t id) const { return FindAs<ThriftStruct>(*this, id); }
ThriftStruct* ThriftStruct::FindStruct(int16_t id) { return FindAs<ThriftStruct>(*this, id); }
const ThriftList* ThriftStruct::FindList(int16_t id) const { return FindAs<ThriftList>(*this, id); }
ThriftList* ThriftStruct::FindList(int16_t id) { return FindAs<ThriftList>(*this, id); }

void ThriftStruct::Set(int16_t id, ThriftValue value) {
  if (ThriftValue* present = Find(id)) {
    *present = std::move(value);
    return;
  }
  auto after = std::find_if(fields.begin(), fields.end(), [id](const ThriftField& field) { return field.id > id; });
  fields.insert(after, ThriftField{id, std::move(value)});
}

void ThriftStruct::Remove(int16_t id) {
  std::erase_if(fields, [id](const ThriftField& field) { return field.id == id; });
}

}  // namespace tailrace
