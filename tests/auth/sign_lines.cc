// Signs what it is told to, for the comparison with another signer: one JSON object a line in, one a line out.
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "auth/sigv4.h"
#include "base/iso_time.h"

namespace tailrace {
namespace {

using nlohmann::json;

std::string SignLine(const json& in) {
  HttpRequest request{.method = in.at("method"),
                      .url = {.scheme = in.at("scheme"),
                              .host = in.at("host"),
                              .port = in.at("port"),
                              .path = UriEncode(in.at("path").get<std::string>(), /*keep_slash=*/true)}};
  std::vector<std::pair<std::string, std::string>> query = in.at("query");
  request.url.query = EncodeQuery(std::move(query));
  for (const auto& [name, value] : in.at("headers").get<std::vector<std::pair<std::string, std::string>>>()) {
    request.headers.Add(name, value);
  }
  const Credentials credentials{.access_key_id = in.at("access_key_id"),
                                .secret_access_key = in.at("secret_access_key"),
                                .session_token = in.at("session_token")};
  const SigningScope scope{.region = in.at("region"), .service = in.at("service")};
  const Timestamp now = ParseIsoTime(in.at("time").get<std::string>()).value();
  json out;
  if (in.contains("valid_for")) {
    const HttpUrl presigned = PresignUrl(request.method, request.url, credentials, scope, now,
                                         std::chrono::seconds(in.at("valid_for").get<int64_t>()))
                                  .ValueOrDie();
    out["url"] = presigned.ToString();
  } else {
    std::string hash = in.at("payload_hash");
    if (hash.empty()) hash = Sha256Hex(ByteSlices(ByteSlice::Copy(in.at("body"))));
    SignRequest(&request, credentials, scope, now, hash);
    out["url"] = request.url.ToString();
    for (const auto& [name, value] : request.headers.fields()) out["headers"].push_back({name, value});
  }
  return out.dump();
}

}  // namespace
}  // namespace tailrace

int main() {
  std::ios::sync_with_stdio(false);
  for (std::string line; std::getline(std::cin, line);) {
    std::cout << tailrace::SignLine(nlohmann::json::parse(line)) << '\n';
  }
}
