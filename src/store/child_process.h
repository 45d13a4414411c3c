// Processes for the tests of locks and rights.
#pragma once

#include <grp.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>

namespace tailrace {

// A forked child that runs `body` and exits with what it returns. Killed and waited for at the end.
class ChildProcess {
 public:
  // `body` writes lines to the descriptor that it gets; ReadLine reads them here.
  explicit ChildProcess(const std::function<int(int out)>& body) {
    int ends[2];
    if (::pipe(ends) != 0) std::abort();
    pid_ = ::fork();
    if (pid_ < 0) std::abort();
    if (pid_ == 0) {
      ::close(ends[0]);
      ::_exit(body(ends[1]));
    }
    ::close(ends[1]);
    in_ = ends[0];
  }
  ~ChildProcess() {
    if (pid_ > 0) Kill();
    ::close(in_);
  }
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  pid_t pid() const { return pid_; }
  // Empty at the end.
  std::string ReadLine() const {
    std::string line;
    for (char c = 0; ::read(in_, &c, 1) == 1 && c != '\n';) line.push_back(c);
    return line;
  }
  static void WriteLine(int out, std::string line) {
    line.push_back('\n');
    if (::write(out, line.data(), line.size()) != static_cast<ssize_t>(line.size())) std::abort();
  }
  void Kill() {
    ::kill(pid_, SIGKILL);
    Wait();
  }
  // The exit code, -1 after a signal.
  int Wait() {
    int status = 0;
    ::waitpid(pid_, &status, 0);
    pid_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  pid_t pid_ = -1;
  int in_ = -1;
};

// What `body` returns, run by a user who is not root: permissions mean nothing to root.
inline std::string AsPlainUser(const std::function<std::string()>& body) {
  if (::geteuid() != 0) return body();
  ChildProcess child([&](int out) {
    constexpr int kNobody = 65534;
    if (::setgroups(0, nullptr) != 0 || ::setgid(kNobody) != 0 || ::setuid(kNobody) != 0) return 1;
    ChildProcess::WriteLine(out, body());
    return 0;
  });
  return child.ReadLine();
}

}  // namespace tailrace
