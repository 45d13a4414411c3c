// Starts s3_child processes against a server inside the test.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "testing/s3_server/s3_server.h"

namespace tailrace::sim {

inline void SetEnvironment(const S3Server& server, const std::string& kind) {
  const S3Key key = server.key();
  setenv("AWS_ENDPOINT_URL", server.endpoint().c_str(), 1);
  setenv("AWS_ACCESS_KEY_ID", key.access_key_id.c_str(), 1);
  setenv("AWS_SECRET_ACCESS_KEY", key.secret_access_key.c_str(), 1);
  setenv("AWS_REGION", "us-east-1", 1);
  setenv("TAILRACE_STORE_KIND", kind.c_str(), 1);
  for (const char* name : {"AWS_SESSION_TOKEN", "AWS_PROFILE", "AWS_ENDPOINT_URL_S3"}) unsetenv(name);
}

// One child. Its standard input is a pipe that Go writes to. Ended, by a kill if need be, and waited for.
class Child {
 public:
  explicit Child(std::vector<std::string> arguments) {
    int pipe_ends[2];
    if (pipe2(pipe_ends, O_CLOEXEC) != 0) std::abort();
    arguments.insert(arguments.begin(), TAILRACE_S3_CHILD);
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, pipe_ends[0], STDIN_FILENO);
    if (posix_spawn(&pid_, TAILRACE_S3_CHILD, &actions, nullptr, argv.data(), environ) != 0) std::abort();
    posix_spawn_file_actions_destroy(&actions);
    close(pipe_ends[0]);
    to_child_ = pipe_ends[1];
  }
  ~Child() {
    if (!waited_) {
      kill(pid_, SIGKILL);
      Wait();
    }
    close(to_child_);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  pid_t pid() const { return pid_; }
  void Go() { EXPECT_EQ(write(to_child_, "g", 1), 1); }
  // The exit code, or -1 where it was killed.
  int Wait() {
    int status = 0;
    EXPECT_EQ(waitpid(pid_, &status, 0), pid_);
    waited_ = true;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  pid_t pid_ = 0;
  int to_child_ = -1;
  bool waited_ = false;
};

}  // namespace tailrace::sim
