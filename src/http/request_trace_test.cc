#include "http/request_trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/fake_environment.h"
#include "testing/fake_transport.h"
#include "testing/status_macros.h"

namespace tailrace {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;

class RequestTrace : public ::testing::Test {
 protected:
  std::string LineOf(const HttpRequest& request, Result<HttpResponse> answer, const HttpSendOptions& options = {}) {
    std::vector<std::string> lines;
    const auto inner = std::make_shared<FakeTransport>([&](const HttpRequest&) { return answer; });
    const auto traced = MakeTracingTransport(inner, [&](const std::string& line) { lines.push_back(line); });
    EXPECT_EQ(traced->Send(request, options).ok(), answer.ok());
    EXPECT_EQ(lines.size(), 1u);
    return lines.at(0);
  }
  static HttpRequest Put(std::string query) {
    HttpRequest request{.method = "PUT", .url = {.scheme = "https", .host = "h", .path = "/b/k", .query = query}};
    request.headers.Add("Authorization", "AWS4 Signature=5ec7e7");
    request.body = ByteSlices(ByteSlice::Copy("twelve bytes"));
    return request;
  }
};

TEST_F(RequestTrace, AnAnswerIsALine) {
  const HttpResponse answer{.status = 503, .headers = {{"X-Amz-Request-Id", "7A"}}, .body = "four"};
  EXPECT_THAT(LineOf(Put("partNumber=3&uploadId=u1"), answer, {.attempt = 2}),
              MatchesRegex("PUT https://h/b/k\\?partNumber=3&uploadId attempt 2: 503 in [0-9]+ ms, 12 bytes sent, "
                           "4 received, request 7A"));
}

TEST_F(RequestTrace, AFailureIsALine) {
  EXPECT_THAT(LineOf(Put(""), MakeError(ErrorKind::kTransient, "PUT https://h/b/k: reset")),
              MatchesRegex("PUT https://h/b/k: transient in [0-9]+ ms, 12 bytes sent: reset"));
}

TEST_F(RequestTrace, NoSecretIsInIt) {
  const std::string line = LineOf(Put("X-Amz-Credential=AKID&X-Amz-Signature=5ec7e7&X-Amz-Security-Token=70ken"),
                                  HttpResponse{.status = 200, .headers = {{"x-amz-request-id", "a\n\x1b[31m"}}});
  for (const char* secret : {"AKID", "5ec7e7", "70ken", "\n", "\x1b"}) EXPECT_THAT(line, Not(HasSubstr(secret)));
}

TEST_F(RequestTrace, OfLocalServicesTheHostAloneIsShown) {
  HttpRequest request{.method = "GET", .url = {.scheme = "http", .host = "169.254.170.2", .path = "/v2/5ec7e7"}};
  for (const auto& answer :
       {Result<HttpResponse>(HttpResponse{.status = 200}),
        Result<HttpResponse>(MakeError(ErrorKind::kTransient, "GET http://.../v2/5ec7e7: reset"))}) {
    const std::string line = LineOf(request, answer, {.direct = true});
    EXPECT_THAT(line, HasSubstr("GET http://169.254.170.2/...: "));
    EXPECT_THAT(line, Not(HasSubstr("5ec7e7")));
  }
}

TEST_F(RequestTrace, IsOnlyThereWhereItIsAskedFor) {
  const auto inner = std::make_shared<FakeTransport>([](const HttpRequest&) { return HttpResponse{.status = 200}; });
  EXPECT_EQ(TraceIfAsked(inner, FakeEnvironment({})), inner);
  EXPECT_EQ(TraceIfAsked(inner, FakeEnvironment({{"TAILRACE_LOG", "info"}})), inner);
  const auto traced = TraceIfAsked(inner, FakeEnvironment({{"TAILRACE_LOG", "trace"}}));
  ::testing::internal::CaptureStderr();
  ASSERT_OK(traced->Send(Put(""), {}));
  EXPECT_THAT(::testing::internal::GetCapturedStderr(), HasSubstr("tailrace: PUT https://h/b/k: 200 in "));
}

}  // namespace
}  // namespace tailrace
