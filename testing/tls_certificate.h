// Certificates for tests of TLS, made when asked for.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace tailrace {

// A certificate and its private key, both in PEM form.
struct TlsCertificate {
  std::string certificate;
  std::string key;
};

// One that may sign others and is trusted by whoever is given its certificate.
TlsCertificate MakeCertificateAuthority(const std::string& name);
// For a server with these names ("localhost") and addresses ("127.0.0.1"), signed by `authority`, or by itself where
// that is nullptr. Good since yesterday, and for `good_for` from now on.
TlsCertificate MakeServerCertificate(const std::vector<std::string>& names, const std::vector<std::string>& addresses,
                                     const TlsCertificate* authority,
                                     std::chrono::seconds good_for = std::chrono::hours(24));

}  // namespace tailrace
