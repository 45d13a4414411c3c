#include "encode/thrift_compact.h"

#include <algorithm>
#include <limits>

namespace tailrace {
namespace {

constexpr size_t kUuidBytes = 16;
constexpr size_t kDoubleBytes = 8;

// Reads from untrusted bytes: every function returns false, with `error` set, where they end early or make no sense.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  size_t position() const { return position_; }
  std::string_view error() const { return error_; }

  bool ReadStruct(ThriftStruct* out, int depth) {
    if (depth > kMaxThriftDepth) return Fail("nested too deeply");
    int64_t id = 0;
    while (true) {
      uint8_t header = 0;
      if (!ReadByte(&header)) return false;
      if (header == 0) return true;
      const int delta = header >> 4;
      if (delta != 0) {
        id += delta;
      } else if (!ReadZigZag(&id)) {
        return false;
      }
      if (id < std::numeric_limits<int16_t>::min() || id > std::numeric_limits<int16_t>::max()) {
        return Fail("field id out of range");
      }
      ThriftField field{static_cast<int16_t>(id), {static_cast<ThriftType>(header & 0x0f), int64_t{0}}};
      if (!ReadFieldValue(&field.value, depth)) return false;
      out->fields.push_back(std::move(field));
    }
  }

 private:
  bool Fail(std::string_view error) {
    error_ = error;
    return false;
  }
  size_t left() const { return bytes_.size() - position_; }

  bool ReadByte(uint8_t* out) {
    if (left() == 0) return Fail("ends early");
    *out = static_cast<uint8_t>(bytes_[position_++]);
    return true;
  }
  bool ReadVarint(uint64_t* out) {
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      uint8_t byte = 0;
      if (!ReadByte(&byte)) return false;
      if (shift == 63 && byte > 1) break;
      value |= static_cast<uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) {
        *out = value;
        return true;
      }
    }
    return Fail("number too long");
  }
  bool ReadZigZag(int64_t* out) {
    uint64_t value = 0;
    if (!ReadVarint(&value)) return false;
    *out = static_cast<int64_t>(value >> 1) ^ -static_cast<int64_t>(value & 1);
    return true;
  }
  bool ReadBytes(size_t size, std::string_view* out) {
    if (size > left()) return Fail("ends early");
    *out = bytes_.substr(position_, size);
    position_ += size;
    return true;
  }
  bool ReadRaw(size_t size, ThriftValue* out) {
    std::string_view raw;
    if (!ReadBytes(size, &raw)) return false;
    out->data.emplace<std::string>(raw);
    return true;
  }
  bool ReadDouble(ThriftValue* out) {
    std::string_view raw;
    if (!ReadBytes(kDoubleBytes, &raw)) return false;
    uint64_t bits = 0;
    for (size_t i = 0; i < kDoubleBytes; ++i) bits |= static_cast<uint64_t>(static_cast<uint8_t>(raw[i])) << (8 * i);
    out->data = static_cast<int64_t>(bits);
    return true;
  }

  bool ReadFieldValue(ThriftValue* out, int depth) {
    if (out->type == ThriftType::kTrue || out->type == ThriftType::kFalse) return true;
    return ReadValue(out, depth);
  }

  bool ReadValue(ThriftValue* out, int depth) {
    switch (out->type) {
      case ThriftType::kTrue:
      case ThriftType::kFalse:
      case ThriftType::kByte: {
        uint8_t byte = 0;
        if (!ReadByte(&byte)) return false;
        out->data = static_cast<int64_t>(byte);
        return true;
      }
      case ThriftType::kI16:
      case ThriftType::kI32:
      case ThriftType::kI64:
        return ReadZigZag(&std::get<int64_t>(out->data));
      case ThriftType::kDouble:
        return ReadDouble(out);
      case ThriftType::kUuid:
        return ReadRaw(kUuidBytes, out);
      case ThriftType::kBinary: {
        uint64_t size = 0;
        return ReadVarint(&size) && ReadRaw(size, out);
      }
      case ThriftType::kList:
      case ThriftType::kSet:
        return ReadList(&out->data.emplace<ThriftList>(), depth + 1);
      case ThriftType::kMap:
        return ReadMap(&out->data.emplace<ThriftMap>(), depth + 1);
      case ThriftType::kStruct:
        return ReadStruct(&out->data.emplace<ThriftStruct>(), depth + 1);
    }
    return Fail("unknown type");
  }

  bool ReadElements(uint64_t count, ThriftType first, ThriftType second, std::vector<ThriftValue>* out, int depth) {
    // Every element takes at least a byte, so that a damaged count cannot make us allocate more than the input's size
    // in elements.
    if (count > left()) return Fail("ends early");
    out->reserve(std::min<uint64_t>(count, 1024));
    for (uint64_t i = 0; i < count; ++i) {
      out->push_back({i % 2 == 0 ? first : second, int64_t{0}});
      if (!ReadValue(&out->back(), depth)) return false;
    }
    return true;
  }

  bool ReadList(ThriftList* out, int depth) {
    if (depth > kMaxThriftDepth) return Fail("nested too deeply");
    uint8_t header = 0;
    if (!ReadByte(&header)) return false;
    out->element = static_cast<ThriftType>(header & 0x0f);
    uint64_t count = header >> 4;
    if (count == 15 && !ReadVarint(&count)) return false;
    return ReadElements(count, out->element, out->element, &out->values, depth);
  }

  bool ReadMap(ThriftMap* out, int depth) {
    if (depth > kMaxThriftDepth) return Fail("nested too deeply");
    uint64_t count = 0;
    if (!ReadVarint(&count)) return false;
    if (count == 0) return true;
    uint8_t types = 0;
    if (!ReadByte(&types)) return false;
    out->key = static_cast<ThriftType>(types >> 4);
    out->value = static_cast<ThriftType>(types & 0x0f);
    if (count > left()) return Fail("ends early");
    return ReadElements(2 * count, out->key, out->value, &out->entries, depth);
  }

  const std::string_view bytes_;
  size_t position_ = 0;
  std::string_view error_;
};

}  // namespace

Result<ThriftStruct> DecodeThrift(std::string_view bytes, size_t* used) {
  Reader reader(bytes);
  ThriftStruct value;
  if (!reader.ReadStruct(&value, 0)) {
    return MakeError(ErrorKind::kInvalid, "thrift structure " + std::string(reader.error()) + " at byte " +
                                              std::to_string(reader.position()) + " of " +
                                              std::to_string(bytes.size()));
  }
  if (used != nullptr) {
    *used = reader.position();
  } else if (reader.position() != bytes.size()) {
    return MakeError(ErrorKind::kInvalid, "thrift structure is followed by " +
                                              std::to_string(bytes.size() - reader.position()) + " unknown bytes");
  }
  return value;
}

}  // namespace tailrace
