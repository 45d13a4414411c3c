// Processes that hold values of one write and act at once, and what may come of it. The same races run in threads and
// in processes of their own.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/s3/s3_world.h"

namespace tailrace::sim {

inline constexpr int64_t kRaceRows = 400;

// What one of them does.
struct RaceOp {
  enum class Kind { kCommit, kFinish, kGoOn };  // kGoOn: resumes, writes with flush points of its own, closes, commits
  Kind kind = Kind::kFinish;
  std::string value;       // bytes of the state or the pending commit
  int64_t flush_rows = 0;  // of kGoOn
};
Status RunRaceOp(const RaceOp& op, const std::shared_ptr<MultipartStore>& store);

struct Race {
  std::string name;
  std::vector<RaceOp> ops;
  bool same_content = false;  // all of them would leave the same object: all may be told success
  std::string common;         // bytes of a state that all know
};
// 0: committers of one closed file; 1: finishers of one state; 2: finishers of different states; 3: a writer and
// another that was resumed from its state; 4: a committer, and finishers of a state before it.
inline constexpr int kRaces = 5;
Race MakeRace(int which, const std::shared_ptr<MultipartStore>& store, const std::string& key);

// Each result is success or fenced, gone, retry; at most one content won, and it is whole; those who were told success
// have it under the key. Where nobody won nothing appeared, and the common state still finishes.
void JudgeRace(const Race& race, const std::vector<Status>& results, S3Service* service, const std::string& key,
               const std::shared_ptr<MultipartStore>& store);

// Over a real socket, as a process opens it.
std::shared_ptr<MultipartStore> OpenAt(const std::string& endpoint, const S3Key& key, const StoreKind& kind);
// What the server does from now on.
void Become(S3Service* service, const StoreKind& kind);

}  // namespace tailrace::sim
