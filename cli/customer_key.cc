#include "cli/customer_key.h"

#include <optional>
#include <string_view>

#include "cli/state_file.h"
#include "tailrace/error.h"

namespace tailrace::cli {

namespace {

constexpr size_t kKeyBytes = 32;
constexpr int64_t kMaxFileBytes = 1024;

std::optional<uint32_t> SextetOf(char c) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const size_t at = kDigits.find(c);
  if (at == std::string_view::npos) return std::nullopt;
  return static_cast<uint32_t>(at);
}

// 43 digits and one '=' are 32 bytes and two bits, which are 0.
std::optional<std::string> DecodeKey(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
  if (text.size() != 44 || text.back() != '=') return std::nullopt;
  std::string key;
  uint32_t bits = 0;
  int count = 0;
  for (char c : text.substr(0, 43)) {
    const auto sextet = SextetOf(c);
    if (!sextet) return std::nullopt;
    bits = (bits << 6 | *sextet) & 0xffff;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    key.push_back(static_cast<char>(bits >> count & 0xff));
  }
  if ((bits & 3) != 0) return std::nullopt;
  return key;
}

}  // namespace

arrow::Result<std::string> ReadCustomerKey(const std::string& option, const std::string& path) {
  const auto bytes = ReadSmallFile(path, kMaxFileBytes);
  if (!bytes.ok()) return WithContext(bytes.status(), option);
  if (bytes->size() == kKeyBytes) return *bytes;
  if (const auto key = DecodeKey(*bytes)) return *key;
  return MakeError(ErrorKind::kInvalid, option + " " + path + ": holds neither 32 bytes nor the base64 of 32 bytes (" +
                                            std::to_string(bytes->size()) + " bytes)");
}

}  // namespace tailrace::cli
