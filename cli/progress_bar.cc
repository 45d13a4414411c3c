#include "cli/progress_bar.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string_view>

namespace tailrace::cli {

namespace {

constexpr std::chrono::milliseconds kDrawEvery{100};
// ECMA-48: the rest of the line.
constexpr char kEraseRest[] = "\x1b[K";

int ColumnsOf(int fd) {
  winsize size{};
  constexpr int kUsual = 80;
  return ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : kUsual;
}

}  // namespace

std::shared_ptr<ProgressBar> ProgressBar::On(int fd) {
  const char* terminal = std::getenv("TERM");
  if (isatty(fd) == 0 || terminal == nullptr || std::string_view(terminal) == "dumb") return nullptr;
  return std::shared_ptr<ProgressBar>(new ProgressBar(fd));
}

void ProgressBar::SetTotal(std::optional<int64_t> total_bytes) {
  const std::lock_guard<std::mutex> lock(mutex_);
  facts_.total_bytes = total_bytes;
}

void ProgressBar::Update(int64_t rows, int64_t input_bytes) {
  const std::lock_guard<std::mutex> lock(mutex_);
  facts_.rows = rows;
  facts_.input_bytes = input_bytes;
  DrawIfDue();
}

void ProgressBar::OnEvent(const WriteEvent& event) {
  const std::lock_guard<std::mutex> lock(mutex_);
  facts_.stored_parts = event.stored_parts;
  facts_.stored_bytes = event.stored_bytes;
  // Not before rows are read, nor when all is done.
  if (!drawn_.empty() && event.kind == EventKind::kPartStored) DrawIfDue();
}

void ProgressBar::Clear() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (drawn_.empty()) return;
  drawn_.clear();
  drawn_at_ = {};
  Write(std::string("\r") + kEraseRest);
}

// REQUIRES: mutex_ is held.
void ProgressBar::DrawIfDue() {
  const Clock::time_point now = Clock::now();
  if (!drawn_.empty() && now - drawn_at_ < kDrawEvery) return;
  drawn_at_ = now;
  rate_.Add(facts_.input_bytes, now - start_);
  facts_.bytes_per_second = rate_.bytes_per_second();
  facts_.elapsed = std::chrono::duration_cast<std::chrono::seconds>(now - start_);
  // In the last column some terminals would begin a new line.
  const std::string line = ProgressLine(facts_, ColumnsOf(fd_) - 1);
  if (line == drawn_) return;
  drawn_ = line;
  Write("\r" + line + kEraseRest);
}

// A terminal that went away is nobody's to tell.
void ProgressBar::Write(const std::string& bytes) const {
  size_t written = 0;
  while (written < bytes.size()) {
    const ssize_t count = write(fd_, bytes.data() + written, bytes.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;
    written += static_cast<size_t>(count);
  }
}

}  // namespace tailrace::cli
