// What the tests of credentials share: sources of which each part is the test's own.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "auth/credential_http.h"
#include "auth/credential_sources.h"
#include "auth/credential_value.h"
#include "base/iso_time.h"
#include "testing/fake_clock.h"
#include "testing/fake_transport.h"
#include "testing/status_macros.h"

namespace tailrace {

// Unless a test says otherwise: no variable, no file, no server.
struct FakeSources {
  std::map<std::string, std::string> variables = {{"HOME", "/home/me"}};
  std::map<std::string, std::string> files;
  FakeTransport::Answer answer = [](const HttpRequest& request) -> Result<HttpResponse> {
    return MakeError(ErrorKind::kTransient, request.url.WithoutQuery() + ": nobody there");
  };
  std::function<Result<std::string>(const std::vector<std::string>&)> process;
  std::string profile;

  std::shared_ptr<FakeTransport> transport =
      std::make_shared<FakeTransport>([this](const HttpRequest& request) { return answer(request); });
  FakeClock clock;
  CancelToken cancel;

  // Looks into this object, which must outlive what is made of it.
  CredentialSources Sources() {
    return {.environment = [this](const std::string& name) -> std::optional<std::string> {
              const auto it = variables.find(name);
              if (it == variables.end()) return std::nullopt;
              return it->second;
            },
            .read_file = [this](const std::string& path) -> Result<std::string> {
              const auto it = files.find(path);
              if (it == files.end()) return MakeError(ErrorKind::kNotFound, "cannot read '" + path + "'");
              return it->second;
            },
            .run_process = [this](const std::vector<std::string>& command, const CancelToken&) -> Result<std::string> {
              return process(command);
            },
            .transport = transport,
            .clock = &clock,
            .profile = profile};
  }
};

inline void ExpectCredentials(const Result<Credentials>& found, const std::string& id, const std::string& secret,
                              const std::string& token = "") {
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_EQ(found->access_key_id, id);
  EXPECT_EQ(found->secret_access_key, secret);
  EXPECT_EQ(found->session_token, token);
}

inline std::string StsXml(const std::string& action, const std::string& id, const std::string& expires) {
  return "<" + action + "Response xmlns=\"https://sts.amazonaws.com/doc/2011-06-15/\"><" + action +
         "Result><AssumedRoleUser><Arn>arn</Arn></AssumedRoleUser><Credentials><AccessKeyId>" + id +
         "</AccessKeyId><SecretAccessKey>secret-" + id + "</SecretAccessKey><SessionToken>token-" + id +
         "</SessionToken><Expiration>" + expires + "</Expiration></Credentials></" + action + "Result></" + action +
         "Response>";
}

inline std::string CredentialJson(const std::string& id, const std::string& expires,
                                  const std::string& token_name = "Token") {
  return R"({"Code":"Success","Version":1,"AccessKeyId":")" + id + R"(","SecretAccessKey":"secret-)" + id + R"(",")" +
         token_name + R"(":"token-)" + id + R"(","Expiration":")" + expires + R"("})";
}

// Beyond FakeClock's start.
inline constexpr char kLater[] = "2026-01-01T06:00:00Z";

}  // namespace tailrace
