#include "tailrace/error.h"

#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace tailrace {
namespace {

std::vector<ErrorKind> AllKinds() {
  std::vector<ErrorKind> kinds;
  for (int i = 0; i <= static_cast<int>(ErrorKind::kInternal); ++i) kinds.push_back(static_cast<ErrorKind>(i));
  return kinds;
}

TEST(Error, EveryKindTravelsInsideAStatus) {
  for (ErrorKind kind : AllKinds()) {
    const Status status = MakeError(kind, "what happened");
    ASSERT_FALSE(status.ok());
    EXPECT_EQ(KindOf(status), kind);
    EXPECT_EQ(status.message(), "what happened");
    EXPECT_NE(status.ToString().find(std::string(ErrorKindName(kind))), std::string::npos) << status.ToString();
  }
}

TEST(Error, NamesAreDistinctAndLowerCase) {
  std::set<std::string> names;
  for (ErrorKind kind : AllKinds()) {
    const std::string name(ErrorKindName(kind));
    EXPECT_EQ(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz "), std::string::npos) << name;
    EXPECT_TRUE(names.insert(name).second) << name;
  }
}

TEST(Error, ArrowUsersSeeAFittingCode) {
  EXPECT_TRUE(MakeError(ErrorKind::kInvalid, "").IsInvalid());
  EXPECT_TRUE(MakeError(ErrorKind::kTransient, "").IsIOError());
  EXPECT_TRUE(MakeError(ErrorKind::kPrecondition, "").IsAlreadyExists());
  EXPECT_TRUE(MakeError(ErrorKind::kLimit, "").IsCapacityError());
  EXPECT_TRUE(MakeError(ErrorKind::kBadState, "").IsSerializationError());
  EXPECT_TRUE(MakeError(ErrorKind::kCancelled, "").IsCancelled());
  EXPECT_TRUE(MakeError(ErrorKind::kInternal, "").IsUnknownError());
}

TEST(Error, PlainArrowErrorsAreJudgedByCode) {
  EXPECT_EQ(DetailOf(Status::Invalid("x")), nullptr);
  EXPECT_EQ(KindOf(Status::Invalid("x")), ErrorKind::kInvalid);
  EXPECT_EQ(KindOf(Status::TypeError("x")), ErrorKind::kInvalid);
  EXPECT_EQ(KindOf(Status::NotImplemented("x")), ErrorKind::kInvalid);
  EXPECT_EQ(KindOf(Status::IOError("x")), ErrorKind::kTransient);
  EXPECT_EQ(KindOf(Status::OutOfMemory("x")), ErrorKind::kTransient);
  EXPECT_EQ(KindOf(Status::CapacityError("x")), ErrorKind::kLimit);
  EXPECT_EQ(KindOf(Status::AlreadyExists("x")), ErrorKind::kPrecondition);
  EXPECT_EQ(KindOf(Status::SerializationError("x")), ErrorKind::kBadState);
  EXPECT_EQ(KindOf(Status::Cancelled("x")), ErrorKind::kCancelled);
  EXPECT_EQ(KindOf(Status::UnknownError("x")), ErrorKind::kInternal);
}

class OtherDetail : public arrow::StatusDetail {
 public:
  const char* type_id() const override { return "other"; }
  std::string ToString() const override { return "other"; }
};

TEST(Error, AnotherLibrarysDetailIsNotOurs) {
  const Status status(arrow::StatusCode::IOError, "x", std::make_shared<OtherDetail>());
  EXPECT_EQ(DetailOf(status), nullptr);
  EXPECT_EQ(KindOf(status), ErrorKind::kTransient);
}

TEST(Error, DetailCarriesPartAndRows) {
  auto detail = std::make_shared<ErrorDetail>(ErrorKind::kFenced);
  detail->part_number = 3;
  detail->rows = 500;
  const Status status = MakeError(detail, "x");
  ASSERT_NE(DetailOf(status), nullptr);
  EXPECT_EQ(DetailOf(status)->part_number, 3);
  EXPECT_EQ(DetailOf(status)->rows, 500);
  EXPECT_EQ(DetailOf(status)->ToString(), "fenced, part 3, 500 rows");
}

TEST(Error, ContextComesBeforeTheMessageAndKeepsTheRest) {
  const Status status = WithContext(MakeError(ErrorKind::kDenied, "no right to write"), "part 7 of a.parquet");
  EXPECT_EQ(status.message(), "part 7 of a.parquet: no right to write");
  EXPECT_EQ(KindOf(status), ErrorKind::kDenied);
  EXPECT_TRUE(status.IsIOError());
  EXPECT_TRUE(WithContext(Status::OK(), "anything").ok());
}

TEST(Error, OnlyOkIsCommitted) {
  EXPECT_EQ(OutcomeOf(Status::OK()), Outcome::kCommitted);
  for (ErrorKind kind : AllKinds()) EXPECT_NE(OutcomeOf(MakeError(kind, "")), Outcome::kCommitted);
}

TEST(Error, OutcomesFollowFromTheKind) {
  EXPECT_EQ(OutcomeOf(MakeError(ErrorKind::kFenced, "")), Outcome::kFenced);
  EXPECT_EQ(OutcomeOf(MakeError(ErrorKind::kPartMismatch, "")), Outcome::kFenced);
  EXPECT_EQ(OutcomeOf(MakeError(ErrorKind::kUploadGone, "")), Outcome::kGone);
  EXPECT_EQ(OutcomeOf(MakeError(ErrorKind::kOutcomeUnknown, "")), Outcome::kUnknown);
  EXPECT_EQ(OutcomeOf(MakeError(ErrorKind::kInternal, "")), Outcome::kUnknown);
  EXPECT_EQ(OutcomeOf(MakeError(ErrorKind::kTransient, "")), Outcome::kRetry);
  EXPECT_EQ(OutcomeOf(MakeError(ErrorKind::kDenied, "")), Outcome::kRetry);
  EXPECT_EQ(OutcomeOf(MakeError(ErrorKind::kWriterAlive, "")), Outcome::kRetry);
  EXPECT_EQ(OutcomeOf(MakeError(ErrorKind::kPrecondition, "")), Outcome::kRetry);
  EXPECT_EQ(OutcomeName(Outcome::kGone), "gone");
}

}  // namespace
}  // namespace tailrace
