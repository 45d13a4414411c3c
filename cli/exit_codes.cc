#include "cli/exit_codes.h"

#include <sstream>

namespace tailrace::cli {

ExitCode ExitCodeOf(const Status& status) {
  if (status.ok()) return ExitCode::kOk;
  switch (KindOf(status)) {
    case ErrorKind::kInvalid:
      return ExitCode::kInvalid;
    case ErrorKind::kNotFound:
      return ExitCode::kNotFound;
    case ErrorKind::kDenied:
      return ExitCode::kDenied;
    case ErrorKind::kThrottled:
    case ErrorKind::kTransient:
    case ErrorKind::kNoSpace:
      return ExitCode::kRetry;
    case ErrorKind::kPrecondition:
      return ExitCode::kPrecondition;
    case ErrorKind::kLimit:
      return ExitCode::kLimit;
    case ErrorKind::kUploadGone:
      return ExitCode::kGone;
    case ErrorKind::kPartMismatch:
    case ErrorKind::kFenced:
      return ExitCode::kFenced;
    case ErrorKind::kWriterAlive:
      return ExitCode::kWriterAlive;
    case ErrorKind::kOutcomeUnknown:
      return ExitCode::kUnknown;
    case ErrorKind::kBadState:
      return ExitCode::kBadState;
    case ErrorKind::kStateTooNew:
      return ExitCode::kStateTooNew;
    case ErrorKind::kCancelled:
      return ExitCode::kInterruptedDropped;
    case ErrorKind::kInternal:
      return ExitCode::kInternal;
  }
  return ExitCode::kInternal;
}

const ExitCodeRow& RowOf(ExitCode code) { return kExitCodes[static_cast<size_t>(code)]; }

std::string ExitCodesHelp() {
  std::ostringstream out;
  out << "Exit codes:\n";
  for (const ExitCodeRow& row : kExitCodes) {
    const int code = static_cast<int>(row.code);
    out << (code < 10 ? "   " : "  ") << code << "  " << row.name << ": " << row.meaning << "\n";
  }
  out << "A second SIGINT or SIGTERM ends the process at once with 128 + the signal's number.\n";
  return out.str();
}

}  // namespace tailrace::cli
