#include "auth/credential_json.h"

#include <nlohmann/json.hpp>

#include "base/iso_time.h"

namespace tailrace {

using nlohmann::json;

Result<json> ParseObject(std::string_view text, const std::string& origin) {
  json object = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!object.is_object()) return MakeError(ErrorKind::kDenied, origin + ": the answer is no JSON object");
  return object;
}

std::string TextOf(const json& object, const std::string& name) {
  const auto it = object.find(name);
  return it != object.end() && it->is_string() ? it->get<std::string>() : "";
}

Result<Credentials> CredentialsOf(const json& object, const std::string& token_name, const std::string& origin) {
  Credentials credentials{.access_key_id = TextOf(object, "AccessKeyId"),
                          .secret_access_key = TextOf(object, "SecretAccessKey"),
                          .session_token = TextOf(object, token_name)};
  for (const char* name : {"AccessKeyId", "SecretAccessKey"}) {
    if (TextOf(object, name).empty()) return MakeError(ErrorKind::kDenied, origin + ": the answer has no " + name);
  }
  if (object.contains("Expiration") && !object["Expiration"].is_null()) {
    credentials.expires = ParseIsoTime(TextOf(object, "Expiration"));
    if (!credentials.expires) return MakeError(ErrorKind::kDenied, origin + ": Expiration is no time");
  }
  return credentials;
}

}  // namespace tailrace
