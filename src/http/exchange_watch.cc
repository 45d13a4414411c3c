#include "http/exchange_watch.h"

namespace tailrace {
namespace {

bool RanOut(std::chrono::milliseconds limit, std::chrono::steady_clock::duration elapsed) {
  return limit.count() > 0 && elapsed >= limit;
}

std::string Ms(std::chrono::milliseconds time) { return std::to_string(time.count()) + " ms"; }

}  // namespace

ExchangeWatch::ExchangeWatch(const HttpTimeouts& timeouts, const MinimumSpeed& speed, int64_t body_bytes, Time asked,
                             Time begin)
    : timeouts_(timeouts),
      speed_(speed),
      body_bytes_(body_bytes),
      asked_(asked),
      last_change_(begin),
      window_start_(begin) {}

ExchangeWatch::Phase ExchangeWatch::PhaseOf(const ExchangeProgress& progress) const {
  if (progress.answer_started) return Phase::kReceiving;
  if (!progress.connected) return Phase::kConnecting;
  return progress.sent_bytes < body_bytes_ ? Phase::kSending : Phase::kWaiting;
}

std::string ExchangeWatch::Look(const ExchangeProgress& progress, Time now) {
  const Phase phase = PhaseOf(progress);
  const int64_t bytes = progress.sent_bytes + progress.received_bytes;
  if (phase != phase_) {
    window_start_ = now;
    window_bytes_ = bytes;
  }
  if (phase != phase_ || bytes != last_bytes_) {
    phase_ = phase;
    last_bytes_ = bytes;
    last_change_ = now;
  }
  if (RanOut(timeouts_.total, now - asked_)) return "not done within " + Ms(timeouts_.total) + " (total time-out)";
  switch (phase) {
    case Phase::kConnecting:
      if (!RanOut(timeouts_.connect, now - last_change_)) return {};
      return "no connection within " + Ms(timeouts_.connect) + " (connect time-out)";
    case Phase::kWaiting:
      if (!RanOut(timeouts_.first_answer, now - last_change_)) return {};
      return "no answer for " + Ms(timeouts_.first_answer) + " after the request was sent (first-answer time-out)";
    case Phase::kSending:
    case Phase::kReceiving:
      break;
  }
  if (RanOut(timeouts_.idle, now - last_change_)) return "no byte for " + Ms(timeouts_.idle) + " (idle time-out)";
  if (!TooSlow(bytes, now)) return {};
  return "slower than " + std::to_string(speed_.bytes_per_second) + " bytes/s for " +
         std::to_string(speed_.time.count()) + " s (minimum speed)";
}

bool ExchangeWatch::TooSlow(int64_t bytes, Time now) {
  if (speed_.bytes_per_second <= 0 || speed_.time.count() <= 0) return false;
  const auto elapsed = now - window_start_;
  if (elapsed < speed_.time) return false;
  const double seconds = std::chrono::duration<double>(elapsed).count();
  const bool slow = static_cast<double>(bytes - window_bytes_) < static_cast<double>(speed_.bytes_per_second) * seconds;
  window_start_ = now;
  window_bytes_ = bytes;
  return slow;
}

const char* ExchangeWatch::phase() const {
  switch (phase_) {
    case Phase::kConnecting:
      return "while connecting";
    case Phase::kSending:
      return "while sending the request";
    case Phase::kWaiting:
      return "while waiting for the answer";
    case Phase::kReceiving:
      return "while receiving the answer";
  }
  return "";
}

}  // namespace tailrace
