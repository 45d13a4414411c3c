// AWS's config and credentials files, up to the profile in use and the endpoints it names.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "auth/aws_config.h"
#include "auth/ini_file.h"
#include "testing/fake_environment.h"
#include "tests/fuzz/fuzz_check.h"

namespace tailrace {
namespace {

void CheckSections(std::string_view text) {
  const auto sections = ParseIniFile(text, "config");
  if (!sections.ok()) {
    FuzzCheck(KindOf(sections.status()) == ErrorKind::kInvalid, "damage is kInvalid");
    FuzzCheck(sections.status().message().size() < 200, "messages repeat nothing of the file");
    return;
  }
  for (const IniSection& section : *sections) {
    FuzzCheck(!section.name.empty() && section.line >= 1, "a section has a name and a line");
    for (const auto& [name, value] : section.values) {
      FuzzCheck(!name.empty() && value.find('\n') == value.npos, "a value is one line");
    }
  }
}

// Both files have this text.
void CheckConfig(std::string_view text) {
  const CredentialSources sources{.environment = FakeEnvironment({{"HOME", "/home/me"}}),
                                  .read_file = [text](const std::string&) { return std::string(text); },
                                  .profile = "dev"};
  const auto config = AwsConfig::Load(sources);
  FuzzCheck(config.ok() == ParseIniFile(text, "config").ok(), "what is read is what is understood");
  if (!config.ok()) return;
  for (const char* name : {"default", "dev"}) {
    const ConfigSection* const profile = config->Profile(name);
    for (const char* service : {"s3", "sts", "sso_oidc"}) {
      const auto endpoint = ConfiguredEndpoint(sources, *config, profile, service);
      FuzzCheck(!endpoint.ok() || !*endpoint || !(*endpoint)->host.empty(), "an endpoint has a host");
    }
  }
  const auto region = DefaultRegion(sources);
  FuzzCheck(!region || !region->empty(), "a region has a name");
}

}  // namespace
}  // namespace tailrace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  tailrace::CheckSections(text);
  tailrace::CheckConfig(text);
  return 0;
}
