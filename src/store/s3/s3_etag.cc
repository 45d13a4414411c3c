#include "store/s3/s3_etag.h"

#include <optional>

#include "base/base64.h"
#include "store/s3/s3_checksum.h"

namespace tailrace {
namespace {

std::string_view Unquoted(std::string_view etag) {
  const bool quoted = etag.size() >= 2 && etag.front() == '"' && etag.back() == '"';
  return quoted ? etag.substr(1, etag.size() - 2) : etag;
}

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// The 16 bytes of an MD5 that is spelled out; nullopt for anything else.
std::optional<std::string> Md5Of(const PartReceipt& part) {
  const std::string_view etag = Unquoted(part.etag);
  if (etag.size() != 32 || part.sealed_etag) return std::nullopt;
  std::string bytes;
  for (size_t i = 0; i < etag.size(); i += 2) {
    const int high = HexDigit(etag[i]), low = HexDigit(etag[i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    bytes.push_back(static_cast<char>(high * 16 + low));
  }
  return bytes;
}

std::string HexOf(std::string_view bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (char c : bytes) {
    text.push_back(kDigits[static_cast<unsigned char>(c) >> 4]);
    text.push_back(kDigits[static_cast<unsigned char>(c) & 15]);
  }
  return text;
}

}  // namespace

std::string MultipartEtag(const std::vector<PartReceipt>& parts) {
  std::string digests;
  for (const PartReceipt& part : parts) {
    const std::optional<std::string> digest = Md5Of(part);
    if (!digest) return {};
    digests += *digest;
  }
  if (digests.empty()) return {};
  const std::optional<std::string> whole = DecodeBase64(Md5Base64(digests));
  return "\"" + HexOf(*whole) + "-" + std::to_string(parts.size()) + "\"";
}

bool IsEtagOf(std::string_view etag, const std::vector<PartReceipt>& parts) {
  const std::string expected = MultipartEtag(parts);
  return !expected.empty() && Unquoted(etag) == Unquoted(expected);
}

}  // namespace tailrace
