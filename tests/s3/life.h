// A whole life of a write, one process after the other, each of which may fail at any request: what is left outside is
// all that the next one has.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "tests/s3/s3_world.h"

namespace tailrace::sim {

inline constexpr int64_t kLifeRows = 400;
inline constexpr int64_t kLifeCheckpoint = 100;

// How it ends, after a writer that took two checkpoints and was killed.
enum class Ending { kCommit, kFinish, kAbort, kSmall };  // kSmall: a file of one PUT, without any of that

class Life {
 public:
  Life(World* world, Ending ending) : world_(world), ending_(ending) {}

  // What the next process does: it writes until it is killed, resumes and closes, commits, finishes or aborts. OK where
  // it got that far. The first error stays with its writer, which is checked.
  Status RunProcess();
  bool ended() const { return ended_; }
  // Rows that the object has at the end; nullopt: none is there.
  std::optional<int64_t> rows_at_the_end() const;

  const std::optional<std::string>& state() const { return state_; }
  // Processes that failed before anybody had a state: each may leave an upload.
  int stateless_deaths() const { return stateless_deaths_; }

 private:
  Status Begin();
  Status GoOn();
  Status WriteAndCheckpoint(ParquetStreamWriter* writer, int64_t end);
  Status Small();
  Status CommitPending();
  Status Note(Status status, ParquetStreamWriter* writer);

  World* const world_;
  const Ending ending_;
  std::optional<std::string> state_;    // bytes of the last state
  std::optional<std::string> pending_;  // ... of the pending commit
  bool killed_ = false;
  bool ended_ = false;
  int stateless_deaths_ = 0;
};

}  // namespace tailrace::sim
