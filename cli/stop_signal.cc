#include "cli/stop_signal.h"

#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cstdint>

namespace tailrace::cli {

namespace {

void MakeReadable(int event_fd) {
  const uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = write(event_fd, &one, sizeof one);
}

}  // namespace

StopSignal::StopSignal() : requested_fd_(eventfd(0, EFD_CLOEXEC)), end_fd_(eventfd(0, EFD_CLOEXEC)) {
  std::signal(SIGPIPE, SIG_IGN);
  sigemptyset(&signals_);
  sigaddset(&signals_, SIGINT);
  sigaddset(&signals_, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals_, &mask_before_);
  signal_fd_ = signalfd(-1, &signals_, SFD_CLOEXEC | SFD_NONBLOCK);
  listener_ = std::thread([this] { Listen(); });
}

StopSignal::~StopSignal() {
  MakeReadable(end_fd_);
  listener_.join();
  // One that comes at the very end has nobody left to tell.
  signalfd_siginfo ignored;
  while (read(signal_fd_, &ignored, sizeof ignored) > 0) {
  }
  pthread_sigmask(SIG_SETMASK, &mask_before_, nullptr);
  for (const int fd : {signal_fd_, end_fd_, requested_fd_}) close(fd);
}

void StopSignal::Listen() {
  while (true) {
    pollfd fds[2] = {{signal_fd_, POLLIN, 0}, {end_fd_, POLLIN, 0}};
    if (poll(fds, 2, -1) < 0) continue;
    if (fds[0].revents != 0) Take();
    if (fds[1].revents != 0) return;
  }
}

void StopSignal::Take() {
  const std::lock_guard<std::mutex> lock(mutex_);
  signalfd_siginfo taken;
  while (read(signal_fd_, &taken, sizeof taken) == sizeof taken) {
    const int number = static_cast<int>(taken.ssi_signo);
    if (first_ != 0) _exit(128 + number);
    first_ = number;
    MakeReadable(requested_fd_);
  }
}

int StopSignal::number() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (first_ != 0) return first_;
  sigset_t pending;
  sigpending(&pending);
  for (const int number : {SIGINT, SIGTERM}) {
    if (sigismember(&pending, number) == 1) return number;
  }
  return 0;
}

std::string StopSignal::name() const {
  switch (number()) {
    case SIGINT:
      return "SIGINT";
    case SIGTERM:
      return "SIGTERM";
    default:
      return "";
  }
}

}  // namespace tailrace::cli
