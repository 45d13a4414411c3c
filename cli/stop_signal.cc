#include "cli/stop_signal.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>

namespace tailrace::cli {

namespace {

// Signal handlers can only reach what is global.
std::atomic<int> g_signal{0};
std::atomic<int> g_fd{-1};
static_assert(std::atomic<int>::is_always_lock_free);

void OnSignal(int number) {
  int none = 0;
  if (!g_signal.compare_exchange_strong(none, number)) _exit(128 + number);
  const int saved_errno = errno;
  const uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = write(g_fd.load(), &one, sizeof one);
  errno = saved_errno;
}

void SetHandler(int number, void (*handler)(int)) {
  struct sigaction action{};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  sigaction(number, &action, nullptr);
}

}  // namespace

StopSignal::StopSignal() : fd_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  g_signal = 0;
  g_fd = fd_;
  SetHandler(SIGINT, OnSignal);
  SetHandler(SIGTERM, OnSignal);
  SetHandler(SIGPIPE, SIG_IGN);
}

StopSignal::~StopSignal() {
  SetHandler(SIGINT, SIG_DFL);
  SetHandler(SIGTERM, SIG_DFL);
  g_fd = -1;
  close(fd_);
}

bool StopSignal::requested() const { return g_signal.load() != 0; }

std::string StopSignal::name() const {
  switch (g_signal.load()) {
    case SIGINT:
      return "SIGINT";
    case SIGTERM:
      return "SIGTERM";
    default:
      return "";
  }
}

}  // namespace tailrace::cli
