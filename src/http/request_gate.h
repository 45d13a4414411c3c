// How many requests to one store may be under way, fewer while it asks to slow down.
#pragma once

#include "base/mutex.h"

namespace tailrace {

// Each "slow down" takes a third of the room away, each round of successes gives one place back, so that a burst of
// requests does not meet a busy store again and again. Thread-safe.
class RequestGate {
 public:
  // REQUIRES: most >= 1.
  explicit RequestGate(int most) : most_(most), room_(most) {}

  // Blocks until there is room. Whoever entered leaves, and does not wait for another request in between.
  void Enter();
  void Leave();
  void OnSlowDown();
  void OnSuccess();
  int room() const;

 private:
  const int most_;
  mutable Mutex mutex_;
  CondVar changed_;
  int room_ TAILRACE_GUARDED_BY(mutex_);
  int inside_ TAILRACE_GUARDED_BY(mutex_) = 0;
  int successes_ TAILRACE_GUARDED_BY(mutex_) = 0;  // since the room last changed
};

// Stays inside for its lifetime.
class GatePass {
 public:
  explicit GatePass(RequestGate* gate) : gate_(gate) { gate_->Enter(); }
  ~GatePass() { gate_->Leave(); }
  GatePass(const GatePass&) = delete;
  GatePass& operator=(const GatePass&) = delete;

 private:
  RequestGate* const gate_;
};

}  // namespace tailrace
