// The key-value metadata of a FileMetaData.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "encode/thrift_compact.h"

namespace tailrace {

using KeyValues = std::vector<std::pair<std::string, std::string>>;

inline constexpr char kArrowSchemaKey[] = "ARROW:schema";
inline constexpr char kDigestKey[] = "tailrace.digest";
inline constexpr char kEndKey[] = "tailrace.end";
// Of a file that was finished from a state with carried rows.
inline constexpr char kCarriedKey[] = "tailrace.carried";

// In order; entries without a value have an empty one.
KeyValues ReadKeyValues(const ThriftStruct& file_metadata);
// Behind those that are there.
void AppendKeyValues(const KeyValues& entries, ThriftStruct* file_metadata);
// 16 lower-case digits, as checksums stand there.
std::string HexOf(uint64_t value);
// Empty where the key is absent.
std::string FindKeyValue(const KeyValues& entries, std::string_view key);

}  // namespace tailrace
