#include "http/proxy.h"

#include <initializer_list>

namespace tailrace {
namespace {

std::string FirstSet(const Environment& environment, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    std::string value = environment(name).value_or("");
    if (!value.empty()) return value;
  }
  return "";
}

}  // namespace

ProxySettings ProxyFromEnvironment(const Environment& environment) {
  return {.http = FirstSet(environment, {"http_proxy", "all_proxy", "ALL_PROXY"}),
          .https = FirstSet(environment, {"https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"}),
          .no_proxy = FirstSet(environment, {"no_proxy", "NO_PROXY"})};
}

std::string ProxyName(std::string_view proxy) {
  std::string scheme = "http://";
  if (const size_t end = proxy.find("://"); end != proxy.npos) {
    scheme = proxy.substr(0, end + 3);
    proxy.remove_prefix(end + 3);
  }
  // A password may hold '/' or '?' unescaped, so all up to the last '@' is taken for it.
  if (const size_t at = proxy.rfind('@'); at != proxy.npos) proxy.remove_prefix(at + 1);
  return scheme + std::string(proxy.substr(0, proxy.find_first_of("/?#")));
}

}  // namespace tailrace
