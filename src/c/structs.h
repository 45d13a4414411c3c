// Structs that begin with their size, so that callers and library of different age understand each other.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <type_traits>

#include <arrow/result.h>

#include "tailrace/error.h"

namespace tailrace::c {

using arrow::Result;

// Far above what any struct will ever have: a size beyond is a struct that was never initialised.
constexpr size_t kMaxStructBytes = 4096;

// Writes as much of `defaults` as a caller's struct of `size` bytes has, zero bytes behind, and the size.
template <typename Struct>
void InitStruct(const Struct& defaults, Struct* out, size_t size) {
  static_assert(std::is_trivially_copyable_v<Struct> && offsetof(Struct, struct_size) == 0);
  if (out == nullptr || size < sizeof(size_t)) return;
  auto* bytes = reinterpret_cast<unsigned char*>(out);
  const size_t known = std::min(size, sizeof(Struct));
  std::memcpy(bytes, &defaults, known);
  std::memset(bytes + known, 0, size - known);
  std::memcpy(bytes, &size, sizeof size);
}

// The caller's size; kInvalid where it cannot be one. `given` may be shorter than a Struct: only its size is read.
inline Result<size_t> StructSize(const void* given, const char* name) {
  size_t size = 0;
  std::memcpy(&size, given, sizeof size);
  if (size < sizeof size || size > kMaxStructBytes || size % 8 != 0) {
    return MakeError(ErrorKind::kInvalid, std::string(name) + ".struct_size is " + std::to_string(size) +
                                              ", which is no size of this struct: call " + name + "_init first");
  }
  return size;
}

// Overwrites `out`, which holds the defaults, with the fields that the caller's struct has. `given` nullptr: leaves the
// defaults. kInvalid where the caller's size is none, or where fields that are not known here are set; the known ones
// are read even then.
template <typename Struct>
Status ReadStruct(const Struct* given, const char* name, Struct* out) {
  if (given == nullptr) return Status::OK();
  ARROW_ASSIGN_OR_RAISE(const size_t size, StructSize(given, name));
  const auto* bytes = reinterpret_cast<const unsigned char*>(given);
  std::memcpy(out, bytes, std::min(size, sizeof(Struct)));
  out->struct_size = sizeof(Struct);
  for (size_t i = sizeof(Struct); i < size; ++i) {
    if (bytes[i] == 0) continue;
    return MakeError(ErrorKind::kInvalid, std::string(name) + " sets an option that this library does not know (byte " +
                                              std::to_string(i) + " of the struct): it is older than the caller");
  }
  return Status::OK();
}

}  // namespace tailrace::c
