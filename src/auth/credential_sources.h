// What the credential chain reads from, handed in so that tests can give their own.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/environment.h"
#include "http/transport.h"

namespace tailrace {

struct CredentialSources {
  Environment environment;
  // kNotFound where the file is missing.
  std::function<Result<std::string>(const std::string& path)> read_file;
  // What the program writes to its standard output; credential_process.
  std::function<Result<std::string>(const std::vector<std::string>& command, const CancelToken& cancel)> run_process;
  std::shared_ptr<HttpTransport> transport;
  Clock* clock = nullptr;
  std::string profile;  // empty: AWS_PROFILE, then "default"

  static CredentialSources System(std::shared_ptr<HttpTransport> transport);
  // The variable's value; nullopt where it is unset or empty.
  std::optional<std::string> Variable(const std::string& name) const;
  // Whether the variable says "true", in any case.
  bool IsTrue(const std::string& name) const;
};

// From AWS_REGION, AWS_DEFAULT_REGION, the profile; nullopt where none says, or where the configuration cannot be read
// (which the chain reports).
std::optional<std::string> DefaultRegion(const CredentialSources& sources);
// Where the environment or the profile says that `service` ("s3") is reached; nullopt as above.
Result<std::optional<HttpUrl>> DefaultEndpoint(const CredentialSources& sources, const std::string& service);

}  // namespace tailrace
