// The primitives that our formats are made of: varints, fixed numbers and runs of bytes (docs/formats/README.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tailrace {

void PutVarint(uint64_t value, std::string* out);
void PutFixed32(uint32_t value, std::string* out);
void PutFixed64(uint64_t value, std::string* out);

uint64_t ZigZag(int64_t value);
int64_t UnZigZag(uint64_t value);

// Walks over bytes that came from outside. Each read is checked against what is left; false leaves the reader and
// `*value` as they were.
class WireReader {
 public:
  explicit WireReader(std::string_view bytes) : rest_(bytes) {}

  // Refuses more than ten bytes, bits beyond the 64th, and a needless zero byte at the end.
  bool ReadVarint(uint64_t* value);
  // A varint that fits 63 bits: a size, a count, a number of rows.
  bool ReadSize(int64_t* value);
  bool ReadFixed32(uint32_t* value);
  bool ReadFixed64(uint64_t* value);
  // A view into the bytes that were given.
  bool ReadBytes(int64_t size, std::string_view* value);
  // A size, then that many bytes.
  bool ReadSizedBytes(std::string_view* value);

  int64_t remaining() const { return static_cast<int64_t>(rest_.size()); }

 private:
  std::string_view rest_;
};

}  // namespace tailrace
