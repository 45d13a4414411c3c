// The exit codes of the command line: one table, from which --help and docs/guide/cli.md are made. Stable: never
// renumber, never reuse.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "tailrace/error.h"

namespace tailrace::cli {

enum class ExitCode : int {
  kOk = 0,
  kInternal = 1,
  kUsage = 2,
  kInvalid = 3,
  kNotFound = 4,
  kDenied = 5,
  kLimit = 6,
  kPrecondition = 7,
  kRetry = 8,
  kGone = 9,
  kFenced = 10,
  kUnknown = 11,
  kWriterAlive = 12,
  kBadState = 13,
  kStateTooNew = 14,
  kInterruptedKept = 15,
  kInterruptedDropped = 16,
  kNothingAborted = 17,
  kOutputLost = 18,
  kStoreUnfit = 19,
};

struct ExitCodeRow {
  ExitCode code;
  std::string_view name;  // as "exit_name" of the JSON events
  std::string_view meaning;
};

// A second SIGINT or SIGTERM ends the process at once with 128 + the signal's number.
inline constexpr std::array<ExitCodeRow, 20> kExitCodes{{
    {ExitCode::kOk, "ok", "done; for write, resume, finish and commit: the object is there, whole and ours"},
    {ExitCode::kInternal, "internal", "a bug in tailrace or in a library below it"},
    {ExitCode::kUsage, "usage", "the command line is wrong; nothing was done"},
    {ExitCode::kInvalid, "invalid", "the input or an option is wrong: repeating it cannot help"},
    {ExitCode::kNotFound, "not found", "an input, a folder, a state file or an object is missing"},
    {ExitCode::kDenied, "denied", "rights are missing"},
    {ExitCode::kLimit, "limit", "a limit of the store, the format or the options is reached; the message names it"},
    {ExitCode::kPrecondition, "precondition",
     "another object is under the key and must not be replaced, or a file "
     "that an unfinished write needs is in the way"},
    {ExitCode::kRetry, "retry", "not done, nothing lost: run the same command again later"},
    {ExitCode::kGone, "gone", "the upload expired or was aborted; what is under the key, if anything, is not ours"},
    {ExitCode::kFenced, "fenced", "another process finished this write elsewhere, or replaced a part of it"},
    {ExitCode::kUnknown, "unknown", "it cannot be told whether the commit happened; the state stays good"},
    {ExitCode::kWriterAlive, "writer alive", "a live process holds this upload"},
    {ExitCode::kBadState, "bad state", "the state or pending commit is damaged, or is for another target"},
    {ExitCode::kStateTooNew, "state too new", "the state or pending commit was written by a newer format"},
    {ExitCode::kInterruptedKept, "interrupted", "stopped by SIGINT or SIGTERM; the state file can be resumed"},
    {ExitCode::kInterruptedDropped, "interrupted, nothing kept",
     "stopped by SIGINT or SIGTERM; the upload was aborted"},
    {ExitCode::kNothingAborted, "already committed", "abort found the object of this write committed; nothing aborted"},
    {ExitCode::kOutputLost, "output lost", "done as with 0, but standard output could not be written"},
    {ExitCode::kStoreUnfit, "store unfit", "doctor found that no write to this store can work; its report says why"},
}};

// For a failed status. Statuses of a commit need no other mapping: the outcome follows from the kind.
ExitCode ExitCodeOf(const Status& status);
// The row of `code`.
const ExitCodeRow& RowOf(ExitCode code);
// The table as text, for --help.
std::string ExitCodesHelp();

}  // namespace tailrace::cli
