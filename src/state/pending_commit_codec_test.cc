#include <atomic>
#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/crc64.h"
#include "state/envelope.h"
#include "state/state_samples.h"
#include "tailrace/state.h"

namespace tailrace {
namespace {

using testing::HasSubstr;

void ExpectRoundTrip(const PendingCommit& pending) {
  const std::string bytes = pending.ToBytes();
  auto again = PendingCommit::FromBytes(bytes);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(*again, pending);
  EXPECT_EQ(again->ToBytes(), bytes);
}

TEST(PendingCommitCodec, SmallFileComesBack) { ExpectRoundTrip(SmallInlinePending()); }

TEST(PendingCommitCodec, UploadComesBack) { ExpectRoundTrip(SmallUploadPending()); }

TEST(PendingCommitCodec, EndAroundAStrayComesBackWithItsState) { ExpectRoundTrip(PendingAroundStray()); }

TEST(PendingCommitCodec, UploadOfTenThousandPartsComesBack) {
  PendingCommit pending = SmallUploadPending();
  pending.receipts.clear();
  pending.size_bytes = 0;
  pending.crc64 = 0;
  const PendingCommit one = SmallUploadPending();
  for (int i = 0; i < 10000; ++i) {
    PartReceipt receipt = one.receipts[0];
    receipt.number = i + 1;
    receipt.offset_bytes = int64_t{i} * receipt.size_bytes;
    receipt.etag = std::string("etag-").append(std::to_string(i * 7919));
    pending.receipts.push_back(receipt);
    pending.size_bytes += receipt.size_bytes;
    pending.crc64 = Crc64Combine(pending.crc64, receipt.crc64, static_cast<uint64_t>(receipt.size_bytes));
  }
  ExpectRoundTrip(pending);
}

TEST(PendingCommitCodec, WhatBelongsToTheProcessIsNotStored) {
  PendingCommit pending = SmallUploadPending();
  const std::string bytes = pending.ToBytes();
  pending.first_try = std::make_shared<std::atomic<bool>>(true);
  pending.seal = "seal";
  EXPECT_EQ(pending.ToBytes(), bytes);
  EXPECT_EQ(pending, SmallUploadPending());
  auto again = PendingCommit::FromBytes(bytes);
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(again->first_try, nullptr);
  EXPECT_EQ(again->seal, "");
}

TEST(PendingCommitCodec, EveryFieldIsCompared) {
  const PendingCommit value = SmallUploadPending();
  const auto differs = [&](auto change) {
    PendingCommit other = value;
    change(&other);
    return !(other == value);
  };
  EXPECT_TRUE(differs([](PendingCommit* p) { p->library_version = "x"; }));
  EXPECT_TRUE(differs([](PendingCommit* p) { p->write_id.text = "x"; }));
  EXPECT_TRUE(differs([](PendingCommit* p) { p->target.key = "x"; }));
  EXPECT_TRUE(differs([](PendingCommit* p) { p->overwrite = OverwritePolicy::kOverwrite; }));
  EXPECT_TRUE(differs([](PendingCommit* p) { p->upload_id.text = "x"; }));
  EXPECT_TRUE(differs([](PendingCommit* p) { p->receipts[1].crc64 ^= 1; }));
  EXPECT_TRUE(differs([](PendingCommit* p) { p->inline_bytes = "x"; }));
  EXPECT_TRUE(differs([](PendingCommit* p) { ++p->size_bytes; }));
  EXPECT_TRUE(differs([](PendingCommit* p) { ++p->crc64; }));
  EXPECT_TRUE(differs([](PendingCommit* p) { p->footer = "x"; }));
  EXPECT_TRUE(differs([](PendingCommit* p) { ++p->rows; }));
  EXPECT_TRUE(differs([](PendingCommit* p) { p->state = SmallState(); }));
}

TEST(PendingCommitCodec, NewerVersionIsTooNew) {
  const std::string bytes = SmallInlinePending().ToBytes();
  const std::string newer =
      WrapWithVersion(BlobKind::kPendingCommit, *UnwrapBody(BlobKind::kPendingCommit, bytes), kFormatVersion + 1);
  EXPECT_EQ(KindOf(PendingCommit::FromBytes(newer).status()), ErrorKind::kStateTooNew);
}

TEST(PendingCommitCodec, WriterStateIsNamedAsSuch) {
  const Status status = PendingCommit::FromBytes(SmallState().ToBytes()).status();
  EXPECT_THAT(status.ToString(), HasSubstr("this is a writer state, not a pending commit"));
}

}  // namespace
}  // namespace tailrace
