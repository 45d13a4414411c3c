#include "auth/sha256.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <memory>
#include <new>

namespace tailrace {
namespace {

struct ContextDeleter {
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};

// OpenSSL fails here only where memory is short, or where its configuration takes SHA-256 away.
void Check(bool ok) {
  if (!ok) throw std::bad_alloc();
}

std::string_view View(const Sha256Digest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

}  // namespace

Sha256Digest Sha256(std::string_view bytes) {
  Sha256Digest digest;
  Check(EVP_Digest(bytes.data(), bytes.size(), digest.data(), nullptr, EVP_sha256(), nullptr) == 1);
  return digest;
}

Sha256Digest Sha256(const ByteSlices& bytes) {
  const std::unique_ptr<EVP_MD_CTX, ContextDeleter> context(EVP_MD_CTX_new());
  Check(context != nullptr && EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) == 1);
  for (const ByteSlice& slice : bytes.slices()) {
    Check(EVP_DigestUpdate(context.get(), slice.data(), static_cast<size_t>(slice.size())) == 1);
  }
  Sha256Digest digest;
  Check(EVP_DigestFinal_ex(context.get(), digest.data(), nullptr) == 1);
  return digest;
}

Sha256Digest HmacSha256(std::string_view key, std::string_view message) {
  Sha256Digest digest;
  Check(HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
             reinterpret_cast<const unsigned char*>(message.data()), message.size(), digest.data(),
             nullptr) != nullptr);
  return digest;
}

Sha256Digest HmacSha256(const Sha256Digest& key, std::string_view message) { return HmacSha256(View(key), message); }

std::string ToHex(const Sha256Digest& digest) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string hex;
  hex.reserve(2 * digest.size());
  for (const uint8_t byte : digest) {
    hex += kDigits[byte >> 4];
    hex += kDigits[byte & 15];
  }
  return hex;
}

std::string Sha256Hex(const ByteSlices& body) { return ToHex(Sha256(body)); }

}  // namespace tailrace
