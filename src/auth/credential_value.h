// A set of credentials, as the value it is.
#pragma once

#include <optional>
#include <string>

#include "tailrace/object.h"

namespace tailrace {

// Never printed: it has no stream operator, and messages name where it came from instead.
struct Credentials {
  std::string access_key_id;
  std::string secret_access_key;
  std::string session_token;  // empty where there is none
  std::optional<Timestamp> expires;
  // Requests are sent unsigned.
  bool anonymous() const { return access_key_id.empty(); }
  friend bool operator==(const Credentials&, const Credentials&) = default;
};

}  // namespace tailrace
