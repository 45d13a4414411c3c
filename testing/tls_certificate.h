// Certificates for tests of TLS, made when asked for.
#pragma once

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
// that is nullptr. Good for a day.
TlsCertificate MakeServerCertificate(const std::vector<std::string>& names, const std::vector<std::string>& addresses,
                                     const TlsCertificate* authority);

}  // namespace tailrace
