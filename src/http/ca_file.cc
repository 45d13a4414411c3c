#include "http/ca_file.h"

#include <sys/stat.h>
#include <unistd.h>

namespace tailrace {
namespace {

constexpr const char* kSystemFiles[] = {
    "/etc/ssl/certs/ca-certificates.crt",                 // Debian, Ubuntu, Arch, Gentoo
    "/etc/pki/tls/certs/ca-bundle.crt",                   // Red Hat, Fedora, Amazon Linux
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",  // Red Hat, where the link above is gone
    "/etc/ssl/ca-bundle.pem",                             // SUSE
    "/etc/ssl/cert.pem",                                  // Alpine
};

}  // namespace

arrow::Result<std::string> FindCaFile(const std::string& given, const Environment& environment,
                                      const std::function<bool(const std::string& path)>& can_read) {
  const auto checked = [&](const std::string& setting, const std::string& path) -> arrow::Result<std::string> {
    if (can_read(path)) return path;
    return MakeError(ErrorKind::kInvalid, "cannot read the file of trusted certificates '" + path + "' (" + setting +
                                              "): give a file in PEM form, or unset it to use the system's");
  };
  if (!given.empty()) return checked("CA file option", given);
  for (const char* variable : {"AWS_CA_BUNDLE", "SSL_CERT_FILE"}) {
    const std::string path = environment(variable).value_or("");
    if (!path.empty()) return checked(variable, path);
  }
  for (const char* path : kSystemFiles) {
    if (can_read(path)) return path;
  }
  return "";
}

bool CanReadFile(const std::string& path) {
  struct stat facts;
  return ::stat(path.c_str(), &facts) == 0 && S_ISREG(facts.st_mode) && ::access(path.c_str(), R_OK) == 0;
}

}  // namespace tailrace
