#include "auth/process_credentials.h"

#include <sys/stat.h>

#include <chrono>
#include <thread>

#include "auth/credentials_test.h"
#include "testing/temp_folder.h"

namespace tailrace {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::vector<std::string> Split(const std::string& line) { return SplitCommand(line).ValueOr({"failed"}); }

TEST(SplitCommand, SplitsAsAShell) {
  EXPECT_THAT(Split("/opt/get-keys  --role dev\t"), ElementsAre("/opt/get-keys", "--role", "dev"));
  EXPECT_THAT(Split(R"("/opt/my tools/keys" 'a "b" \c' "d \"e\" \f" g\ h '')"),
              ElementsAre("/opt/my tools/keys", R"(a "b" \c)", R"(d "e" \f)", "g h", ""));
  EXPECT_THAT(Split(R"(a"b"'c'd $HOME ~)"), ElementsAre("abcd", "$HOME", "~"));
  EXPECT_KIND(ErrorKind::kInvalid, SplitCommand("a 'b"));
  EXPECT_KIND(ErrorKind::kInvalid, SplitCommand("a \"b'"));
  EXPECT_KIND(ErrorKind::kInvalid, SplitCommand("  "));
}

TEST(RunProcess, GivesItsOutputAndNothingOnItsInput) {
  const CancelToken never;
  ASSERT_OK_AND_ASSIGN(const std::string output,
                       RunProcess({"sh", "-c", "cat; printf 'a b'; printf c", "x"}, seconds(20), never));
  EXPECT_EQ(output, "a bc");
}

TEST(RunProcess, FailuresAreTold) {
  const CancelToken never;
  struct Row {
    std::vector<std::string> command;
    const char* words;
  };
  for (const Row& row :
       {Row{{"tailrace-no-such-program"}, "cannot be started"},
        {{"sh", "-c", "exit 3"}, "ended with status 3"},
        {{"sh", "-c", "kill -9 $$"}, "signal 9"},
        {{"sh", "-c", "while :; do echo xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done"}, "more than 65536"}}) {
    const auto result = RunProcess(row.command, seconds(20), never);
    EXPECT_KIND(ErrorKind::kDenied, result);
    EXPECT_THAT(result.status().message(), HasSubstr(row.words));
  }
}

TEST(RunProcess, OneThatHangsIsKilled) {
  const CancelToken never;
  const auto start = std::chrono::steady_clock::now();
  const auto result = RunProcess({"sleep", "60"}, milliseconds(200), never);
  EXPECT_KIND(ErrorKind::kDenied, result);
  EXPECT_THAT(result.status().message(), HasSubstr("within 200 ms"));
  // Its output closed, and still running.
  EXPECT_KIND(ErrorKind::kDenied, RunProcess({"sh", "-c", "exec >/dev/null; exec sleep 60"}, milliseconds(200), never));
  EXPECT_LT(std::chrono::steady_clock::now() - start, seconds(10));
}

TEST(RunProcess, CancelEndsIt) {
  CancelToken cancel;
  std::thread stopper([&] {
    std::this_thread::sleep_for(milliseconds(100));
    cancel.Cancel();
  });
  const auto start = std::chrono::steady_clock::now();
  EXPECT_KIND(ErrorKind::kCancelled, RunProcess({"sleep", "60"}, seconds(60), cancel));
  EXPECT_LT(std::chrono::steady_clock::now() - start, seconds(10));
  stopper.join();
}

class ProcessSource : public testing::Test {
 protected:
  Result<Credentials> Run(const std::string& output) {
    fake_.process = [&](const std::vector<std::string>& command) -> Result<std::string> {
      command_ = command;
      return output;
    };
    const CredentialSources sources = fake_.Sources();
    return ProcessCredentials({sources, fake_.cancel}, "get-keys 'a b'");
  }

  FakeSources fake_;
  std::vector<std::string> command_;
};

TEST_F(ProcessSource, VersionOneIsRead) {
  const auto found = Run(CredentialJson("P", kLater, "SessionToken"));
  ExpectCredentials(found, "P", "secret-P", "token-P");
  EXPECT_EQ(found->expires, ParseIsoTime(kLater));
  EXPECT_THAT(command_, ElementsAre("get-keys", "a b"));
  const auto lasting = Run(R"({"Version": 1, "AccessKeyId": "P", "SecretAccessKey": "s"})");
  ExpectCredentials(lasting, "P", "s");
  EXPECT_EQ(lasting->expires, std::nullopt);
}

TEST_F(ProcessSource, AnythingElseIsDeniedAndNotRepeated) {
  for (const char* output : {"", "secret-P", R"({"AccessKeyId":"P","SecretAccessKey":"secret-P"})",
                             R"({"Version":2,"AccessKeyId":"P","SecretAccessKey":"secret-P"})",
                             R"({"Version":"1","AccessKeyId":"P","SecretAccessKey":"secret-P"})",
                             R"({"Version":1,"SecretAccessKey":"secret-P"})"}) {
    const auto found = Run(output);
    EXPECT_KIND(ErrorKind::kDenied, found);
    EXPECT_THAT(found.status().ToString(),
                AllOf(HasSubstr("credential_process 'get-keys'"), Not(HasSubstr("secret-P")), Not(HasSubstr("a b"))));
  }
}

}  // namespace
}  // namespace tailrace
