#include "testing/s3_server/s3_digests.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <array>
#include <cstdint>

namespace tailrace {
namespace {

std::string Digest(const EVP_MD* kind, std::string_view bytes) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  EVP_Digest(bytes.data(), bytes.size(), digest, &size, kind, nullptr);
  return {reinterpret_cast<char*>(digest), size};
}

// Reflected CRC with all ones before and after, eight tables so that large parts do not slow the tests down.
template <typename Word, Word kPolynomial>
Word CrcOf(std::string_view bytes) {
  static const auto tables = [] {
    std::array<std::array<Word, 256>, 8> made{};
    for (unsigned i = 0; i < 256; ++i) {
      Word crc = i;
      for (int bit = 0; bit < 8; ++bit) crc = (crc & 1) != 0 ? (crc >> 1) ^ kPolynomial : crc >> 1;
      made[0][i] = crc;
    }
    for (unsigned k = 1; k < 8; ++k) {
      for (unsigned i = 0; i < 256; ++i) made[k][i] = (made[k - 1][i] >> 8) ^ made[0][made[k - 1][i] & 255];
    }
    return made;
  }();
  Word crc = ~Word{0};
  const auto* at = reinterpret_cast<const unsigned char*>(bytes.data());
  size_t left = bytes.size();
  for (; left >= 8; left -= 8, at += 8) {
    uint64_t word = crc;
    for (int i = 0; i < 8; ++i) word ^= uint64_t{at[i]} << (8 * i);
    crc = 0;
    for (int i = 0; i < 8; ++i) crc ^= tables[7 - i][(word >> (8 * i)) & 255];
  }
  for (; left > 0; --left, ++at) crc = (crc >> 8) ^ tables[0][(crc ^ *at) & 255];
  return ~crc;
}

template <typename Word>
std::string BigEndian(Word value) {
  std::string bytes(sizeof value, '\0');
  for (size_t i = sizeof value; i-- > 0; value >>= 8) bytes[i] = static_cast<char>(value & 255);
  return bytes;
}

}  // namespace

std::string Base64Encode(std::string_view bytes) {
  std::string text(4 * ((bytes.size() + 2) / 3), '\0');
  // It writes a zero behind the text, which a string has room for.
  EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()), reinterpret_cast<const unsigned char*>(bytes.data()),
                  static_cast<int>(bytes.size()));
  return text;
}

std::optional<std::string> Base64Decode(std::string_view text) {
  if (text.empty() || text.size() % 4 != 0) return std::nullopt;
  std::string bytes(text.size() / 4 * 3, '\0');
  const int size = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                                   reinterpret_cast<const unsigned char*>(text.data()), static_cast<int>(text.size()));
  if (size < 0) return std::nullopt;
  const size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
  bytes.resize(static_cast<size_t>(size) - padding);
  // The decoder lets blanks and stray bits pass.
  if (Base64Encode(bytes) != text) return std::nullopt;
  return bytes;
}

std::string HexOf(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += {kDigits[byte >> 4], kDigits[byte & 15]};
  }
  return text;
}

std::string Md5Of(std::string_view bytes) { return Digest(EVP_md5(), bytes); }
std::string Sha256Of(std::string_view bytes) { return Digest(EVP_sha256(), bytes); }

std::string HmacSha256(std::string_view key, std::string_view message) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), reinterpret_cast<const unsigned char*>(message.data()),
       message.size(), digest, &size);
  return {reinterpret_cast<char*>(digest), size};
}

std::optional<std::string> S3ChecksumOf(std::string_view algorithm, std::string_view bytes) {
  if (algorithm == "crc32") return Base64Encode(BigEndian(CrcOf<uint32_t, 0xedb88320>(bytes)));
  if (algorithm == "crc32c") return Base64Encode(BigEndian(CrcOf<uint32_t, 0x82f63b78>(bytes)));
  if (algorithm == "crc64nvme") return Base64Encode(BigEndian(CrcOf<uint64_t, 0x9a6c9329ac4bc9b5>(bytes)));
  if (algorithm == "sha1") return Base64Encode(Digest(EVP_sha1(), bytes));
  if (algorithm == "sha256") return Base64Encode(Sha256Of(bytes));
  return std::nullopt;
}

}  // namespace tailrace
