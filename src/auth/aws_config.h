// AWS's shared config and credentials files: profiles and what they refer to.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "auth/credential_sources.h"

namespace tailrace {

// The values of one section.
class ConfigSection {
 public:
  // nullopt where it is missing or empty.
  std::optional<std::string> Get(const std::string& name) const;
  bool Has(const std::string& name) const { return Get(name).has_value(); }
  void Set(const std::string& name, const std::string& value) { values_[name] = value; }

 private:
  std::map<std::string, std::string> values_;
};

class AwsConfig {
 public:
  // From AWS_CONFIG_FILE and AWS_SHARED_CREDENTIALS_FILE, else ~/.aws/config and ~/.aws/credentials. A missing file is
  // an empty one. In a profile that both name, the credentials file's values win.
  static Result<AwsConfig> Load(const CredentialSources& sources);

  // nullptr where there is none.
  const ConfigSection* Profile(const std::string& name) const { return Find(profiles_, name); }
  const ConfigSection* SsoSession(const std::string& name) const { return Find(sso_sessions_, name); }
  const ConfigSection* Services(const std::string& name) const { return Find(services_, name); }

 private:
  using Sections = std::map<std::string, ConfigSection>;
  static const ConfigSection* Find(const Sections& sections, const std::string& name);

  Sections profiles_, sso_sessions_, services_;
};

// The profile in use: the one asked for, else AWS_PROFILE, else "default".
std::string ProfileName(const CredentialSources& sources);
// Was it asked for, by option or AWS_PROFILE? Then it must exist.
bool ProfileIsAskedFor(const CredentialSources& sources);
// "~/x" with the home folder in place of '~'.
std::string ExpandHome(const CredentialSources& sources, const std::string& path);

// Where a service is reached, if somebody says so: AWS_ENDPOINT_URL_<SERVICE>, AWS_ENDPOINT_URL, the profile's services
// section, the profile's endpoint_url. `service` as in the files: "sts", "sso_oidc". `profile` may be nullptr.
Result<std::optional<HttpUrl>> ConfiguredEndpoint(const CredentialSources& sources, const AwsConfig& config,
                                                  const ConfigSection* profile, const std::string& service);

}  // namespace tailrace
