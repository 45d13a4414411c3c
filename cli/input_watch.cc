#include "cli/input_watch.h"

#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace tailrace::cli {

namespace {
// Short against any checkpoint interval that makes sense, long against the cost of waking up.
constexpr std::chrono::milliseconds kTickEvery{200};
}  // namespace

Status InputWatch::CheckStop() const {
  if (!stop_->requested()) return Status::OK();
  return MakeError(ErrorKind::kCancelled, "stopped by " + stop_->name());
}

Result<bool> InputWatch::WaitReadable(int fd, std::optional<std::chrono::milliseconds> max_wait) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  while (true) {
    ARROW_RETURN_NOT_OK(CheckStop());
    std::chrono::milliseconds wait = kTickEvery;
    if (max_wait) {
      const auto waited = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start);
      wait = std::clamp(*max_wait - waited, std::chrono::milliseconds(0), kTickEvery);
    }
    pollfd fds[2] = {{fd, POLLIN, 0}, {stop_->fd(), POLLIN, 0}};
    const int ready = poll(fds, 2, static_cast<int>(wait.count()));
    if (ready < 0 && errno != EINTR) {
      return MakeError(ErrorKind::kTransient, std::string("cannot wait for input: ") + std::strerror(errno));
    }
    ARROW_RETURN_NOT_OK(CheckStop());
    if (ready > 0 && fds[0].revents != 0) return true;
    if (max_wait && Clock::now() - start >= *max_wait) return false;
    if (ready == 0 && tick_) ARROW_RETURN_NOT_OK(tick_());
  }
}

}  // namespace tailrace::cli
