#include "auth/credential_sources.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

#include "auth/aws_config.h"
#include "auth/process_credentials.h"

namespace tailrace {
namespace {

// Config files and tokens have a few KiB; what is larger is something else.
constexpr size_t kMaxFile = 1 << 20;
// A program may ask the user to confirm in a browser.
constexpr std::chrono::minutes kProcessTimeout(2);

struct FileCloser {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

Status ReadError(const std::string& path, int error) {
  const ErrorKind kind = error == ENOENT || error == ENOTDIR ? ErrorKind::kNotFound
                         : error == EACCES || error == EPERM ? ErrorKind::kDenied
                                                             : ErrorKind::kInvalid;
  return MakeError(kind, "cannot read '" + path + "': " + std::generic_category().message(error));
}

Result<std::string> ReadFile(const std::string& path) {
  const std::unique_ptr<std::FILE, FileCloser> file(std::fopen(path.c_str(), "rbe"));
  if (file == nullptr) return ReadError(path, errno);
  std::string text(kMaxFile + 1, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file.get()));
  if (std::ferror(file.get()) != 0) return ReadError(path, errno);
  if (text.size() <= kMaxFile) return text;
  return MakeError(ErrorKind::kInvalid, "'" + path + "' has more than " + std::to_string(kMaxFile) + " bytes");
}

}  // namespace

CredentialSources CredentialSources::System(std::shared_ptr<HttpTransport> transport) {
  return {.environment = ProcessEnvironment(),
          .read_file = ReadFile,
          .run_process = [](const std::vector<std::string>& command,
                            const CancelToken& cancel) { return RunProcess(command, kProcessTimeout, cancel); },
          .transport = std::move(transport),
          .clock = Clock::System()};
}

std::optional<std::string> CredentialSources::Variable(const std::string& name) const {
  std::optional<std::string> value = environment(name);
  if (value && value->empty()) return std::nullopt;
  return value;
}

bool CredentialSources::IsTrue(const std::string& name) const {
  std::string value = Variable(name).value_or("");
  std::transform(value.begin(), value.end(), value.begin(), [](unsigned char c) { return std::tolower(c); });
  return value == "true";
}

std::optional<std::string> DefaultRegion(const CredentialSources& sources) {
  for (const char* name : {"AWS_REGION", "AWS_DEFAULT_REGION"}) {
    if (auto region = sources.Variable(name)) return region;
  }
  const Result<AwsConfig> config = AwsConfig::Load(sources);
  const ConfigSection* const profile = config.ok() ? config->Profile(ProfileName(sources)) : nullptr;
  return profile != nullptr ? profile->Get("region") : std::nullopt;
}

Result<std::optional<HttpUrl>> DefaultEndpoint(const CredentialSources& sources, const std::string& service) {
  const Result<AwsConfig> config = AwsConfig::Load(sources);
  if (!config.ok()) return std::nullopt;
  return ConfiguredEndpoint(sources, *config, config->Profile(ProfileName(sources)), service);
}

}  // namespace tailrace
