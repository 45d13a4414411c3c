// The Thrift compact protocol as a generic tree, so that a Parquet footer can be changed by code that knows a part of
// it: unknown fields and their order stay, and what libparquet wrote comes back byte for byte.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <arrow/result.h>

#include "tailrace/error.h"

namespace tailrace {

using arrow::Result;

// The numbers of the protocol.
enum class ThriftType : uint8_t {
  kTrue = 1,  // a boolean field has its value in its type
  kFalse = 2,
  kByte = 3,
  kI16 = 4,
  kI32 = 5,
  kI64 = 6,
  kDouble = 7,
  kBinary = 8,
  kList = 9,
  kSet = 10,
  kMap = 11,
  kStruct = 12,
  kUuid = 13,
};

struct ThriftField;
struct ThriftValue;

struct ThriftList {
  ThriftType element = ThriftType::kStruct;
  std::vector<ThriftValue> values;
};

struct ThriftMap {
  ThriftType key = ThriftType::kBinary;
  ThriftType value = ThriftType::kBinary;
  std::vector<ThriftValue> entries;  // key, value, key, value, ...
};

// Fields in the order in which they are written.
class ThriftStruct {
 public:
  // nullptr where the field is absent; the typed ones also where it is of another type.
  const ThriftValue* Find(int16_t id) const;
  ThriftValue* Find(int16_t id);
  const int64_t* FindInt(int16_t id) const;
  int64_t* FindInt(int16_t id);
  const std::string* FindBinary(int16_t id) const;
  const ThriftStruct* FindStruct(int16_t id) const;
  ThriftStruct* FindStruct(int16_t id);
  const ThriftList* FindList(int16_t id) const;
  ThriftList* FindList(int16_t id);

  // Replaces the field or puts it before the first one with a greater id.
  void Set(int16_t id, ThriftValue value);
  void Remove(int16_t id);

  std::vector<ThriftField> fields;
};

struct ThriftValue {
  ThriftType type = ThriftType::kI64;
  // Integers and booleans as such, a double by its bits; kBinary and kUuid as string. A struct or list may also be held
  // as string: its bytes, encoded already.
  std::variant<int64_t, std::string, ThriftStruct, ThriftList, ThriftMap> data;

  static ThriftValue I16(int64_t value);
  static ThriftValue I32(int64_t value);
  static ThriftValue I64(int64_t value);
  static ThriftValue Binary(std::string value);
  static ThriftValue Struct(ThriftStruct value);
  static ThriftValue List(ThriftList value);
  static ThriftValue Encoded(ThriftType type, std::string bytes);
};

struct ThriftField {
  int16_t id = 0;
  ThriftValue value;
};

// Here, where the types that hold one another are complete.
inline ThriftValue ThriftValue::I16(int64_t value) { return {ThriftType::kI16, value}; }
inline ThriftValue ThriftValue::I32(int64_t value) { return {ThriftType::kI32, value}; }
inline ThriftValue ThriftValue::I64(int64_t value) { return {ThriftType::kI64, value}; }
inline ThriftValue ThriftValue::Binary(std::string value) { return {ThriftType::kBinary, std::move(value)}; }
inline ThriftValue ThriftValue::Struct(ThriftStruct value) { return {ThriftType::kStruct, std::move(value)}; }
inline ThriftValue ThriftValue::List(ThriftList value) { return {ThriftType::kList, std::move(value)}; }
inline ThriftValue ThriftValue::Encoded(ThriftType type, std::string bytes) { return {type, std::move(bytes)}; }

// The deepest nesting that is read; Parquet's own structures stay below 10.
inline constexpr int kMaxThriftDepth = 32;

// The struct that `bytes` begin with. `used` gets its length; without `used`, bytes behind it are an error. kInvalid
// for anything truncated or damaged. The tree takes at most 128 bytes for each byte read.
Result<ThriftStruct> DecodeThrift(std::string_view bytes, size_t* used = nullptr);
std::string EncodeThrift(const ThriftStruct& value);
// What stands before the elements of a list.
std::string EncodeThriftListHeader(ThriftType element, size_t count);

}  // namespace tailrace
