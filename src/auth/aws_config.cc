#include "auth/aws_config.h"

#include "auth/ini_file.h"

namespace tailrace {
namespace {

constexpr std::string_view kProfile = "profile ", kSsoSession = "sso-session ", kServices = "services ";

std::string PathOf(const CredentialSources& sources, const std::string& variable, const std::string& usual) {
  return ExpandHome(sources, sources.Variable(variable).value_or(usual));
}

Result<std::vector<IniSection>> ReadIni(const CredentialSources& sources, const std::string& path) {
  const Result<std::string> text = sources.read_file(path);
  if (text.ok()) return ParseIniFile(*text, path);
  if (KindOf(text.status()) == ErrorKind::kNotFound) return std::vector<IniSection>();
  return text.status();
}

void Merge(const IniSection& from, ConfigSection* to) {
  for (const auto& [name, value] : from.values) to->Set(name, value);
}

std::string ToUpper(std::string text) {
  for (char& c : text) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return text;
}

}  // namespace

std::optional<std::string> ConfigSection::Get(const std::string& name) const {
  const auto it = values_.find(name);
  if (it == values_.end() || it->second.empty()) return std::nullopt;
  return it->second;
}

const ConfigSection* AwsConfig::Find(const Sections& sections, const std::string& name) {
  const auto it = sections.find(name);
  return it == sections.end() ? nullptr : &it->second;
}

Result<AwsConfig> AwsConfig::Load(const CredentialSources& sources) {
  AwsConfig config;
  ARROW_ASSIGN_OR_RAISE(const auto shared, ReadIni(sources, PathOf(sources, "AWS_CONFIG_FILE", "~/.aws/config")));
  for (const IniSection& section : shared) {
    const std::string& name = section.name;
    if (name == "default") Merge(section, &config.profiles_[name]);
    if (name.starts_with(kSsoSession)) Merge(section, &config.sso_sessions_[name.substr(kSsoSession.size())]);
    if (name.starts_with(kServices)) Merge(section, &config.services_[name.substr(kServices.size())]);
  }
  for (const IniSection& section : shared) {
    // After [default], since [profile default] wins.
    if (section.name.starts_with(kProfile)) Merge(section, &config.profiles_[section.name.substr(kProfile.size())]);
  }
  ARROW_ASSIGN_OR_RAISE(const auto secret,
                        ReadIni(sources, PathOf(sources, "AWS_SHARED_CREDENTIALS_FILE", "~/.aws/credentials")));
  for (const IniSection& section : secret) Merge(section, &config.profiles_[section.name]);
  return config;
}

bool ProfileIsAskedFor(const CredentialSources& sources) {
  return !sources.profile.empty() || sources.Variable("AWS_PROFILE");
}

std::string ProfileName(const CredentialSources& sources) {
  return sources.profile.empty() ? sources.Variable("AWS_PROFILE").value_or("default") : sources.profile;
}

std::string ExpandHome(const CredentialSources& sources, const std::string& path) {
  if (!path.starts_with("~/")) return path;
  return sources.Variable("HOME").value_or("") + path.substr(1);
}

Result<std::optional<HttpUrl>> ConfiguredEndpoint(const CredentialSources& sources, const AwsConfig& config,
                                                  const ConfigSection* profile, const std::string& service) {
  std::optional<std::string> url;
  std::string setting;
  const auto look = [&](std::string name, std::optional<std::string> value) {
    if (url || !value) return;
    url = std::move(value);
    setting = std::move(name);
  };
  if (sources.IsTrue("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS")) return std::nullopt;
  const std::string own = "AWS_ENDPOINT_URL_" + ToUpper(service);
  look(own, sources.Variable(own));
  look("AWS_ENDPOINT_URL", sources.Variable("AWS_ENDPOINT_URL"));
  if (profile != nullptr && profile->Get("ignore_configured_endpoint_urls") != "true") {
    const ConfigSection* const services = config.Services(profile->Get("services").value_or(""));
    if (services != nullptr) look("endpoint_url of " + service, services->Get(service + ".endpoint_url"));
    look("endpoint_url of the profile", profile->Get("endpoint_url"));
  }
  if (!url) return std::nullopt;
  Result<HttpUrl> parsed = HttpUrl::Parse(*url);
  if (!parsed.ok()) return WithContext(parsed.status(), setting);
  return *std::move(parsed);
}

}  // namespace tailrace
