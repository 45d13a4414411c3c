// Completion scripts of shells.
#pragma once

#include <string>

#include "cli/command_tree.h"

namespace tailrace::cli {

// For ~/.local/share/bash-completion/completions/tailrace, or `source <(tailrace completion bash)`. Needs bash 4.
std::string BashCompletion(const CommandFacts& program);
// For a file _tailrace in a folder of fpath.
std::string ZshCompletion(const CommandFacts& program);
// For ~/.config/fish/completions/tailrace.fish.
std::string FishCompletion(const CommandFacts& program);

}  // namespace tailrace::cli
