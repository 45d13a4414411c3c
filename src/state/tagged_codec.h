// Messages: runs of tagged fields, of which an older reader knows which ones it may skip (docs/formats/README.md).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <arrow/result.h>

#include "tailrace/error.h"

namespace tailrace {

using arrow::Result;

enum class WireType : uint8_t { kVarint = 0, kFixed64 = 1, kBytes = 2 };

// One row of a format's tag table. Tags are stored in users' checkpoints: never renumbered, never used again.
struct Field {
  uint32_t tag;
  WireType type;
  bool must_understand;
  std::string_view name;
};

// REQUIRES: fields in the order of their tags, each at most once, and put by its wire type.
class MessageWriter {
 public:
  void PutInt(const Field& field, int64_t value);  // REQUIRES: value >= 0
  void PutSigned(const Field& field, int64_t value);
  void PutBool(const Field& field, bool value) { PutInt(field, value ? 1 : 0); }
  void PutFixed64(const Field& field, uint64_t value);
  void PutBytes(const Field& field, std::string_view value);
  // By its index in `values`, the format's numbering, which is thereby apart from that of the C++ type.
  template <typename Enum, size_t size>
  void PutEnum(const Field& field, Enum value, const Enum (&values)[size]) {
    int64_t index = 0;
    while (values[index] != value) ++index;
    PutInt(field, index);
  }

  std::string Take() { return std::move(bytes_); }

 private:
  void PutKey(const Field& field, WireType type);

  std::string bytes_;
  uint32_t last_tag_ = 0;
};

// The fields of one message. Refers to the bytes it was parsed from, which must outlive it.
class MessageReader {
 public:
  // `prefix` goes before field names in errors: "writer state: options.". kBadState for bytes that are no message;
  // kStateTooNew for a tag outside `known` that must be understood.
  static Result<MessageReader> Parse(std::string_view bytes, std::string prefix, std::span<const Field> known);

  bool Has(const Field& field) const { return Find(field) != nullptr; }
  // kBadState naming the field where it is missing or out of range.
  Result<int64_t> Int(const Field& field) const;
  Result<int64_t> IntOr(const Field& field, int64_t absent) const;
  Result<int64_t> Signed(const Field& field) const;
  Result<bool> Bool(const Field& field) const;
  Result<uint64_t> Fixed64(const Field& field) const;
  Result<std::string_view> Bytes(const Field& field) const;
  std::string_view BytesOrEmpty(const Field& field) const;
  Result<std::string> String(const Field& field) const;
  // kStateTooNew for a value beyond those that are known.
  template <typename Enum, size_t size>
  Result<Enum> EnumOf(const Field& field, const Enum (&values)[size]) const {
    ARROW_ASSIGN_OR_RAISE(int64_t index, EnumIndex(field, size));
    return values[index];
  }

  const std::string& prefix() const { return prefix_; }
  // "writer state: options.", for the message that `field` holds.
  std::string PrefixOf(const Field& field) const;
  // "writer state: receipts", for errors about `field`.
  std::string PathOf(const Field& field) const;

 private:
  struct Value {
    uint32_t tag;
    uint64_t number;
    std::string_view bytes;
  };

  explicit MessageReader(std::string prefix) : prefix_(std::move(prefix)) {}
  const Value* Find(const Field& field) const;
  Result<const Value*> Require(const Field& field) const;
  Result<int64_t> EnumIndex(const Field& field, size_t size) const;

  std::string prefix_;
  std::vector<Value> values_;
};

}  // namespace tailrace
