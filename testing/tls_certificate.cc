#include "testing/tls_certificate.h"

#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <cstdio>
#include <cstdlib>

namespace tailrace {
namespace {

template <auto Free>
struct Deleter {
  template <typename T>
  void operator()(T* object) const {
    Free(object);
  }
};
using Key = std::unique_ptr<EVP_PKEY, Deleter<&EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, Deleter<&X509_free>>;
using Memory = std::unique_ptr<BIO, Deleter<&BIO_free_all>>;

void Check(bool ok, const char* what) {
  if (ok) return;
  std::fprintf(stderr, "OpenSSL cannot %s\n", what);
  std::abort();
}

template <typename Write>
std::string ToPem(Write write) {
  const Memory memory(BIO_new(BIO_s_mem()));
  Check(write(memory.get()) == 1, "write PEM");
  char* data = nullptr;
  const long size = BIO_get_mem_data(memory.get(), &data);
  return {data, static_cast<size_t>(size)};
}

template <typename T, typename Read>
T FromPem(const std::string& pem, Read read) {
  const Memory memory(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  T object(read(memory.get(), nullptr, nullptr, nullptr));
  Check(object != nullptr, "read PEM");
  return object;
}

void AddExtension(X509* certificate, int nid, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, certificate, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* const extension = X509V3_EXT_conf_nid(nullptr, &context, nid, value.c_str());
  Check(extension != nullptr && X509_add_ext(certificate, extension, -1) == 1, "add an extension");
  X509_EXTENSION_free(extension);
}

Certificate Unsigned(const std::string& name, EVP_PKEY* key, std::chrono::seconds good_for) {
  Certificate certificate(X509_new());
  X509* const x509 = certificate.get();
  uint64_t serial = 0;
  Check(RAND_bytes(reinterpret_cast<unsigned char*>(&serial), sizeof serial) == 1, "draw random bytes");
  X509_set_version(x509, 2);
  ASN1_INTEGER_set_uint64(X509_get_serialNumber(x509), serial >> 1);
  X509_gmtime_adj(X509_getm_notBefore(x509), -24 * 3600);
  X509_gmtime_adj(X509_getm_notAfter(x509), good_for.count());
  X509_set_pubkey(x509, key);
  X509_NAME_add_entry_by_txt(X509_get_subject_name(x509), "CN", MBSTRING_ASC,
                             reinterpret_cast<const unsigned char*>(name.c_str()), -1, -1, 0);
  return certificate;
}

TlsCertificate Sign(X509* certificate, EVP_PKEY* key, X509* issuer, EVP_PKEY* issuer_key) {
  X509_set_issuer_name(certificate, X509_get_subject_name(issuer));
  Check(X509_sign(certificate, issuer_key, EVP_sha256()) > 0, "sign");
  return {.certificate = ToPem([&](BIO* out) { return PEM_write_bio_X509(out, certificate); }),
          .key = ToPem(
              [&](BIO* out) { return PEM_write_bio_PrivateKey(out, key, nullptr, nullptr, 0, nullptr, nullptr); })};
}

}  // namespace

TlsCertificate MakeCertificateAuthority(const std::string& name) {
  const Key key(EVP_EC_gen("P-256"));
  const Certificate certificate = Unsigned(name, key.get(), std::chrono::hours(24));
  AddExtension(certificate.get(), NID_basic_constraints, "critical,CA:TRUE");
  AddExtension(certificate.get(), NID_key_usage, "critical,keyCertSign,cRLSign");
  AddExtension(certificate.get(), NID_subject_key_identifier, "hash");
  return Sign(certificate.get(), key.get(), certificate.get(), key.get());
}

TlsCertificate MakeServerCertificate(const std::vector<std::string>& names, const std::vector<std::string>& addresses,
                                     const TlsCertificate* authority, std::chrono::seconds good_for) {
  const Key key(EVP_EC_gen("P-256"));
  const Certificate certificate = Unsigned("tailrace test server", key.get(), good_for);
  std::string alternatives;
  for (const std::string& name : names) alternatives += (alternatives.empty() ? "DNS:" : ",DNS:") + name;
  for (const std::string& address : addresses) alternatives += (alternatives.empty() ? "IP:" : ",IP:") + address;
  AddExtension(certificate.get(), NID_subject_alt_name, alternatives);
  if (authority == nullptr) return Sign(certificate.get(), key.get(), certificate.get(), key.get());
  const auto issuer = FromPem<Certificate>(authority->certificate, PEM_read_bio_X509);
  const auto issuer_key = FromPem<Key>(authority->key, PEM_read_bio_PrivateKey);
  return Sign(certificate.get(), key.get(), issuer.get(), issuer_key.get());
}

}  // namespace tailrace
