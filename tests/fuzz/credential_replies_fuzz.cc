// Answers that carry credentials: JSON of the metadata services and of credential_process, XML of STS.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "auth/credential_json.h"
#include "auth/sts.h"
#include "tests/fuzz/fuzz_check.h"

namespace tailrace {
namespace {

void CheckCredentials(const Result<Credentials>& credentials) {
  if (credentials.ok()) {
    FuzzCheck(!credentials->access_key_id.empty() && !credentials->secret_access_key.empty(), "a pair is whole");
  } else {
    FuzzCheck(credentials.status().message().size() < 300, "messages repeat nothing of the answer");
  }
}

void Check(std::string_view text) {
  const auto object = ParseObject(text, "container endpoint");
  if (object.ok()) {
    for (const char* token_name : {"Token", "SessionToken"}) {
      CheckCredentials(CredentialsOf(*object, token_name, "container endpoint"));
    }
  } else {
    FuzzCheck(object.status().message().size() < 200, "messages repeat nothing of the answer");
  }
  for (const char* action : {"AssumeRole", "AssumeRoleWithWebIdentity"}) CheckCredentials(ParseStsReply(text, action));
}

}  // namespace
}  // namespace tailrace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  tailrace::Check({reinterpret_cast<const char*>(data), size});
  return 0;
}
