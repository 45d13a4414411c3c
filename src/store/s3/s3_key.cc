#include "store/s3/s3_key.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace tailrace {
namespace {

constexpr size_t kMaxKeyBytes = 1024;

// The size of the character that `text` begins with; 0 where it is no UTF-8: cut, overlong, a surrogate, too large.
size_t CharacterSize(std::string_view text) {
  const auto byte = [&](size_t at) { return at < text.size() ? static_cast<uint8_t>(text[at]) : uint8_t{0}; };
  const uint8_t first = byte(0);
  if (first < 0x80) return 1;
  const size_t size = first >= 0xC2 && first <= 0xDF ? 2 : first >= 0xE0 && first <= 0xEF ? 3 : first <= 0xF4 ? 4 : 0;
  if (first < 0xC2 || size == 0) return 0;
  for (size_t at = 1; at < size; ++at) {
    if ((byte(at) & 0xC0) != 0x80) return 0;
  }
  const bool overlong = (first == 0xE0 && byte(1) < 0xA0) || (first == 0xF0 && byte(1) < 0x90);
  const bool outside = (first == 0xED && byte(1) >= 0xA0) || (first == 0xF4 && byte(1) >= 0x90);
  return overlong || outside ? 0 : size;
}

bool IsUtf8(std::string_view text) {
  while (!text.empty()) {
    const size_t size = CharacterSize(text);
    if (size == 0) return false;
    text.remove_prefix(size);
  }
  return true;
}

// For a message: what is not printable ASCII as '?', so that a terminal shows what is meant to be shown.
Status BadKey(std::string_view key, std::string_view why) {
  constexpr size_t kMaxShown = 200;
  std::string shown(key.substr(0, kMaxShown));
  std::replace_if(shown.begin(), shown.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  if (key.size() > kMaxShown) shown += "...";
  return MakeError(ErrorKind::kInvalid, "the key '" + shown + "' " + std::string(why));
}

}  // namespace

Status CheckKey(const std::string& key) {
  if (key.empty()) return MakeError(ErrorKind::kInvalid, "the key is empty: the URL names a bucket, not an object");
  if (key.front() == '/') return BadKey(key, "begins with '/'");
  if (key.find('\0') != key.npos) return BadKey(key, "holds a NUL character");
  return Status::OK();
}

Status CheckNewKey(const std::string& key) {
  ARROW_RETURN_NOT_OK(CheckKey(key));
  if (key.size() > kMaxKeyBytes) {
    return BadKey(key, "has " + std::to_string(key.size()) + " bytes; S3 allows 1024");
  }
  if (key.back() == '/') {
    return BadKey(key, "ends in '/', as folders do; an object needs a name of its own at the end");
  }
  if (!IsUtf8(key)) return BadKey(key, "is not UTF-8");
  const bool control = std::any_of(key.begin(), key.end(), [](unsigned char c) { return c < ' ' || c == '\x7f'; });
  if (control) return BadKey(key, "holds a control character, which listings cannot");
  return Status::OK();
}

}  // namespace tailrace
