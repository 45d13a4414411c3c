// When an exchange has taken too long: a function of its progress and the time, without a clock.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "http/transport.h"

namespace tailrace {

struct ExchangeProgress {
  bool connected = false;       // name, connection and TLS are done: the request is on its way
  int64_t sent_bytes = 0;       // of the body
  bool answer_started = false;  // the final answer, not "100 Continue"
  int64_t received_bytes = 0;
};

struct MinimumSpeed {
  int64_t bytes_per_second = 0;  // 0: no limit
  std::chrono::seconds time{0};
};

// Not thread-safe.
class ExchangeWatch {
 public:
  using Time = std::chrono::steady_clock::time_point;
  // `body_bytes` is the size of the request's body. The caller asked at `asked`, which the total time counts from, and
  // got a connection to use at `begin`.
  ExchangeWatch(const HttpTimeouts& timeouts, const MinimumSpeed& speed, int64_t body_bytes, Time asked, Time begin);

  // What has run out, as words for a message such as "no answer for 60 s after the request"; empty while all is well.
  // REQUIRES: neither progress nor time goes back.
  std::string Look(const ExchangeProgress& progress, Time now);
  // The name of the phase that was seen last, for messages: "while connecting".
  const char* phase() const;

 private:
  enum class Phase { kConnecting, kSending, kWaiting, kReceiving };
  Phase PhaseOf(const ExchangeProgress& progress) const;
  // Slower than the minimum over a whole window?
  bool TooSlow(int64_t bytes, Time now);

  const HttpTimeouts timeouts_;
  const MinimumSpeed speed_;
  const int64_t body_bytes_;
  const Time asked_;
  Phase phase_ = Phase::kConnecting;
  int64_t last_bytes_ = 0;
  Time last_change_;
  int64_t window_bytes_ = 0;
  Time window_start_;
};

}  // namespace tailrace
