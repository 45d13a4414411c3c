// Fail the n-th request of a whole life, for every n and every kind of fault, once or from there on until the process
// has died of it: rows are there exactly once or not at all, no object is torn, the error says kind, cause and
// attempts, what is left open is what may be, and a state that was handed out still finishes once the store is well.
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/s3/fault_kinds.h"
#include "tests/s3/life.h"

namespace tailrace::sim {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;

struct Row {
  StoreKind store;
  Ending ending;
  std::string ending_name;
};

class FailNthRequest : public ::testing::TestWithParam<Row> {
 protected:
  // One life, with the fault at the n-th of the requests that it is for. false: there was no such request.
  bool RunOneLife(const FaultKind& kind, const std::string& operation, int nth, bool once, bool finish_after);
  static void ExpectError(const FaultKind& kind, bool once, const Status& status);
  void ExpectEnd(S3World* world, const Life& life, const FaultKind& kind);
  // Another process takes the last state after the failure, and finishes it.
  void ExpectStateFinishes(S3World* world, const Life& life);
};

void FailNthRequest::ExpectError(const FaultKind& kind, bool once, const Status& status) {
  const bool told = kind.kinds.contains(KindOf(status)) || KindOf(status) == ErrorKind::kOutcomeUnknown;
  EXPECT_TRUE(told) << status.ToString();
  // Where nothing is under the key the upload is gone, and it does not matter by which words the store said so.
  if (KindOf(status) != ErrorKind::kUploadGone) {
    // An answer to HEAD has no body that names a code.
    const bool head = status.message().find("HeadObject") != std::string::npos && !kind.no_answer();
    EXPECT_THAT(status.message(), HasSubstr(head ? kind.cause.substr(0, 3) : kind.cause));
  }
  const bool complete_lost = kind.no_answer() && status.message().find("CompleteMultipartUpload") != std::string::npos;
  if (kind.mended && !complete_lost) {
    EXPECT_FALSE(once) << "a single one is to be mended: " << status.ToString();
    EXPECT_THAT(status.message(), ContainsRegex("gave up after [2-4] attempts in [0-9.]+ s"));
  }
  EXPECT_THAT(status.message(), HasSubstr(kKey));
}

void FailNthRequest::ExpectStateFinishes(S3World* world, const Life& life) {
  const WriterState state = WriterState::FromBytes(*life.state()).ValueOrDie();
  const Result<CommitInfo> finished = Finish(state, world->Healthy());
  if (finished.ok()) {
    EXPECT_EQ(world->RowsThere(), state.rows());
  } else {
    // The write was committed by the request whose answer was lost.
    EXPECT_KIND(ErrorKind::kFenced, finished);
    EXPECT_EQ(world->RowsThere(), kLifeRows);
  }
  EXPECT_THAT(world->OpenUploads(), ::testing::Not(::testing::Contains(state.progress.upload_id.text)));
}

void FailNthRequest::ExpectEnd(S3World* world, const Life& life, const FaultKind& kind) {
  EXPECT_EQ(world->RowsThere(), life.rows_at_the_end());
  const std::vector<std::string> open = world->OpenUploads();
  if (life.state() && !(kind.name == "NoSuchUpload" && life.rows_at_the_end() == std::nullopt)) {
    const std::string ours = WriterState::FromBytes(*life.state()).ValueOrDie().progress.upload_id.text;
    EXPECT_THAT(open, ::testing::Not(::testing::Contains(ours)));
  }
  // One of each write that nobody got a state of, and those of which the store made more than it told.
  const auto creates = world->transport().log("CreateMultipartUpload");
  const auto untold = std::count_if(creates.begin(), creates.end(), [](const auto& one) { return one.status != 200; });
  const int lies = kind.name == "NoSuchUpload" ? 1 : 0;
  EXPECT_LE(static_cast<int64_t>(open.size()), untold + life.stateless_deaths() + lies);
  EXPECT_EQ(world->ListedUploads(), open) << "leftovers are there to be listed";
}

bool FailNthRequest::RunOneLife(const FaultKind& kind, const std::string& operation, int nth, bool once,
                                bool finish_after) {
  S3World world(GetParam().store);
  Life life(&world, GetParam().ending);
  world.transport().Use({{.when = {.operation = operation, .skip = nth, .times = once ? 1 : -1}, .fault = kind.fault}});
  int fired = 0;
  for (int process = 0; !life.ended(); ++process) {
    if (process > 6) {
      ADD_FAILURE() << "the life does not end\n" << world.LogText();
      break;
    }
    const Status status = life.RunProcess();
    fired = std::max(fired, world.transport().faults_fired());
    if (const auto rows = world.RowsThere()) {
      EXPECT_EQ(rows, life.rows_at_the_end());
    }
    if (status.ok()) continue;
    ExpectError(kind, once, status);
    world.transport().Use({});
    if (finish_after && life.state()) {
      ExpectStateFinishes(&world, life);
      break;
    }
  }
  if (life.ended()) ExpectEnd(&world, life, kind);
  EXPECT_LT(world.transport().log().size(), 200u);
  if (HasFailure()) ADD_FAILURE() << world.LogText();
  return fired > 0;
}

TEST_P(FailNthRequest, RowsAreThereExactlyOnceOrNotAtAll) {
  const Row& row = GetParam();
  int lives = 0;
  for (const FaultKind& kind : FaultKinds()) {
    for (const std::string& operation : kind.operations) {
      bool fired = true;
      for (int nth = 0; fired; ++nth) {
        SCOPED_TRACE(kind.name + " at request " + std::to_string(nth) + " of " + operation);
        fired = RunOneLife(kind, operation, nth, /*once=*/true, false);
        ++lives;
        if (fired) RunOneLife(kind, operation, nth, /*once=*/false, false);
        if (fired && row.ending == Ending::kCommit) RunOneLife(kind, operation, nth, /*once=*/false, true);
        ASSERT_FALSE(HasFailure());
        ASSERT_LT(nth, 100);
      }
    }
  }
  RecordProperty("lives", lives);
  EXPECT_GT(lives, 20) << "no request was made to fail";
}

std::vector<Row> Matrix() {
  std::vector<Row> rows;
  for (const StoreKind& store : {Strict(), Rgw()}) {
    rows.push_back({store, Ending::kCommit, "Commit"});
    rows.push_back({store, Ending::kFinish, "Finish"});
    rows.push_back({store, Ending::kAbort, "Abort"});
    rows.push_back({store, Ending::kSmall, "Small"});
  }
  return rows;
}
INSTANTIATE_TEST_SUITE_P(Lives, FailNthRequest, ::testing::ValuesIn(Matrix()),
                         [](const auto& info) { return info.param.store.name + info.param.ending_name; });

}  // namespace
}  // namespace tailrace::sim
