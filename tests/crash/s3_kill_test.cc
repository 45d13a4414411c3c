// SIGKILL at every request of a write of more than ten parts, before the store does what is asked and after it has and
// has not answered; then, in one run, finish, and in another, resume to the end. And processes that race.
#include <filesystem>
#include <fstream>
#include <iterator>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/rounds.h"
#include "tests/crash/s3_children.h"
#include "tests/crash/s3_crash.h"
#include "tests/s3/races.h"

namespace tailrace::sim {
namespace {

namespace fs = std::filesystem;

std::string Read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class S3Processes : public ::testing::TestWithParam<StoreKind> {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "tailrace-s3-kill-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    root_ = pattern;
    Become(&server_.service(), GetParam());
    SetEnvironment(server_, GetParam().name);
    store_ = OpenAt(server_.endpoint(), server_.key(), GetParam());
  }
  void TearDown() override { fs::remove_all(root_); }

  fs::path MakeFolder(const std::string& name) {
    fs::create_directories(root_ / name);
    return root_ / name;
  }
  int OpenUploadsOf(const std::string& key) {
    int uploads = 0;
    for (const auto& [id, upload] : server_.service().Uploads()) uploads += upload.key == key;
    return uploads;
  }

  S3Server server_;
  fs::path root_;
  std::shared_ptr<MultipartStore> store_;
};

// One life: killed at the n-th request of its first process, if there is one.
class KilledLife {
 public:
  KilledLife(S3Server* server, fs::path folder, std::string key)
      : server_(server), folder_(std::move(folder)), key_(std::move(key)) {}

  // -1: it was killed.
  int RunAndKillAt(int nth, bool applied) {
    // Requests that were under way when the child died may be looked at later than this call takes.
    struct Shared {
      Mutex mutex;
      pid_t pid TAILRACE_GUARDED_BY(mutex) = 0;
      int seen TAILRACE_GUARDED_BY(mutex) = 0;
    };
    const auto shared = std::make_shared<Shared>();
    const auto is_the_one = [shared, nth] {
      MutexLock lock(&shared->mutex);
      if (shared->seen++ != nth) return false;
      kill(shared->pid, SIGKILL);
      return true;
    };
    if (applied) {
      server_->SetAfterApply([is_the_one](const S3Call&) { is_the_one(); });
    } else {
      server_->SetHook([is_the_one](const S3Call&) -> std::optional<Fault> {
        if (!is_the_one()) return std::nullopt;
        return Fault{.apply = false, .no_reply = true, .end = Fault::End::kClose};
      });
    }
    shared->mutex.lock();
    Child child({"write", folder_.string(), "s3://bucket/" + key_});
    shared->pid = child.pid();
    shared->mutex.unlock();
    const int code = child.Wait();
    server_->SetAfterApply({});
    server_->SetHook({});
    return code;
  }
  int RunToTheEnd() { return Child({"write", folder_.string(), "s3://bucket/" + key_}).Wait(); }

  bool has_state() const { return fs::exists(folder_ / "state"); }
  WriterState state() const { return WriterState::FromBytes(Read(folder_ / "state")).ValueOrDie(); }
  std::optional<std::string> object() const { return server_->Content(key_); }

 private:
  S3Server* const server_;
  const fs::path folder_;
  const std::string key_;
};

class S3KillTest : public S3Processes {
 protected:
  // Finishes the last state in another process, or resumes; `resume` also stands for starting over where there is none.
  void ExpectEnd(KilledLife* life, bool resume) {
    const std::optional<std::string> before = life->object();
    if (before) {
      EXPECT_EQ(WholeRows(*before), kS3CrashRows) << "visible, and not whole";
    }
    if (resume || !life->has_state()) {
      EXPECT_EQ(life->RunToTheEnd(), 0);
      EXPECT_EQ(WholeRows(life->object().value_or("")), kS3CrashRows);
      if (GetParam().name == "Strict") {
        EXPECT_TRUE(life->object() == whole_);
      }
      // Once published, a run that comes too late changes nothing.
      const auto published = life->object();
      EXPECT_EQ(life->RunToTheEnd(), 0);
      EXPECT_TRUE(life->object() == published);
      return;
    }
    const WriterState state = life->state();
    const Result<CommitInfo> finished = Finish(state, {.store = store_});
    if (before) {
      EXPECT_KIND(ErrorKind::kFenced, finished);
      EXPECT_TRUE(life->object() == before);
    } else {
      ASSERT_OK(finished);
      EXPECT_EQ(WholeRows(life->object().value_or("")), state.rows());
    }
  }

  const std::string whole_ = UninterruptedBytes({300, 600, 900}, kS3CrashRows, TinyParts()).ValueOrDie();
};

TEST_P(S3KillTest, AtEveryRequestTheTargetIsAbsentOrWholeAndTheWriteEnds) {
  int killed = 0;
  for (const bool applied : {false, true}) {
    for (const bool resume : {false, true}) {
      int code = -1;
      for (int nth = 0; code == -1; ++nth) {
        const std::string name =
            std::string(applied ? "after" : "before") + (resume ? "-resume-" : "-finish-") + std::to_string(nth);
        SCOPED_TRACE(name);
        const std::string key = name + "/f.parquet";
        KilledLife life(&server_, MakeFolder(name), key);
        server_.ResetLog();
        code = life.RunAndKillAt(nth, applied);
        ASSERT_TRUE(code == 0 || code == -1) << code << "\n" << server_.LogText();
        killed += code == -1;
        // One upload of a process that died before anybody had a state; none of the write that ended.
        const int allowed = life.has_state() ? 0 : 1;
        ExpectEnd(&life, resume);
        EXPECT_LE(OpenUploadsOf(key), allowed);
        ASSERT_FALSE(HasFailure()) << server_.LogText();
        ASSERT_LT(nth, 60);
      }
    }
  }
  RecordProperty("killed", killed);
  EXPECT_GE(killed, 4 * 12) << "a write of ten parts has at least as many requests";
}

INSTANTIATE_TEST_SUITE_P(Stores, S3KillTest, ::testing::Values(Strict(), Rgw()),
                         [](const auto& info) { return info.param.name; });

class S3ProcessRaces : public S3Processes {
 protected:
  static std::string NameOf(RaceOp::Kind kind) {
    switch (kind) {
      case RaceOp::Kind::kCommit:
        return "commit";
      case RaceOp::Kind::kFinish:
        return "finish";
      case RaceOp::Kind::kGoOn:
        break;
    }
    return "go-on";
  }

  // Each in a process of its own; all wait until all are there.
  std::vector<Status> Run(const Race& race, const fs::path& folder, const std::string& key) {
    std::vector<std::unique_ptr<Child>> children;
    for (const RaceOp& op : race.ops) {
      const fs::path value = folder / std::to_string(children.size());
      std::ofstream(value, std::ios::binary) << op.value;
      children.push_back(std::make_unique<Child>(std::vector<std::string>{
          NameOf(op.kind), value.string(), "s3://bucket/" + key, std::to_string(op.flush_rows)}));
    }
    for (auto& child : children) child->Go();
    std::vector<Status> results;
    for (auto& child : children) results.push_back(StatusOf(child->Wait()));
    return results;
  }

  // Of an exit code: a status with the same outcome.
  static Status StatusOf(int code) {
    if (code == 0) return Status::OK();
    EXPECT_GE(code, 10);
    switch (static_cast<Outcome>(code - 10)) {
      case Outcome::kRetry:
        return MakeError(ErrorKind::kTransient, "retry");
      case Outcome::kGone:
        return MakeError(ErrorKind::kUploadGone, "gone");
      case Outcome::kFenced:
        return MakeError(ErrorKind::kFenced, "fenced");
      default:
        return MakeError(ErrorKind::kOutcomeUnknown, "exit code " + std::to_string(code));
    }
  }
};

TEST_P(S3ProcessRaces, AtMostOneWinsAndNothingIsMixed) {
  for (int round = 0; round < Rounds(100) / 2; ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    const std::string name = "race" + std::to_string(round);
    const std::string key = name + "/f.parquet";
    const Race race = MakeRace(round % kRaces, store_, key);
    server_.ResetLog();
    const std::vector<Status> results = Run(race, MakeFolder(name), key);
    JudgeRace(race, results, &server_.service(), key, store_);
    ASSERT_FALSE(HasFailure()) << server_.LogText();
  }
}

INSTANTIATE_TEST_SUITE_P(Stores, S3ProcessRaces, ::testing::Values(Strict(), Rgw()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace tailrace::sim
