#include "cli/child_process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

namespace tailrace::cli {

namespace {

Status Failed(const char* doing, int error) {
  return MakeError(ErrorKind::kInternal, std::string("cannot ") + doing + ": " + std::strerror(error));
}

struct Pipe {
  int read_fd = -1;
  int write_fd = -1;
};
// Close-on-exec, so that no other child keeps it open.
Result<Pipe> MakePipe() {
  int fds[2];
  if (pipe2(fds, O_CLOEXEC) != 0) return Failed("make a pipe", errno);
  return Pipe{fds[0], fds[1]};
}

}  // namespace

Result<std::unique_ptr<ChildProcess>> ChildProcess::Start(const std::vector<std::string>& arguments, bool piped) {
  std::string name = "tailrace";
  std::vector<std::string> words = arguments;
  std::vector<char*> argv = {name.data()};
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);

  Pipe input;
  Pipe output;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (piped) {
    ARROW_ASSIGN_OR_RAISE(input, MakePipe());
    ARROW_ASSIGN_OR_RAISE(output, MakePipe());
    posix_spawn_file_actions_adddup2(&actions, input.read_fd, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output.write_fd, STDOUT_FILENO);
  } else {
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  }
  pid_t pid = 0;
  const int error = posix_spawn(&pid, "/proc/self/exe", &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (piped) {
    close(input.read_fd);
    close(output.write_fd);
  }
  if (error != 0) return Failed("start another tailrace", error);
  return std::unique_ptr<ChildProcess>(new ChildProcess(pid, input.write_fd, output.read_fd));
}

ChildProcess::~ChildProcess() {
  if (!ended_) {
    Kill();
    (void)Wait();
  }
  if (output_fd_ >= 0) close(output_fd_);
}

void ChildProcess::CloseInput() {
  if (input_fd_ >= 0) close(input_fd_);
  input_fd_ = -1;
}

void ChildProcess::Feed(std::string_view bytes, bool keep_open) {
  feeder_ = std::thread([this, bytes, keep_open]() mutable {
    while (!bytes.empty()) {
      // EPIPE (SIGPIPE is ignored) when the child is gone: the rest is not wanted.
      const ssize_t count = write(input_fd_, bytes.data(), bytes.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) break;
      bytes.remove_prefix(static_cast<size_t>(count));
    }
    if (!keep_open) CloseInput();
  });
}

Result<std::optional<std::string>> ChildProcess::ReadLine() {
  while (true) {
    const size_t end = unread_.find('\n');
    if (end != std::string::npos) {
      std::string line = unread_.substr(0, end);
      unread_.erase(0, end + 1);
      return std::optional<std::string>(std::move(line));
    }
    char piece[4096];
    const ssize_t count = read(output_fd_, piece, sizeof piece);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return Failed("read what the other tailrace says", errno);
    if (count == 0) return std::nullopt;
    unread_.append(piece, static_cast<size_t>(count));
  }
}

void ChildProcess::Kill() { kill(pid_, SIGKILL); }

Result<int> ChildProcess::Wait() {
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0) {
    if (errno != EINTR) return Failed("wait for the other tailrace", errno);
  }
  ended_ = true;
  if (feeder_.joinable()) feeder_.join();
  CloseInput();
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace tailrace::cli
