#include "state/envelope.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "state/state_samples.h"

namespace tailrace {
namespace {

using testing::HasSubstr;

void ExpectRefused(BlobKind kind, std::string_view bytes, ErrorKind error, const std::string& text) {
  const Status status = UnwrapBody(kind, bytes).status();
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(KindOf(status), error) << status.ToString();
  EXPECT_THAT(status.ToString(), HasSubstr(text));
}

TEST(Envelope, BodyComesBack) {
  for (BlobKind kind : {BlobKind::kWriterState, BlobKind::kPendingCommit}) {
    for (std::string body : {std::string(), std::string("body"), std::string(100000, 'x')}) {
      const std::string bytes = WrapBody(kind, body);
      EXPECT_EQ(*UnwrapBody(kind, bytes), body);
      EXPECT_EQ(*KindOfBlob(bytes), kind);
    }
  }
}

TEST(Envelope, OtherKindIsNamed) {
  ExpectRefused(BlobKind::kWriterState, WrapBody(BlobKind::kPendingCommit, "body"), ErrorKind::kBadState,
                "this is a pending commit, not a writer state");
  ExpectRefused(BlobKind::kPendingCommit, WrapBody(BlobKind::kWriterState, "body"), ErrorKind::kBadState,
                "this is a writer state, not a pending commit");
}

TEST(Envelope, StrangeBytesAreRefused) {
  ExpectRefused(BlobKind::kWriterState, "", ErrorKind::kBadState, "0 bytes are too few");
  ExpectRefused(BlobKind::kWriterState, "PAR1, not a state", ErrorKind::kBadState, "neither");
  EXPECT_EQ(KindOf(KindOfBlob("PAR1, not a state").status()), ErrorKind::kBadState);
}

TEST(Envelope, CutIsToldFromAddition) {
  const std::string bytes = WrapBody(BlobKind::kWriterState, "body");
  ExpectRefused(BlobKind::kWriterState, bytes.substr(0, 12), ErrorKind::kBadState, "header: cut short, 12 of 28");
  ExpectRefused(BlobKind::kWriterState, bytes.substr(0, bytes.size() - 1), ErrorKind::kBadState,
                "body: cut short, 3 of 4");
  ExpectRefused(BlobKind::kWriterState, bytes + "xyz", ErrorKind::kBadState, "body: 3 bytes too many");
}

TEST(Envelope, NewerVersionIsTooNewOnlyWhenIntact) {
  std::string bytes = WrapWithVersion(BlobKind::kWriterState, "body", kFormatVersion + 1);
  ExpectRefused(BlobKind::kWriterState, bytes, ErrorKind::kStateTooNew, "version: 1 is newer than 0");
  bytes.back() ^= 1;
  ExpectRefused(BlobKind::kWriterState, bytes, ErrorKind::kBadState, "checksum");
}

}  // namespace
}  // namespace tailrace
