// SIGKILL at random moments (TAILRACE_ROUNDS of them, 40 by default): the target is absent or whole, the last state
// finishes and resumes to the uninterrupted bytes, and what is left behind is only what is allowed.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/rounds.h"
#include "tests/crash/crash_rows.h"

namespace tailrace::sim {
namespace {

namespace fs = std::filesystem;
using std::chrono::microseconds;

// The exit code, or -1 where it was killed.
int Wait(pid_t pid) {
  int status = 0;
  EXPECT_EQ(waitpid(pid, &status, 0), pid);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::string Read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class KillRounds : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "tailrace-kill-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    root_ = pattern;
    std::vector<int64_t> checkpoints;
    for (int64_t row = kCrashCheckpoint; row < kCrashRows; row += kCrashCheckpoint) checkpoints.push_back(row);
    ASSERT_OK_AND_ASSIGN(whole_, UninterruptedBytes(checkpoints, kCrashRows, SmallFile()));
  }
  // From here on checkpoints leave the row group open.
  void Carry() {
    ASSERT_OK_AND_ASSIGN(whole_, UninterruptedBytes({}, kCrashRows, SmallFile()));
    mode_ = "carry";
  }
  void TearDown() override { fs::remove_all(root_); }

  pid_t Start(const fs::path& folder) const {
    const pid_t pid = fork();
    if (pid == 0) {
      execl(TAILRACE_CRASH_CHILD, TAILRACE_CRASH_CHILD, folder.c_str(), mode_, nullptr);
      _exit(127);
    }
    return pid;
  }
  fs::path MakeFolder(const std::string& name) {
    fs::create_directories(root_ / name / "data");
    return root_ / name;
  }
  static fs::path Target(const fs::path& folder) { return folder / "data" / "f.parquet"; }
  static int Hidden(const fs::path& folder) {
    int files = 0;
    for (const auto& entry : fs::recursive_directory_iterator(folder / "data")) {
      if (entry.is_regular_file() && entry.path() != Target(folder)) ++files;
    }
    return files;
  }
  // How long a run takes that nobody kills.
  microseconds FullRun() {
    const auto begin = std::chrono::steady_clock::now();
    const fs::path folder = MakeFolder("calm");
    EXPECT_EQ(Wait(Start(folder)), 0);
    EXPECT_TRUE(Read(Target(folder)) == whole_);
    EXPECT_EQ(Hidden(folder), 0);
    return std::chrono::duration_cast<microseconds>(std::chrono::steady_clock::now() - begin);
  }

  void KillAndGoOn(int rounds);

  fs::path root_;
  std::string whole_;
  const char* mode_ = "flush";
};

void KillRounds::KillAndGoOn(int rounds) {
  const microseconds full = FullRun();
  std::mt19937_64 random(20261129);
  int killed = 0, finished_from_state = 0, started_over = 0;
  for (int round = 0; round < rounds; ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    const fs::path folder = MakeFolder("round" + std::to_string(round));
    int kills_without_state = 0;
    // One to three kills, then either a finish of the last state or a run to the end.
    for (uint64_t kills = 1 + random() % 3; kills > 0; --kills) {
      const pid_t pid = Start(folder);
      std::this_thread::sleep_for(microseconds(random() % static_cast<uint64_t>(full.count())));
      kill(pid, SIGKILL);
      const int exit_code = Wait(pid);
      ASSERT_TRUE(exit_code == 0 || exit_code == -1) << "exit code " << exit_code;
      if (exit_code == -1) ++killed;
      if (exit_code == -1 && !fs::exists(folder / "state")) ++kills_without_state;
      if (fs::exists(Target(folder))) {
        ASSERT_TRUE(Read(Target(folder)) == whole_) << "visible, and not whole";
      }
    }
    started_over += kills_without_state > 0;
    if (random() % 2 == 0 && fs::exists(folder / "state") && !fs::exists(Target(folder))) {
      ASSERT_OK_AND_ASSIGN(WriterState state, WriterState::FromBytes(Read(folder / "state")));
      ASSERT_OK(Finish(state));
      ASSERT_OK_AND_ASSIGN(std::vector<int64_t> counters, CountersOf(Read(Target(folder))));
      EXPECT_EQ(counters, Counted(state.rows()));
      ++finished_from_state;
    } else {
      ASSERT_EQ(Wait(Start(folder)), 0);
      ASSERT_TRUE(Read(Target(folder)) == whole_);
      // Once published, a run that comes too late changes nothing.
      ASSERT_EQ(Wait(Start(folder)), 0);
      ASSERT_TRUE(Read(Target(folder)) == whole_);
    }
    // One hidden file for each process that died before anybody had its state; none of the write that ended.
    EXPECT_LE(Hidden(folder), kills_without_state);
    fs::remove_all(folder);
  }
  RecordProperty("killed", killed);
  RecordProperty("finished_from_state", finished_from_state);
  RecordProperty("started_over", started_over);
  EXPECT_GT(killed, rounds / 4) << "the kills come too late to test anything";
}

TEST_F(KillRounds, TheTargetIsAbsentOrWholeAndTheLastStateGoesOn) { KillAndGoOn(Rounds(40)); }

TEST_F(KillRounds, CheckpointsThatCarryLeaveNoTrace) {
  Carry();
  KillAndGoOn(Rounds(40) / 2);
}

TEST_F(KillRounds, TwoProcessesThatGoOnFromOneStateHaveOneWinnerAndOneFile) {
  std::mt19937_64 random(7);
  const microseconds full = FullRun();
  for (int round = 0; round < Rounds(40) / 4 + 1; ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    const fs::path folder = MakeFolder("pair" + std::to_string(round));
    pid_t pid = Start(folder);
    std::this_thread::sleep_for(microseconds(full.count() / 2));
    kill(pid, SIGKILL);
    Wait(pid);
    const pid_t one = Start(folder);
    std::this_thread::sleep_for(microseconds(random() % 2000));
    const pid_t two = Start(folder);
    const int codes[] = {Wait(one), Wait(two)};
    // The one that finds the other alive ends with an error; where they did not meet, both may say committed.
    EXPECT_TRUE(codes[0] == 0 || codes[1] == 0);
    EXPECT_TRUE(Read(Target(folder)) == whole_);
    fs::remove_all(folder);
  }
}

}  // namespace
}  // namespace tailrace::sim
