// The subcommands, one file each. main.cc only dispatches.
#pragma once

#include <functional>
#include <string>

#include <CLI/CLI.hpp>

#include "cli/exit_codes.h"

namespace tailrace::cli {

// What the chosen subcommand does, run after the whole command line was read.
using Action = std::function<ExitCode()>;

// Each adds its subcommand to `app`; when that is chosen, `*action` becomes what it does. Both outlive the action.
void AddWrite(CLI::App* app, Action* action);
void AddResume(CLI::App* app, Action* action);
void AddFinish(CLI::App* app, Action* action);
void AddCommit(CLI::App* app, Action* action);
void AddAbort(CLI::App* app, Action* action);
void AddInspect(CLI::App* app, Action* action);
void AddUploads(CLI::App* app, Action* action);
void AddDoctor(CLI::App* app, Action* action);
void AddDemo(CLI::App* app, Action* action);
void AddCompletion(CLI::App* app, Action* action);
void AddMan(CLI::App* app, Action* action);

}  // namespace tailrace::cli
