#include "testing/s3_server/fault.h"

namespace tailrace {
namespace {

bool Fits(const FaultWhen& when, const S3Call& call) {
  return (when.operation == "*" || when.operation == call.operation) && (when.key.empty() || when.key == call.key) &&
         (!when.part_number || *when.part_number == call.part_number());
}

}  // namespace

std::optional<Fault> FaultPlan::Next(const S3Call& call) {
  MutexLock lock(&mutex_);
  for (Counted& counted : rules_) {
    const FaultWhen& when = counted.rule.when;
    if (!Fits(when, call)) continue;
    const int nth = counted.seen;
    if (nth < when.skip) {
      ++counted.seen;
      continue;
    }
    if (when.times >= 0 && nth >= when.skip + when.times) continue;
    if (when.percent < 100 && DrawPercent() >= when.percent) continue;
    ++counted.seen;
    ++fired_;
    return counted.rule.fault;
  }
  return std::nullopt;
}

int FaultPlan::fired() const {
  MutexLock lock(&mutex_);
  return fired_;
}

// SplitMix64: the same draws for the same seed everywhere.
int FaultPlan::DrawPercent() {
  state_ += 0x9e3779b97f4a7c15;
  uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return static_cast<int>((z ^ (z >> 31)) % 100);
}

}  // namespace tailrace
