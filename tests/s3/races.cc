#include "tests/s3/races.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace tailrace::sim {
namespace {

constexpr int64_t kCommonRows = 150;

Status GoOn(const WriterState& state, int64_t flush_rows, const std::shared_ptr<MultipartStore>& store) {
  ARROW_ASSIGN_OR_RAISE(auto writer, ParquetStreamWriter::Resume(state, {.runtime = Inline(), .store = store}));
  while (writer->rows() < kRaceRows) {
    ARROW_RETURN_NOT_OK(WriteOn(writer.get(), std::min(kRaceRows, writer->rows() + flush_rows)));
    ARROW_RETURN_NOT_OK(writer->Checkpoint());
  }
  ARROW_ASSIGN_OR_RAISE(const PendingCommit pending, writer->Close());
  return Commit(pending, {.store = store}).status();
}

int64_t RowsOf(const RaceOp& op) {
  switch (op.kind) {
    case RaceOp::Kind::kCommit:
      return PendingCommit::FromBytes(op.value).ValueOrDie().rows;
    case RaceOp::Kind::kFinish:
      return WriterState::FromBytes(op.value).ValueOrDie().rows();
    case RaceOp::Kind::kGoOn:
      break;
  }
  return kRaceRows;
}

// What an uninterrupted writer with these flush points leaves.
const std::string& BytesOf(const RaceOp& op) {
  static std::map<int64_t, std::string> known;
  std::string& bytes = known[op.flush_rows];
  if (!bytes.empty()) return bytes;
  std::vector<int64_t> checkpoints = {kCommonRows};
  while (checkpoints.back() < kRaceRows) {
    checkpoints.push_back(std::min(kRaceRows, checkpoints.back() + op.flush_rows));
  }
  return bytes = UninterruptedBytes(checkpoints, kRaceRows, TinyParts()).ValueOrDie();
}

std::optional<std::string> ObjectAt(const S3Service& service, const std::string& key) {
  const auto objects = service.Objects();
  const auto found = objects.find({"bucket", key});
  return found == objects.end() ? std::nullopt : std::optional(found->second.bytes);
}

void ExpectLoser(const Status& status) {
  const Outcome outcome = OutcomeOf(status);
  // A resume that comes when all is done is told that it is, or at which row somebody finished.
  const bool done = DetailOf(status) != nullptr && DetailOf(status)->already_committed;
  EXPECT_TRUE(outcome == Outcome::kFenced || outcome == Outcome::kGone || outcome == Outcome::kRetry || done)
      << status.ToString();
}

}  // namespace

Status RunRaceOp(const RaceOp& op, const std::shared_ptr<MultipartStore>& store) {
  if (op.kind == RaceOp::Kind::kCommit) {
    ARROW_ASSIGN_OR_RAISE(const PendingCommit pending, PendingCommit::FromBytes(op.value));
    return Commit(pending, {.store = store}).status();
  }
  ARROW_ASSIGN_OR_RAISE(const WriterState state, WriterState::FromBytes(op.value));
  if (op.kind == RaceOp::Kind::kFinish) return Finish(state, {.store = store}).status();
  return GoOn(state, op.flush_rows, store);
}

Race MakeRace(int which, const std::shared_ptr<MultipartStore>& store, const std::string& key) {
  auto writer = ParquetStreamWriter::Open(store, key, RowSchema(), TinyParts(), Inline()).ValueOrDie();
  const auto state_at = [&](int64_t rows) {
    MustBeOk(WriteOn(writer.get(), rows));
    return writer->Checkpoint().ValueOrDie().ToBytes();
  };
  Race race{.common = state_at(kCommonRows)};
  const RaceOp common{RaceOp::Kind::kFinish, race.common};
  const auto closed = [&] {
    MustBeOk(WriteOn(writer.get(), kRaceRows));
    return RaceOp{RaceOp::Kind::kCommit, writer->Close().ValueOrDie().ToBytes()};
  };
  switch (which) {
    case 0: {
      const RaceOp commit = closed();
      return {"committers of one closed file", {commit, commit}, true, race.common};
    }
    case 1:
      return {"finishers of one state", {common, common}, true, race.common};
    case 2:
      return {"finishers of different states", {common, {RaceOp::Kind::kFinish, state_at(300)}}, false, race.common};
    case 3:
      return {"a writer and one resumed beside it",
              {{RaceOp::Kind::kGoOn, race.common, 100}, {RaceOp::Kind::kGoOn, race.common, 70}},
              false,
              race.common};
    default:
      return {"a committer and a finisher of an older state", {closed(), common}, false, race.common};
  }
}

void JudgeRace(const Race& race, const std::vector<Status>& results, S3Service* service, const std::string& key,
               const std::shared_ptr<MultipartStore>& store) {
  SCOPED_TRACE(race.name);
  const std::optional<std::string> object = ObjectAt(*service, key);
  int winners = 0;
  for (size_t i = 0; i < results.size(); ++i) {
    if (!results[i].ok()) {
      ExpectLoser(results[i]);
      continue;
    }
    ++winners;
    ASSERT_TRUE(object.has_value());
    EXPECT_EQ(WholeRows(*object), RowsOf(race.ops[i])) << "told success and not under the key";
    if (race.ops[i].kind == RaceOp::Kind::kGoOn && service->rules().leaves_strays_out) {
      EXPECT_TRUE(*object == BytesOf(race.ops[i])) << "the winner's bytes are not those it wrote";
    }
  }
  if (!race.same_content) {
    EXPECT_LE(winners, 1);
  }
  if (object) {
    EXPECT_GE(WholeRows(*object), 0) << "torn";
    EXPECT_GE(winners, 1) << "an object that nobody was told of";
  } else {
    EXPECT_EQ(winners, 0);
    const WriterState common = WriterState::FromBytes(race.common).ValueOrDie();
    ASSERT_OK(Finish(common, {.store = store}));
    EXPECT_EQ(WholeRows(ObjectAt(*service, key).value()), common.rows());
  }
  for (const auto& [id, upload] : service->Uploads()) EXPECT_NE(upload.key, key) << "an upload is left";
}

std::shared_ptr<MultipartStore> OpenAt(const std::string& endpoint, const S3Key& key, const StoreKind& kind) {
  StoreOptions options{.limits = LimitsOf(kind)};
  options.s3.endpoint = endpoint;
  options.s3.region = "us-east-1";
  options.s3.credentials =
      S3Credentials{.access_key_id = key.access_key_id, .secret_access_key = key.secret_access_key};
  return OpenStore("s3://bucket/any", options).ValueOrDie().store;
}

void Become(S3Service* service, const StoreKind& kind) {
  service->Change([&](S3Rules* rules) {
    S3Rules fresh;
    fresh.signature.keys = {S3Key{}};
    fresh.min_part_bytes = 1;
    kind.rules(&fresh);
    *rules = fresh;
  });
}

}  // namespace tailrace::sim
