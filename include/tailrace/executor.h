// Where background work runs. The caller hands one in; the writer never makes threads of its own beside it.
#pragma once

#include <functional>
#include <memory>

namespace tailrace {

// Runs tasks, each once, in any order, maybe at the same time. Thread-safe. Tasks never wait for one another
// and never throw.
class Executor {
 public:
  virtual ~Executor() = default;
  virtual void Spawn(std::function<void()> task) = 0;
  // Lets a thread that would wait run one queued task instead; false where there is none or the executor has
  // threads of its own.
  virtual bool TryRunOne() { return false; }
};

// Up to `threads` threads, made when all others are busy; the one that was busy last goes on first. Destruction runs
// what is queued and joins them. REQUIRES: threads >= 1, and no task of its own destroys it.
std::shared_ptr<Executor> MakeThreadPool(int threads);
// Runs each task inside Spawn.
std::shared_ptr<Executor> MakeInlineExecutor();

}  // namespace tailrace
