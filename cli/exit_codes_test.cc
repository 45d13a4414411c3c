#include "cli/exit_codes.h"

#include <set>
#include <string>

#include <gtest/gtest.h>

namespace tailrace::cli {
namespace {

TEST(ExitCodes, TheTableIsInOrderAndNamesAreDistinct) {
  std::set<std::string_view> names;
  for (size_t i = 0; i < kExitCodes.size(); ++i) {
    EXPECT_EQ(static_cast<size_t>(kExitCodes[i].code), i);
    EXPECT_TRUE(names.insert(kExitCodes[i].name).second) << kExitCodes[i].name;
    EXPECT_EQ(&RowOf(kExitCodes[i].code), &kExitCodes[i]);
    EXPECT_NE(ExitCodesHelp().find(std::string(kExitCodes[i].meaning)), std::string::npos);
  }
}

TEST(ExitCodes, EveryKindHasItsCode) {
  EXPECT_EQ(ExitCodeOf(Status::OK()), ExitCode::kOk);
  const std::pair<ErrorKind, ExitCode> kAll[] = {
      {ErrorKind::kInvalid, ExitCode::kInvalid},
      {ErrorKind::kNotFound, ExitCode::kNotFound},
      {ErrorKind::kDenied, ExitCode::kDenied},
      {ErrorKind::kThrottled, ExitCode::kRetry},
      {ErrorKind::kTransient, ExitCode::kRetry},
      {ErrorKind::kNoSpace, ExitCode::kRetry},
      {ErrorKind::kPrecondition, ExitCode::kPrecondition},
      {ErrorKind::kLimit, ExitCode::kLimit},
      {ErrorKind::kUploadGone, ExitCode::kGone},
      {ErrorKind::kPartMismatch, ExitCode::kFenced},
      {ErrorKind::kFenced, ExitCode::kFenced},
      {ErrorKind::kWriterAlive, ExitCode::kWriterAlive},
      {ErrorKind::kOutcomeUnknown, ExitCode::kUnknown},
      {ErrorKind::kBadState, ExitCode::kBadState},
      {ErrorKind::kStateTooNew, ExitCode::kStateTooNew},
      {ErrorKind::kCancelled, ExitCode::kInterruptedDropped},
      {ErrorKind::kInternal, ExitCode::kInternal},
  };
  for (const auto& [kind, code] : kAll) {
    EXPECT_EQ(ExitCodeOf(MakeError(kind, "x")), code) << ErrorKindName(kind);
  }
}

}  // namespace
}  // namespace tailrace::cli
