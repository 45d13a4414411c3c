#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <system_error>

#include "auth/process_credentials.h"

extern char** environ;

namespace tailrace {
namespace {

constexpr size_t kMaxOutput = 64 << 10;
constexpr int kLookAgainMs = 50;

Status Failed(const std::string& what) { return MakeError(ErrorKind::kDenied, "the program " + what); }

// Started, with the reading end of its output. Killed and waited for at the end of its life, unless it has ended.
class Child {
 public:
  Child() = default;
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    if (output_ >= 0) ::close(output_);
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    Wait();
  }

  Status Start(const std::vector<std::string>& command) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return Failed("cannot be started: no pipe");
    output_ = ends[0];
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    std::vector<char*> arguments;
    for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    const int error = ::posix_spawnp(&pid_, arguments[0], &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    if (error == 0) return Status::OK();
    pid_ = -1;
    return Failed("cannot be started: " + std::generic_category().message(error));
  }

  // More of its output; 0 at the end, -1 where there is none for now.
  ssize_t Read(char* bytes, size_t size) {
    pollfd waited{.fd = output_, .events = POLLIN, .revents = 0};
    if (::poll(&waited, 1, kLookAgainMs) <= 0) return -1;
    const ssize_t got = ::read(output_, bytes, size);
    return got < 0 && errno != EINTR ? 0 : got;
  }

  // Its wait status, once; nullopt while it runs.
  std::optional<int> Ended() {
    int status = 0;
    const pid_t ended = ::waitpid(pid_, &status, WNOHANG);
    if (ended == 0) return std::nullopt;
    pid_ = -1;
    return ended > 0 ? status : 0;  // somebody else took the status: its output decides
  }

 private:
  void Wait() {
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
  }

  pid_t pid_ = -1;
  int output_ = -1;
};

}  // namespace

Result<std::string> RunProcess(const std::vector<std::string>& command, std::chrono::milliseconds timeout,
                               const CancelToken& cancel) {
  Child child;
  ARROW_RETURN_NOT_OK(child.Start(command));
  const auto end = std::chrono::steady_clock::now() + timeout;
  std::string output;
  std::optional<int> status;
  bool open = true;
  while (open || !status) {
    if (cancel.cancelled()) return MakeError(ErrorKind::kCancelled, "cancelled while the program ran");
    if (std::chrono::steady_clock::now() >= end) {
      return Failed("did not end within " + std::to_string(timeout.count()) + " ms");
    }
    char bytes[4096];
    const ssize_t got = open ? child.Read(bytes, sizeof bytes) : -1;
    if (got > 0) output.append(bytes, static_cast<size_t>(got));
    if (got == 0) open = false;
    if (output.size() > kMaxOutput) return Failed("wrote more than " + std::to_string(kMaxOutput) + " bytes");
    if (!open && !status) {
      status = child.Ended();
      if (!status) ::usleep(1000);
    }
  }
  if (WIFSIGNALED(*status)) return Failed("was ended by signal " + std::to_string(WTERMSIG(*status)));
  if (WEXITSTATUS(*status) != 0) return Failed("ended with status " + std::to_string(WEXITSTATUS(*status)));
  return output;
}

}  // namespace tailrace
