// Seeded chaos: histories of writers, resumes, commits and finishes that meet faults of every kind, latencies, deaths,
// expired keys, stray parts and stale writers, in four levels. TAILRACE_ROUNDS histories (200 by default) in all; the
// failure of one prints its seed, level and requests, and TAILRACE_SEED runs that seed alone.
#include <algorithm>
#include <cstdlib>
#include <random>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/rounds.h"
#include "tests/s3/fault_kinds.h"
#include "tests/s3/s3_world.h"

namespace tailrace::sim {
namespace {

constexpr int64_t kMostRows = 400;

struct Level {
  std::string name;
  int percent = 0;        // of requests that meet a fault
  bool deaths = false;    // processes end without a word
  bool troubles = false;  // latencies, expired keys, stray parts
  bool stale = false;     // several writers at once, and answers that are no truth
};
std::vector<Level> Levels() {
  return {{.name = "Mild", .percent = 2},
          {.name = "Uneasy", .percent = 8, .deaths = true},
          {.name = "Rough", .percent = 20, .deaths = true, .troubles = true},
          {.name = "Hostile", .percent = 30, .deaths = true, .troubles = true, .stale = true}};
}

// What a value is worth: from the moment somebody has it, the object may be of its rows.
struct Value {
  std::string bytes;
  int64_t rows = 0;
  bool won = false;  // somebody was told that it is committed
};

class History {
 public:
  History(uint64_t seed, const Level& level)
      : level_(level), random_(seed), world_(AllKinds()[Draw(AllKinds().size())]) {}

  void Run() {
    StartFaults();
    const uint64_t steps = 20 + Draw(60);
    for (uint64_t i = 0; i < steps && !::testing::Test::HasFailure(); ++i) {
      Step();
      CheckObject();
    }
    End();
    EXPECT_LT(world_.transport().log().size(), 5000u);
  }
  std::string LogText() const { return world_.LogText() + steps_; }
  bool published() const { return visible_.has_value(); }

 private:
  struct Process {
    std::shared_ptr<S3Store> store;
    std::unique_ptr<ParquetStreamWriter> writer;
    bool stateless = true;
  };

  uint64_t Draw(uint64_t below) { return random_() % below; }
  bool Chance(uint64_t percent) { return Draw(100) < percent; }
  void Say(const std::string& what) {
    steps_ += what + " at request " + std::to_string(world_.transport().log().size()) + "\n";
  }

  void StartFaults() {
    std::vector<FaultKind> kinds = FaultKinds();
    std::erase_if(kinds, [&](const FaultKind& kind) { return !kind.mended && !level_.stale; });
    std::shuffle(kinds.begin(), kinds.end(), random_);
    kinds.resize(5);
    std::vector<FaultRule> rules;
    for (const FaultKind& kind : kinds) {
      const int percent = kind.mended ? std::max(1, level_.percent / 5) : 1;
      for (const std::string& operation : kind.operations) {
        rules.push_back({{.operation = operation, .times = -1, .percent = percent}, kind.fault});
      }
    }
    if (level_.troubles) {
      Fault late{.delay = std::chrono::seconds(1 + Draw(90))};
      rules.push_back({{.operation = "*", .times = -1, .percent = 3}, late});
    }
    world_.transport().Use(std::move(rules), random_());
  }

  void Step() {
    const uint64_t dice = Draw(100);
    const size_t most = level_.stale ? 3 : 1;
    if (processes_.empty() && pendings_.empty()) return states_.empty() ? Open() : Resume();
    if (dice < 8 && processes_.size() < most && !states_.empty() && pendings_.empty()) return Resume();
    if (dice < 14 && level_.deaths) return Die();
    if (dice < 20 && level_.troubles) return Trouble();
    if (dice < 28 && !pendings_.empty()) return CommitOne();
    if (dice < 31 && !states_.empty() && (level_.stale || processes_.empty())) return FinishOne();
    if (processes_.empty()) return;
    Process* const process = &processes_[Draw(processes_.size())];
    if (dice < 50) return Checkpoint(process);
    if (dice < 56) return Close(process);
    if (process->writer->rows() >= kMostRows) return Close(process);
    After(process, WriteOn(process->writer.get(),
                           std::min(kMostRows, process->writer->rows() + 10 + static_cast<int64_t>(Draw(80)))));
  }

  void Open() {
    FileOptions options = TinyParts();
    if (Chance(20)) options.inline_max_bytes = 16 << 10;
    if (Chance(60)) options.checkpoint_mode = CheckpointMode::kCarry;
    options.carry_max_bytes = Chance(50) ? 32 << 10 : 4 << 10;
    Process process{.store = world_.Process()};
    process.writer = ParquetStreamWriter::Open(process.store, kKey, RowSchema(), options, Inline()).ValueOrDie();
    processes_.push_back(std::move(process));
    Say("open");
  }

  void Resume() {
    // Mostly the newest.
    const Value& value = Chance(75) ? states_.back() : states_[Draw(states_.size())];
    disturbed_ = disturbed_ || &value != &states_.back();
    const auto store = world_.Process();
    const WriterState state = WriterState::FromBytes(value.bytes).ValueOrDie();
    auto writer = ParquetStreamWriter::Resume(state, {.runtime = Inline(), .store = store});
    Say("resume from " + std::to_string(state.rows()) + ": " + writer.status().ToString());
    if (writer.ok()) processes_.push_back({store, *std::move(writer), /*stateless=*/false});
    if (!writer.ok()) CheckError(writer.status());
  }

  // A process that met an error has a writer that stays with it.
  void After(Process* process, const Status& status) {
    if (status.ok()) return;
    Say("error: " + status.ToString());
    CheckError(status);
    EXPECT_EQ(process->writer->Write(*Rows(0, 1)).ToString(), status.ToString());
    Forget(process);
  }

  void Forget(Process* process) {
    if (process->stateless) ++stateless_;
    processes_.erase(processes_.begin() + (process - processes_.data()));
  }

  void Die() {
    if (processes_.empty()) return;
    Process* const process = &processes_[Draw(processes_.size())];
    Say("death at row " + std::to_string(process->writer->rows()));
    Forget(process);
  }

  void Checkpoint(Process* process) {
    Result<WriterState> state =
        Chance(75) ? process->writer->Checkpoint() : process->writer->Checkpoint(CheckpointMode::kFlush);
    if (!state.ok()) return After(process, state.status());
    process->stateless = false;
    Say("state at " + std::to_string(state->rows()) + ", carrying " + std::to_string(state->carried.rows()));
    states_.push_back({state->ToBytes(), state->rows()});
  }

  void Close(Process* process) {
    Result<PendingCommit> pending = process->writer->Close();
    if (!pending.ok()) return After(process, pending.status());
    Say("close at " + std::to_string(pending->rows));
    pendings_.push_back({pending->ToBytes(), pending->rows});
    process->stateless = false;
    Forget(process);
  }

  void Trouble() {
    if (Chance(40)) {
      Say("keys expire");
      world_.transport().service().Change([](S3Rules* rules) {
        for (S3Key& key : rules->signature.keys) key.expired = true;
      });
      return;
    }
    if (states_.empty()) return;
    // What a process that nobody remembers left: beyond the parts of all states, or it would have been one of these.
    const WriterState state = WriterState::FromBytes(states_.back().bytes).ValueOrDie();
    int parts = 0;
    for (const Value& one : states_) {
      const auto other = WriterState::FromBytes(one.bytes).ValueOrDie();
      parts = std::max(parts, static_cast<int>(other.progress.receipts.size()));
    }
    const int number = parts + 1 + static_cast<int>(Draw(12));
    Say("stray " + std::to_string(number));
    disturbed_ = true;
    (void)world_.PutStray(state.progress.upload_id, number, Chance(50) ? 4096 : 1 + static_cast<int64_t>(Draw(4096)));
  }

  Result<CommitInfo> Conclude(Value* value, bool is_state, const CommitOptions& options) {
    Result<CommitInfo> result = is_state ? Finish(WriterState::FromBytes(value->bytes).ValueOrDie(), options)
                                         : Commit(PendingCommit::FromBytes(value->bytes).ValueOrDie(), options);
    Say((is_state ? "finish of " : "commit of ") + std::to_string(value->rows) + ": " + result.status().ToString());
    if (result.ok()) {
      value->won = true;
      EXPECT_EQ(world_.RowsThere(), value->rows);
    } else {
      const Outcome outcome = OutcomeOf(result.status());
      EXPECT_FALSE(value->won && (outcome == Outcome::kGone || outcome == Outcome::kFenced) && !level_.stale)
          << "it was committed before: " << result.status().ToString();
      CheckError(result.status());
    }
    return result;
  }

  void CommitOne() { (void)Conclude(&pendings_[Draw(pendings_.size())], false, world_.On(world_.Process())); }
  void FinishOne() { (void)Conclude(&states_[Draw(states_.size())], true, world_.On(world_.Process())); }

  // What may be said while the store tells the truth.
  void CheckError(const Status& status) {
    if (level_.stale) return;
    EXPECT_NE(KindOf(status), ErrorKind::kUploadGone) << status.ToString();
    if (KindOf(status) == ErrorKind::kFenced) {
      EXPECT_TRUE(world_.Object().has_value() || disturbed_) << status.ToString();
    }
    EXPECT_NE(KindOf(status), ErrorKind::kBadState) << status.ToString();
    EXPECT_NE(KindOf(status), ErrorKind::kInvalid) << status.ToString();
  }

  // Absent, or whole and of the rows of a value that somebody has; once there it stays as it is.
  void CheckObject() {
    const std::optional<std::string> bytes = world_.Object();
    if (visible_) {
      EXPECT_TRUE(bytes == visible_) << "the object changed";
      return;
    }
    if (!bytes) return;
    visible_ = bytes;
    const int64_t rows = WholeRows(*bytes);
    const auto of_rows = [&](const Value& value) { return value.rows == rows; };
    EXPECT_TRUE(std::any_of(states_.begin(), states_.end(), of_rows) ||
                std::any_of(pendings_.begin(), pendings_.end(), of_rows))
        << "rows " << rows;
  }

  void End() {
    const CommitOptions healthy = world_.Healthy();
    while (!processes_.empty()) Forget(&processes_.back());
    const bool somebody_has_a_value = !states_.empty() || !pendings_.empty();
    if (visible_) {
      for (Value& value : pendings_) ExpectSettled(&value, false, healthy);
      for (Value& value : states_) ExpectSettled(&value, true, healthy);
    } else if (somebody_has_a_value && Draw(7) == 0 && !states_.empty()) {
      ExpectAbort(healthy);
      return;
    } else if (somebody_has_a_value) {
      ExpectSomebodyFinishes(healthy);
    }
    CheckObject();
    ExpectLeftovers();
  }

  void ExpectSettled(Value* value, bool is_state, const CommitOptions& healthy) {
    const Result<CommitInfo> result = Conclude(value, is_state, healthy);
    if (!result.ok()) {
      EXPECT_KIND(ErrorKind::kFenced, result);
    }
  }

  void ExpectAbort(const CommitOptions& healthy) {
    const WriterState state = WriterState::FromBytes(states_.back().bytes).ValueOrDie();
    ASSERT_OK_AND_ASSIGN(const AbortResult aborted, Abort(state, healthy));
    EXPECT_EQ(aborted, AbortResult::kAborted);
    EXPECT_KIND(ErrorKind::kUploadGone, Finish(state, healthy));
    EXPECT_EQ(world_.Object(), std::nullopt);
    ExpectLeftovers();
  }

  // The newest that is intact; the oldest is, at the latest, since nobody stores a part that it names.
  void ExpectSomebodyFinishes(const CommitOptions& healthy) {
    for (auto value = pendings_.rbegin(); value != pendings_.rend(); ++value) {
      if (Conclude(&*value, false, healthy).ok()) return;
    }
    for (auto value = states_.rbegin(); value != states_.rend(); ++value) {
      if (Conclude(&*value, true, healthy).ok()) return;
    }
    ADD_FAILURE() << "nobody can finish";
  }

  void ExpectLeftovers() {
    const auto creates = world_.transport().log("CreateMultipartUpload");
    const auto untold =
        std::count_if(creates.begin(), creates.end(), [](const auto& one) { return one.status != 200; });
    const std::vector<std::string> open = world_.OpenUploads();
    EXPECT_LE(static_cast<int64_t>(open.size()), untold + stateless_);
    EXPECT_EQ(world_.ListedUploads(), open);
  }

  const Level& level_;
  std::mt19937_64 random_;
  S3World world_;
  std::vector<Process> processes_;
  std::vector<Value> states_;  // as they were handed out
  std::vector<Value> pendings_;
  std::optional<std::string> visible_;
  int stateless_ = 0;
  bool disturbed_ = false;  // somebody went on from an older state, or behind everybody's back
  std::string steps_;
};

// Of the one history to run; -1 for all.
int SeedAskedFor() {
  const char* const seed = std::getenv("TAILRACE_SEED");
  return seed == nullptr ? -1 : std::atoi(seed);
}

class Chaos : public ::testing::TestWithParam<Level> {};

TEST_P(Chaos, RowsAreThereExactlyOnceOrNotAtAll) {
  const int only = SeedAskedFor();
  const int histories = Rounds(200) / 4;
  int published = 0;
  for (int seed = std::max(only, 0); seed < (only < 0 ? histories : only + 1); ++seed) {
    SCOPED_TRACE("level " + GetParam().name + ", seed " + std::to_string(seed));
    History history(static_cast<uint64_t>(seed), GetParam());
    history.Run();
    published += history.published();
    ASSERT_FALSE(HasFailure()) << history.LogText();
  }
  RecordProperty("published", published);
  EXPECT_TRUE(only >= 0 || published > histories / 3) << published << " of " << histories;
}

INSTANTIATE_TEST_SUITE_P(Levels, Chaos, ::testing::ValuesIn(Levels()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace tailrace::sim
