#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <iostream>

#include "cli/commands.h"
#include "tailrace/version.h"

namespace {

constexpr char kAbout[] =
    "tailrace writes Arrow data into Parquet objects as a transaction: nothing is visible before it is whole, and\n"
    "from the small state of any checkpoint any process resumes, finishes or aborts the write.\n";

constexpr char kExamples[] =
    "Examples:\n"
    "  tailrace write events.arrows /data/events.parquet\n"
    "  producer | tailrace write - /data/events.parquet --checkpoint-every 50000rows --state events.state\n"
    "  producer | tailrace resume events.state - --checkpoint-every 50000rows\n"
    "  tailrace inspect /data/events.parquet\n"
    "  tailrace demo\n\n";

// A standard stream that the caller closed would lend its number to the next file that is opened.
void OpenClosedStandardStreams() {
  for (int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(fd, F_GETFD) == -1 && errno == EBADF &&
        open("/dev/null", fd == STDIN_FILENO ? O_RDONLY : O_WRONLY) != fd) {
      std::abort();  // the lowest free number is this one
    }
  }
}

// What CLI11 takes for an option that was not given. A script whose variable is empty meant something else.
std::string OptionWithoutValue(const CLI::App& app) {
  for (const CLI::App* command : app.get_subcommands()) {
    for (const CLI::Option* option : command->get_options()) {
      for (const std::string& value : option->results()) {
        if (value.empty()) return option->get_name();
      }
    }
    if (const std::string name = OptionWithoutValue(*command); !name.empty()) return name;
  }
  return {};
}

// The reader of a pipe, who does not want to know more.
bool ReaderIsGone() {
  pollfd out{.fd = STDOUT_FILENO, .events = POLLOUT, .revents = 0};
  return poll(&out, 1, 0) == 1 && (out.revents & POLLERR) != 0;
}

// JSON that did not arrive is as good as none: whoever reads it must not take the run for a success.
tailrace::cli::ExitCode AfterOutput(tailrace::cli::ExitCode code) {
  if ((std::fflush(stdout) == 0 && std::ferror(stdout) == 0) || ReaderIsGone()) return code;
  std::fprintf(stderr, "tailrace: standard output could not be written\n");
  return code == tailrace::cli::ExitCode::kOk ? tailrace::cli::ExitCode::kOutputLost : code;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace tailrace::cli;
  OpenClosedStandardStreams();
  CLI::App app(kAbout, "tailrace");
  app.set_version_flag("--version", "tailrace " + std::string(tailrace::LibraryVersion()));
  app.require_subcommand(1);
  app.footer(kExamples + ExitCodesHelp());
  Action action;
  for (const auto add : {AddWrite, AddResume, AddFinish, AddCommit, AddAbort, AddInspect, AddUploads, AddDoctor,
                         AddDemo, AddCompletion, AddMan})
    add(&app, &action);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const bool asked = app.exit(error, std::cout, std::cerr) == 0;  // for help or version
    return static_cast<int>(AfterOutput(asked ? ExitCode::kOk : ExitCode::kUsage));
  }
  if (const std::string option = OptionWithoutValue(app); !option.empty()) {
    std::cerr << "tailrace: " << option << ": its value is empty\nRun with --help for more." << std::endl;
    return static_cast<int>(ExitCode::kUsage);
  }
  try {
    return static_cast<int>(AfterOutput(action()));
  } catch (const std::exception& error) {
    std::cerr << "tailrace: internal: " << error.what() << std::endl;
    return static_cast<int>(ExitCode::kInternal);
  }
}
