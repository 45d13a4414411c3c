// Races over real sockets in threads of one process: TAILRACE_ROUNDS of them on each store, 100 by default in all.
#include <thread>

#include <gtest/gtest.h>

#include "testing/rounds.h"
#include "testing/s3_server/s3_server.h"
#include "tests/s3/races.h"

namespace tailrace::sim {
namespace {

std::vector<Status> RunInThreads(const Race& race, const S3Server& server, const S3Key& key, const StoreKind& kind) {
  std::vector<Status> results(race.ops.size());
  std::vector<std::jthread> threads;
  for (size_t i = 0; i < race.ops.size(); ++i) {
    const auto store = OpenAt(server.endpoint(), key, kind);
    threads.emplace_back([&, i, store] { results[i] = RunRaceOp(race.ops[i], store); });
  }
  threads.clear();
  return results;
}

class SocketRaces : public ::testing::TestWithParam<StoreKind> {
 protected:
  void RunRounds(int rounds, const std::vector<int>& races) {
    Become(&server_.service(), GetParam());
    for (int round = 0; round < rounds; ++round) {
      SCOPED_TRACE("round " + std::to_string(round));
      const std::string key = "races/" + std::to_string(round);
      const auto store = OpenAt(server_.endpoint(), server_.key(), GetParam());
      const Race race = MakeRace(races[static_cast<size_t>(round) % races.size()], store, key);
      server_.ResetLog();
      const std::vector<Status> results = RunInThreads(race, server_, server_.key(), GetParam());
      JudgeRace(race, results, &server_.service(), key, store);
      ASSERT_FALSE(HasFailure()) << server_.LogText();
    }
  }
  S3Server server_;
};

TEST_P(SocketRaces, AtMostOneWinsAndNothingIsMixed) { RunRounds(Rounds(100) / 4, {0, 1, 2, 3, 4}); }
INSTANTIATE_TEST_SUITE_P(Stores, SocketRaces, ::testing::Values(Strict(), Rgw(), Swift(), Opaque()),
                         [](const auto& info) { return info.param.name; });

// On a store that completes with whatever stands under a part's number two writers of different bytes can be mixed, of
// which resume warns. Those that act on one value write the same bytes, and are safe there, too.
class UncheckedTags : public SocketRaces {};
TEST_P(UncheckedTags, ActingOnOneValueAtOnceIsSafe) { RunRounds(Rounds(100) / 10, {0, 1}); }
TEST_P(UncheckedTags, ResumeWarns) {
  Become(&server_.service(), GetParam());
  const auto store = OpenAt(server_.endpoint(), server_.key(), GetParam());
  const Race race = MakeRace(1, store, "k");
  ASSERT_OK_AND_ASSIGN(auto writer, ParquetStreamWriter::Resume(WriterState::FromBytes(race.common).ValueOrDie(),
                                                                {.runtime = Inline(), .store = store}));
  ASSERT_EQ(writer->warnings().size(), 1u);
  EXPECT_NE(writer->warnings()[0].find("do not let two processes resume"), std::string::npos);
}
INSTANTIATE_TEST_SUITE_P(Stores, UncheckedTags, ::testing::Values(Unchecked()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace tailrace::sim
