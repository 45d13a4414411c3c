#include "store/s3/s3_checksum.h"

#include <openssl/evp.h>

#include <memory>

#include "base/base64.h"
#include "base/crc32.h"

namespace tailrace {
namespace {

template <typename Int>
std::string BigEndian(Int value) {
  std::string bytes;
  for (int shift = static_cast<int>(sizeof(Int)) * 8 - 8; shift >= 0; shift -= 8) {
    bytes.push_back(static_cast<char>(value >> shift & 255));
  }
  return bytes;
}

class Digest {
 public:
  explicit Digest(const EVP_MD* kind) : context_(EVP_MD_CTX_new(), &EVP_MD_CTX_free) {
    EVP_DigestInit_ex(context_.get(), kind, nullptr);
  }
  void Add(const void* data, size_t size) { EVP_DigestUpdate(context_.get(), data, size); }
  std::string Take() {
    unsigned char value[EVP_MAX_MD_SIZE];
    unsigned int size = 0;
    EVP_DigestFinal_ex(context_.get(), value, &size);
    return {reinterpret_cast<const char*>(value), size};
  }

 private:
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context_;
};

std::string DigestOf(const EVP_MD* kind, const ByteSlices& body) {
  Digest digest(kind);
  for (const ByteSlice& slice : body.slices()) digest.Add(slice.data(), static_cast<size_t>(slice.size()));
  return digest.Take();
}

std::string CrcOf(uint32_t (*crc_of)(const void*, size_t, uint32_t), const ByteSlices& body) {
  uint32_t crc = 0;
  for (const ByteSlice& slice : body.slices()) crc = crc_of(slice.data(), static_cast<size_t>(slice.size()), crc);
  return BigEndian(crc);
}

}  // namespace

const S3ChecksumNames& NamesOf(S3Checksum kind) {
  static constexpr S3ChecksumNames kNone{}, kMd5{.header = "Content-MD5"},
      kCrc32{.algorithm = "CRC32", .header = "x-amz-checksum-crc32", .element = "ChecksumCRC32"},
      kCrc32c{.algorithm = "CRC32C", .header = "x-amz-checksum-crc32c", .element = "ChecksumCRC32C"},
      kSha256{.algorithm = "SHA256", .header = "x-amz-checksum-sha256", .element = "ChecksumSHA256"},
      kCrc64{.algorithm = "CRC64NVME",
             .header = "x-amz-checksum-crc64nvme",
             .element = "ChecksumCRC64NVME",
             .full_object = true};
  switch (kind) {
    case S3Checksum::kMd5:
      return kMd5;
    case S3Checksum::kCrc32:
      return kCrc32;
    case S3Checksum::kCrc32c:
      return kCrc32c;
    case S3Checksum::kSha256:
      return kSha256;
    case S3Checksum::kCrc64Nvme:
      return kCrc64;
    case S3Checksum::kNone:
      break;
  }
  return kNone;
}

std::string ChecksumOf(S3Checksum kind, const ByteSlices& body) {
  switch (kind) {
    case S3Checksum::kMd5:
      return EncodeBase64(DigestOf(EVP_md5(), body));
    case S3Checksum::kCrc32:
      return EncodeBase64(CrcOf(&Crc32, body));
    case S3Checksum::kCrc32c:
      return EncodeBase64(CrcOf(&Crc32c, body));
    case S3Checksum::kSha256:
      return EncodeBase64(DigestOf(EVP_sha256(), body));
    case S3Checksum::kCrc64Nvme:
      return FormatCrc64(body.crc64());
    case S3Checksum::kNone:
      break;
  }
  return {};
}

std::string FormatCrc64(uint64_t crc) { return EncodeBase64(BigEndian(crc)); }

std::optional<uint64_t> ParseCrc64(std::string_view base64) {
  const std::optional<std::string> bytes = DecodeBase64(base64);
  if (!bytes || bytes->size() != sizeof(uint64_t)) return std::nullopt;
  uint64_t crc = 0;
  for (char c : *bytes) crc = crc << 8 | static_cast<uint8_t>(c);
  return crc;
}

std::string Md5Base64(std::string_view bytes) {
  Digest digest(EVP_md5());
  digest.Add(bytes.data(), bytes.size());
  return EncodeBase64(digest.Take());
}

}  // namespace tailrace
