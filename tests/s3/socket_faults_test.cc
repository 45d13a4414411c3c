// What needs a wire, at every request of a life, over real sockets: connections that are closed or reset before, within
// and after a body, refusals before it, answers that are cut or lost.
#include <gtest/gtest.h>

#include "testing/s3_server/s3_server.h"
#include "tests/s3/life.h"

namespace tailrace::sim {
namespace {

// Waits between attempts move the fake clock; the rest is real.
class SocketWorld final : public World {
 public:
  SocketWorld() {
    server_.service().Change([](S3Rules* rules) { rules->min_part_bytes = 1; });
    setup_.settings.place = {.dialect = S3Dialect::kOther, .endpoint = server_.endpoint(), .bucket = "bucket"};
    setup_.limits = LimitsOf(Strict());
    setup_.client.transport = MakeCurlTransport({}).ValueOrDie();
    setup_.client.clock = &clock_;
    setup_.client.credentials = std::make_shared<FreshKeys>(&server_.service());
  }
  std::shared_ptr<S3Store> Process() const override { return S3Store::Make(setup_); }
  std::map<std::string, int> Calls() const override { return server_.calls(); }
  S3Server& server() { return server_; }

 private:
  S3Server server_;
  S3StoreSetup setup_;
};

struct WireFault {
  std::string name;
  Fault fault;
};
std::vector<WireFault> WireFaults() {
  using End = Fault::End;
  return {{"ClosedBeforeTheBody", {.read_body_bytes = 0, .no_reply = true, .end = End::kClose}},
          {"ResetBeforeTheBody", {.read_body_bytes = 0, .no_reply = true, .end = End::kReset}},
          {"ResetWithinTheBody", {.read_body_bytes = 500, .no_reply = true, .end = End::kReset}},
          {"ResetAfterTheBody", {.apply = false, .no_reply = true, .end = End::kReset}},
          {"RefusedBeforeTheBody", {.read_body_bytes = 0, .status = 503, .code = "SlowDown", .end = End::kClose}},
          {"AnswerCutInItsHead", {.send_bytes = 40, .end = End::kClose}},
          {"AnswerCutInItsBody", {.send_bytes = 300, .end = End::kClose}},
          {"AnswerLost", {.no_reply = true, .end = End::kReset}},
          {"AnswerLostByAClose", {.no_reply = true, .end = End::kClose}}};
}

class WireFaultsAtEveryRequest : public ::testing::TestWithParam<WireFault> {};

void ExpectLife(Ending ending) {
  bool fired = true;
  for (int nth = 0; fired; ++nth) {
    SCOPED_TRACE("at request " + std::to_string(nth));
    SocketWorld world;
    Life life(&world, ending);
    world.server().Use(
        {{.when = {.operation = "*", .skip = nth}, .fault = WireFaultsAtEveryRequest::GetParam().fault}});
    int processes = 0;
    while (!life.ended() && ++processes < 8) {
      const Status status = life.RunProcess();
      // A single fault is mended. But for a Complete that nobody answered it is not known whether it may be sent again.
      EXPECT_TRUE(status.ok() || status.message().find("CompleteMultipartUpload") != std::string::npos)
          << status.ToString();
      if (const auto bytes = world.server().Content(kKey)) {
        EXPECT_EQ(WholeRows(*bytes), life.rows_at_the_end());
      }
    }
    ASSERT_TRUE(life.ended()) << world.server().LogText();
    const auto bytes = world.server().Content(kKey);
    EXPECT_EQ(bytes ? std::optional(WholeRows(*bytes)) : std::nullopt, life.rows_at_the_end());
    // A Create whose answer was lost was sent again.
    const int creates = world.Calls()["CreateMultipartUpload"];
    EXPECT_LE(static_cast<int>(world.server().service().Uploads().size()), creates > 1 ? 1 : 0);
    fired = world.server().faults_fired() > 0;
    ASSERT_FALSE(::testing::Test::HasFailure()) << world.server().LogText();
    ASSERT_LT(nth, 60);
  }
}

TEST_P(WireFaultsAtEveryRequest, OfALifeWithAResumeAndACommit) { ExpectLife(Ending::kCommit); }
TEST_P(WireFaultsAtEveryRequest, OfALifeWithAFinish) { ExpectLife(Ending::kFinish); }
TEST_P(WireFaultsAtEveryRequest, OfALifeThatIsAborted) { ExpectLife(Ending::kAbort); }
TEST_P(WireFaultsAtEveryRequest, OfASmallFile) { ExpectLife(Ending::kSmall); }

INSTANTIATE_TEST_SUITE_P(Faults, WireFaultsAtEveryRequest, ::testing::ValuesIn(WireFaults()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace tailrace::sim
