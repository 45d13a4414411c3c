// Credentials that a program of the user prints: credential_process.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "auth/credential_http.h"
#include "auth/credential_value.h"

namespace tailrace {

// Runs the command (no shell) and reads its JSON, version 1. The program's words are never repeated: they hold secrets.
Result<Credentials> ProcessCredentials(const CredentialContext& context, const std::string& command_line);

// Words as a POSIX shell splits them: blanks, '...', "..." and backslashes; nothing is expanded. kInvalid for an open
// quote or no word at all.
Result<std::vector<std::string>> SplitCommand(std::string_view command_line);

// Runs `command` with nothing on its standard input and returns what it writes to its standard output. kDenied where it
// cannot be started, fails, writes more than 64 KiB or takes longer than `timeout`; it is killed then.
Result<std::string> RunProcess(const std::vector<std::string>& command, std::chrono::milliseconds timeout,
                               const CancelToken& cancel);

}  // namespace tailrace
