// Every prefix and every flipped bit of a value is refused, and so is every altered body in a good envelope that does
// not happen to be a sound value.
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "state/envelope.h"
#include "state/state_samples.h"
#include "tailrace/state.h"

namespace tailrace {
namespace {

struct Blob {
  const char* name;
  BlobKind kind;
  std::string bytes;
  Status (*read)(std::string_view);
};

Status ReadState(std::string_view bytes) { return WriterState::FromBytes(bytes).status(); }
Status ReadPending(std::string_view bytes) { return PendingCommit::FromBytes(bytes).status(); }

class Damage : public testing::TestWithParam<int> {
 protected:
  Blob blob() const {
    switch (GetParam()) {
      case 0:
        return {"empty state", BlobKind::kWriterState, EmptyState().ToBytes(), ReadState};
      case 1:
        return {"small state", BlobKind::kWriterState, SmallState().ToBytes(), ReadState};
      case 2:
        return {"state with compressed lists", BlobKind::kWriterState, LargeState(40, 3).ToBytes(), ReadState};
      case 3:
        return {"small file", BlobKind::kPendingCommit, SmallInlinePending().ToBytes(), ReadPending};
      case 4:
        return {"state with carried rows", BlobKind::kWriterState, CarryingState().ToBytes(), ReadState};
      case 5:
        return {"pending with a state", BlobKind::kPendingCommit, PendingAroundStray().ToBytes(), ReadPending};
      default:
        return {"upload", BlobKind::kPendingCommit, SmallUploadPending().ToBytes(), ReadPending};
    }
  }
};

bool IsRefusal(const Status& status) {
  return !status.ok() && (KindOf(status) == ErrorKind::kBadState || KindOf(status) == ErrorKind::kStateTooNew);
}

TEST_P(Damage, EveryPrefixIsRefused) {
  const Blob whole = blob();
  ASSERT_TRUE(whole.read(whole.bytes).ok());
  for (size_t size = 0; size < whole.bytes.size(); ++size) {
    // A copy of its own, so that the address sanitizer sees a read beyond its end.
    const std::string cut = whole.bytes.substr(0, size);
    const Status status = whole.read(cut);
    ASSERT_EQ(KindOf(status), ErrorKind::kBadState) << whole.name << ", " << size << " bytes: " << status;
  }
}

TEST_P(Damage, EveryFlippedBitIsRefused) {
  const Blob whole = blob();
  std::string bytes = whole.bytes;
  for (size_t at = 0; at < bytes.size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      bytes[at] ^= static_cast<char>(1 << bit);
      const Status status = whole.read(bytes);
      ASSERT_EQ(KindOf(status), ErrorKind::kBadState)
          << whole.name << ", byte " << at << " bit " << bit << ": " << status;
      bytes[at] ^= static_cast<char>(1 << bit);
    }
  }
}

TEST_P(Damage, ByteTooManyIsRefused) {
  const Blob whole = blob();
  EXPECT_EQ(KindOf(whole.read(whole.bytes + '\0')), ErrorKind::kBadState);
}

// With a checksum that fits the damage, only the checks behind it are left. What they let pass must be a sound value:
// reading and writing it again must not abort.
TEST_P(Damage, PrefixOfABodyIsRefusedWithoutItsChecksum) {
  const Blob whole = blob();
  const std::string body(*UnwrapBody(whole.kind, whole.bytes));
  for (size_t size = 0; size < body.size(); ++size) {
    const Status status = whole.read(WrapBody(whole.kind, body.substr(0, size)));
    if (!status.ok()) {
      ASSERT_EQ(KindOf(status), ErrorKind::kBadState) << whole.name << ", " << size << " bytes: " << status;
    }
  }
}

TEST_P(Damage, AlteredBodyIsRefusedOrSoundWithoutItsChecksum) {
  const Blob whole = blob();
  const std::string body(*UnwrapBody(whole.kind, whole.bytes));
  std::mt19937 random(20240611);
  int refused = 0;
  constexpr int kRounds = 20000;
  for (int round = 0; round < kRounds; ++round) {
    std::string altered = body;
    for (uint32_t left = 1 + random() % 3; left > 0; --left)
      altered[random() % altered.size()] = static_cast<char>(random());
    const std::string bytes = WrapBody(whole.kind, altered);
    const Status status = whole.read(bytes);
    if (status.ok()) {
      if (whole.kind == BlobKind::kWriterState) {
        ASSERT_FALSE(WriterState::FromBytes(bytes)->ToBytes().empty());
      } else {
        ASSERT_FALSE(PendingCommit::FromBytes(bytes)->ToBytes().empty());
      }
    } else {
      ++refused;
      ASSERT_TRUE(IsRefusal(status)) << status;
    }
  }
  EXPECT_GT(refused, kRounds / 4) << whole.name;
}

INSTANTIATE_TEST_SUITE_P(Blobs, Damage, testing::Range(0, 7));

}  // namespace
}  // namespace tailrace
