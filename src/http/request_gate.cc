#include "http/request_gate.h"

#include <algorithm>

namespace tailrace {

void RequestGate::Enter() {
  MutexLock lock(&mutex_);
  while (inside_ >= room_) changed_.Wait(&mutex_);
  ++inside_;
}

void RequestGate::Leave() {
  MutexLock lock(&mutex_);
  --inside_;
  changed_.NotifyAll();
}

void RequestGate::OnSlowDown() {
  MutexLock lock(&mutex_);
  room_ = std::max(1, room_ * 2 / 3);
  successes_ = 0;
}

void RequestGate::OnSuccess() {
  MutexLock lock(&mutex_);
  if (room_ == most_ || ++successes_ < room_) return;
  ++room_;
  successes_ = 0;
  changed_.NotifyAll();
}

int RequestGate::room() const {
  MutexLock lock(&mutex_);
  return room_;
}

}  // namespace tailrace
