// Which proxy the environment asks for.
#pragma once

#include <string>
#include <string_view>

#include "base/environment.h"

namespace tailrace {

struct ProxySettings {
  std::string http;      // for http:// URLs; empty: none
  std::string https;     // for https:// URLs
  std::string no_proxy;  // hosts that are reached directly, in curl's form
};

// The same variables in the same order as curl. Read once: libcurl itself would call getenv in every exchange, beside
// threads that may change the environment.
ProxySettings ProxyFromEnvironment(const Environment& environment);

// "http://host:port" of a proxy's URL, for messages: user name and password are left out.
std::string ProxyName(std::string_view proxy);

}  // namespace tailrace
