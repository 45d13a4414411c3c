#include "state/tagged_codec.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <utility>

#include "state/wire.h"

namespace tailrace {
namespace {

constexpr uint64_t kWireTypeMask = 3;
constexpr uint64_t kMustUnderstand = 4;
constexpr int kTagShift = 3;

Status BadState(std::string message) { return MakeError(ErrorKind::kBadState, std::move(message)); }

}  // namespace

void MessageWriter::PutKey(const Field& field, WireType type) {
  if (type != field.type || field.tag <= last_tag_) std::abort();
  last_tag_ = field.tag;
  PutVarint((static_cast<uint64_t>(field.tag) << kTagShift) | (field.must_understand ? kMustUnderstand : 0) |
                static_cast<uint64_t>(type),
            &bytes_);
}

void MessageWriter::PutInt(const Field& field, int64_t value) {
  if (value < 0) std::abort();
  PutKey(field, WireType::kVarint);
  PutVarint(static_cast<uint64_t>(value), &bytes_);
}

void MessageWriter::PutSigned(const Field& field, int64_t value) {
  PutKey(field, WireType::kVarint);
  PutVarint(ZigZag(value), &bytes_);
}

void MessageWriter::PutFixed64(const Field& field, uint64_t value) {
  PutKey(field, WireType::kFixed64);
  tailrace::PutFixed64(value, &bytes_);
}

void MessageWriter::PutBytes(const Field& field, std::string_view value) {
  PutKey(field, WireType::kBytes);
  PutVarint(value.size(), &bytes_);
  bytes_.append(value);
}

Result<MessageReader> MessageReader::Parse(std::string_view bytes, std::string prefix, std::span<const Field> known) {
  MessageReader reader(std::move(prefix));
  WireReader wire(bytes);
  uint32_t last_tag = 0;
  while (wire.remaining() > 0) {
    const std::string where = reader.prefix_ + "byte " + std::to_string(bytes.size() - wire.remaining());
    uint64_t key;
    if (!wire.ReadVarint(&key) || key >> kTagShift > std::numeric_limits<uint32_t>::max()) {
      return BadState(where + ": no field key");
    }
    const auto tag = static_cast<uint32_t>(key >> kTagShift);
    const auto type = static_cast<WireType>(key & kWireTypeMask);
    const auto field = std::find_if(known.begin(), known.end(), [&](const Field& f) { return f.tag == tag; });
    const std::string name =
        field == known.end() ? reader.prefix_ + "tag " + std::to_string(tag) : reader.PathOf(*field);
    if (tag <= last_tag) return BadState(where + ": " + name + ": repeated or out of order");
    last_tag = tag;
    if (field != known.end() && field->type != type) return BadState(name + ": wrong wire type");

    Value value{tag, 0, {}};
    bool whole = false;
    switch (type) {
      case WireType::kVarint:
        whole = wire.ReadVarint(&value.number);
        break;
      case WireType::kFixed64:
        whole = wire.ReadFixed64(&value.number);
        break;
      case WireType::kBytes:
        whole = wire.ReadSizedBytes(&value.bytes);
        break;
      default:
        return BadState(name + ": wire type 3 is reserved");
    }
    if (!whole) return BadState(name + ": cut short or malformed");
    if (field != known.end()) {
      reader.values_.push_back(value);
    } else if (key & kMustUnderstand) {
      return MakeError(ErrorKind::kStateTooNew,
                       name + ": not known to this version of tailrace, and must not be skipped");
    }
  }
  return reader;
}

Result<int64_t> MessageReader::Int(const Field& field) const {
  ARROW_ASSIGN_OR_RAISE(const Value* value, Require(field));
  if (value->number > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) {
    return BadState(PathOf(field) + ": " + std::to_string(value->number) + " is too large");
  }
  return static_cast<int64_t>(value->number);
}

Result<int64_t> MessageReader::IntOr(const Field& field, int64_t absent) const {
  return Has(field) ? Int(field) : Result<int64_t>(absent);
}

Result<int64_t> MessageReader::Signed(const Field& field) const {
  ARROW_ASSIGN_OR_RAISE(const Value* value, Require(field));
  return UnZigZag(value->number);
}

Result<bool> MessageReader::Bool(const Field& field) const {
  ARROW_ASSIGN_OR_RAISE(int64_t value, Int(field));
  if (value > 1) return BadState(PathOf(field) + ": " + std::to_string(value) + " is neither 0 nor 1");
  return value == 1;
}

Result<uint64_t> MessageReader::Fixed64(const Field& field) const {
  ARROW_ASSIGN_OR_RAISE(const Value* value, Require(field));
  return value->number;
}

Result<std::string_view> MessageReader::Bytes(const Field& field) const {
  ARROW_ASSIGN_OR_RAISE(const Value* value, Require(field));
  return value->bytes;
}

std::string_view MessageReader::BytesOrEmpty(const Field& field) const {
  const Value* value = Find(field);
  return value == nullptr ? std::string_view() : value->bytes;
}

Result<std::string> MessageReader::String(const Field& field) const {
  ARROW_ASSIGN_OR_RAISE(std::string_view value, Bytes(field));
  return std::string(value);
}

std::string MessageReader::PrefixOf(const Field& field) const { return PathOf(field) + "."; }

std::string MessageReader::PathOf(const Field& field) const { return prefix_ + std::string(field.name); }

const MessageReader::Value* MessageReader::Find(const Field& field) const {
  const auto value = std::find_if(values_.begin(), values_.end(), [&](const Value& v) { return v.tag == field.tag; });
  return value == values_.end() ? nullptr : &*value;
}

Result<const MessageReader::Value*> MessageReader::Require(const Field& field) const {
  const Value* value = Find(field);
  if (value == nullptr) return BadState(PathOf(field) + ": missing");
  return value;
}

Result<int64_t> MessageReader::EnumIndex(const Field& field, size_t size) const {
  ARROW_ASSIGN_OR_RAISE(int64_t index, Int(field));
  if (index >= static_cast<int64_t>(size)) {
    return MakeError(ErrorKind::kStateTooNew,
                     PathOf(field) + ": " + std::to_string(index) + " is not known to this version of tailrace");
  }
  return index;
}

}  // namespace tailrace
