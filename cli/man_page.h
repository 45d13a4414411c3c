// The manual page, in the macros of man(7).
#pragma once

#include <string>

#include "cli/command_tree.h"

namespace tailrace::cli {

std::string ManPage(const CommandFacts& program, const std::string& version);

}  // namespace tailrace::cli
