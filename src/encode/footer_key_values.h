// The key-value metadata of a FileMetaData.
#pragma once

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

// In order; entries without a value have an empty one.
KeyValues ReadKeyValues(const ThriftStruct& file_metadata);
// Behind those that are there.
void AppendKeyValues(const KeyValues& entries, ThriftStruct* file_metadata);
// Empty where the key is absent.
std::string FindKeyValue(const KeyValues& entries, std::string_view key);

}  // namespace tailrace
