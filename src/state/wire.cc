#include "state/wire.h"

#include <limits>

namespace tailrace {
namespace {

constexpr size_t kMaxVarintBytes = 10;

template <typename T>
void PutLittleEndian(T value, std::string* out) {
  for (size_t i = 0; i < sizeof(T); ++i) out->push_back(static_cast<char>(value >> (8 * i) & 0xff));
}

template <typename T>
bool ReadLittleEndian(std::string_view* rest, T* value) {
  if (rest->size() < sizeof(T)) return false;
  T result = 0;
  for (size_t i = 0; i < sizeof(T); ++i) result |= static_cast<T>(static_cast<uint8_t>((*rest)[i])) << (8 * i);
  rest->remove_prefix(sizeof(T));
  *value = result;
  return true;
}

}  // namespace

void PutVarint(uint64_t value, std::string* out) {
  for (; value > 0x7f; value >>= 7) out->push_back(static_cast<char>((value & 0x7f) | 0x80));
  out->push_back(static_cast<char>(value));
}

void PutFixed32(uint32_t value, std::string* out) { PutLittleEndian(value, out); }

void PutFixed64(uint64_t value, std::string* out) { PutLittleEndian(value, out); }

uint64_t ZigZag(int64_t value) { return (static_cast<uint64_t>(value) << 1) ^ (value < 0 ? ~uint64_t{0} : 0); }

int64_t UnZigZag(uint64_t value) { return static_cast<int64_t>((value >> 1) ^ ((value & 1) ? ~uint64_t{0} : 0)); }

bool WireReader::ReadVarint(uint64_t* value) {
  uint64_t result = 0;
  for (size_t i = 0; i < kMaxVarintBytes && i < rest_.size(); ++i) {
    const auto byte = static_cast<uint8_t>(rest_[i]);
    if (i == kMaxVarintBytes - 1 && byte > 1) return false;
    result |= static_cast<uint64_t>(byte & 0x7f) << (7 * i);
    if (byte & 0x80) continue;
    if (byte == 0 && i > 0) return false;
    rest_.remove_prefix(i + 1);
    *value = result;
    return true;
  }
  return false;
}

bool WireReader::ReadSize(int64_t* value) {
  WireReader ahead = *this;
  uint64_t raw;
  if (!ahead.ReadVarint(&raw) || raw > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) return false;
  *this = ahead;
  *value = static_cast<int64_t>(raw);
  return true;
}

bool WireReader::ReadFixed32(uint32_t* value) { return ReadLittleEndian(&rest_, value); }

bool WireReader::ReadFixed64(uint64_t* value) { return ReadLittleEndian(&rest_, value); }

bool WireReader::ReadBytes(int64_t size, std::string_view* value) {
  if (size < 0 || size > remaining()) return false;
  *value = rest_.substr(0, static_cast<size_t>(size));
  rest_.remove_prefix(static_cast<size_t>(size));
  return true;
}

bool WireReader::ReadSizedBytes(std::string_view* value) {
  WireReader ahead = *this;
  int64_t size;
  if (!ahead.ReadSize(&size) || !ahead.ReadBytes(size, value)) return false;
  *this = ahead;
  return true;
}

}  // namespace tailrace
