#include "c/guard.h"

#include <memory>
#include <new>
#include <set>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "c/names.h"

namespace tailrace::c {
namespace {

constexpr ErrorKind kAllKinds[] = {ErrorKind::kInvalid,        ErrorKind::kNotFound,  ErrorKind::kDenied,
                                   ErrorKind::kThrottled,      ErrorKind::kTransient, ErrorKind::kNoSpace,
                                   ErrorKind::kPrecondition,   ErrorKind::kLimit,     ErrorKind::kUploadGone,
                                   ErrorKind::kPartMismatch,   ErrorKind::kFenced,    ErrorKind::kWriterAlive,
                                   ErrorKind::kOutcomeUnknown, ErrorKind::kBadState,  ErrorKind::kStateTooNew,
                                   ErrorKind::kCancelled,      ErrorKind::kInternal};

TEST(Guard, EveryKindHasANumberOfItsOwnAndItsName) {
  std::set<tailrace_kind> numbers;
  for (ErrorKind kind : kAllKinds) {
    tailrace_error* error = nullptr;
    const tailrace_kind number = Guard(&error, [&] { return MakeError(kind, "what happened"); });
    ASSERT_NE(error, nullptr);
    EXPECT_EQ(tailrace_error_kind(error), number);
    EXPECT_EQ(KindFromC(number), kind);
    EXPECT_EQ(tailrace_kind_name(number), ErrorKindName(kind));
    EXPECT_STREQ(tailrace_error_message(error), "what happened");
    EXPECT_EQ(tailrace_outcome_name(tailrace_error_outcome(error)), OutcomeName(OutcomeOf(MakeError(kind, ""))));
    EXPECT_EQ(tailrace_error_rows(error), -1);
    EXPECT_EQ(tailrace_error_part(error), 0);
    EXPECT_EQ(tailrace_error_already_committed(error), 0);
    numbers.insert(number);
    tailrace_error_free(error);
  }
  EXPECT_EQ(numbers.size(), std::size(kAllKinds));
  EXPECT_EQ(*numbers.begin(), TAILRACE_INVALID);
  EXPECT_EQ(*numbers.rbegin(), TAILRACE_INTERNAL);
}

TEST(Guard, FactsOfAnErrorCross) {
  auto detail = std::make_shared<ErrorDetail>(ErrorKind::kFenced);
  detail->rows = 41;
  detail->part_number = 7;
  detail->already_committed = true;
  tailrace_error* error = nullptr;
  EXPECT_EQ(Guard(&error, [&] { return MakeError(detail, "by another"); }), TAILRACE_FENCED);
  EXPECT_EQ(tailrace_error_rows(error), 41);
  EXPECT_EQ(tailrace_error_part(error), 7);
  EXPECT_EQ(tailrace_error_already_committed(error), 1);
  tailrace_error_free(error);
}

TEST(Guard, NothingIsThrownAcross) {
  tailrace_error* error = nullptr;
  EXPECT_EQ(Guard(&error, []() -> Status { throw std::runtime_error("thrown below"); }), TAILRACE_INTERNAL);
  EXPECT_STREQ(tailrace_error_message(error), "thrown below");
  tailrace_error_free(error);
  EXPECT_EQ(Guard(&error, []() -> Status { throw 7; }), TAILRACE_INTERNAL);
  EXPECT_NE(std::string(tailrace_error_message(error)), "");
  tailrace_error_free(error);
}

TEST(Guard, WithoutMemoryTheErrorBelongsToNobody) {
  for (int time = 0; time < 2; ++time) {
    tailrace_error* error = nullptr;
    EXPECT_EQ(Guard(&error, []() -> Status { throw std::bad_alloc(); }), TAILRACE_INTERNAL);
    EXPECT_STREQ(tailrace_error_message(error), "out of memory");
    EXPECT_EQ(tailrace_error_kind(error), TAILRACE_INTERNAL);
    tailrace_error_free(error);
  }
}

TEST(Guard, ASuccessClearsWhatStoodInTheErrorBefore) {
  tailrace_error* error = reinterpret_cast<tailrace_error*>(this);
  EXPECT_EQ(Guard(&error, [] { return Status::OK(); }), TAILRACE_OK);
  EXPECT_EQ(error, nullptr);
  EXPECT_EQ(Guard(nullptr, [] { return Status::OK(); }), TAILRACE_OK);
  EXPECT_EQ(Guard(nullptr, [] { return MakeError(ErrorKind::kDenied, ""); }), TAILRACE_DENIED);
}

}  // namespace
}  // namespace tailrace::c
