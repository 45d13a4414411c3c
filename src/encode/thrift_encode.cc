#include "encode/thrift_compact.h"

#include <utility>

namespace tailrace {
namespace {

constexpr int kDoubleBytes = 8;

class Writer {
 public:
  std::string Take() { return std::move(out_); }

  void WriteStruct(const ThriftStruct& value) {
    int last = 0;
    for (const ThriftField& field : value.fields) {
      const int delta = field.id - last;
      const auto type = static_cast<uint8_t>(field.value.type);
      if (delta > 0 && delta < 16) {
        WriteByte(static_cast<uint8_t>(delta << 4 | type));
      } else {
        WriteByte(type);
        WriteZigZag(field.id);
      }
      last = field.id;
      if (field.value.type != ThriftType::kTrue && field.value.type != ThriftType::kFalse) WriteValue(field.value);
    }
    WriteByte(0);
  }

  void WriteListHeader(ThriftType element, size_t count) {
    const auto type = static_cast<uint8_t>(element);
    if (count < 15) {
      WriteByte(static_cast<uint8_t>(count << 4 | type));
    } else {
      WriteByte(0xf0 | type);
      WriteVarint(count);
    }
  }

 private:
  void WriteByte(uint8_t byte) { out_.push_back(static_cast<char>(byte)); }
  void WriteVarint(uint64_t value) {
    for (; value > 0x7f; value >>= 7) WriteByte(static_cast<uint8_t>(value | 0x80));
    WriteByte(static_cast<uint8_t>(value));
  }
  void WriteZigZag(int64_t value) {
    WriteVarint(static_cast<uint64_t>(value) << 1 ^ static_cast<uint64_t>(value >> 63));
  }

  void WriteNumber(ThriftType type, int64_t value) {
    switch (type) {
      case ThriftType::kI16:
      case ThriftType::kI32:
      case ThriftType::kI64:
        return WriteZigZag(value);
      case ThriftType::kDouble:
        for (size_t i = 0; i < kDoubleBytes; ++i) WriteByte(static_cast<uint8_t>(value >> (8 * i)));
        return;
      default:
        return WriteByte(static_cast<uint8_t>(value));
    }
  }

  void WriteMap(const ThriftMap& map) {
    WriteVarint(map.entries.size() / 2);
    if (map.entries.empty()) return;
    WriteByte(static_cast<uint8_t>(static_cast<uint8_t>(map.key) << 4 | static_cast<uint8_t>(map.value)));
    for (const ThriftValue& entry : map.entries) WriteValue(entry);
  }

  void WriteValue(const ThriftValue& value) {
    if (const auto* number = std::get_if<int64_t>(&value.data)) {
      WriteNumber(value.type, *number);
    } else if (const auto* bytes = std::get_if<std::string>(&value.data)) {
      if (value.type == ThriftType::kBinary) WriteVarint(bytes->size());
      out_ += *bytes;
    } else if (const auto* nested = std::get_if<ThriftStruct>(&value.data)) {
      WriteStruct(*nested);
    } else if (const auto* list = std::get_if<ThriftList>(&value.data)) {
      WriteListHeader(list->element, list->values.size());
      for (const ThriftValue& element : list->values) WriteValue(element);
    } else {
      WriteMap(std::get<ThriftMap>(value.data));
    }
  }

  std::string out_;
};

}  // namespace

std::string EncodeThrift(const ThriftStruct& value) {
  Writer writer;
  writer.WriteStruct(value);
  return writer.Take();
}

std::string EncodeThriftListHeader(ThriftType element, size_t count) {
  Writer writer;
  writer.WriteListHeader(element, count);
  return writer.Take();
}

}  // namespace tailrace
