#include "state/packed_bytes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "state/wire.h"

namespace tailrace {
namespace {

using testing::HasSubstr;

std::string Compressed(int64_t claimed_size, std::string_view frame) {
  std::string packed(1, '\x01');
  PutVarint(static_cast<uint64_t>(claimed_size), &packed);
  return packed.append(frame);
}

TEST(PackedBytes, ComesBackSmaller) {
  const std::string list(1 << 20, 'x');
  const std::string packed = PackBytes(list);
  EXPECT_LT(packed.size(), 1000u);
  EXPECT_EQ(*UnpackBytes(packed, "list"), list);
}

TEST(PackedBytes, IsPlainWhereCompressionDoesNotPay) {
  EXPECT_EQ(PackBytes(""), std::string(1, '\0'));
  EXPECT_EQ(PackBytes("abc"), std::string("\0abc", 4));
  EXPECT_EQ(*UnpackBytes(PackBytes("abc"), "list"), "abc");
  EXPECT_EQ(*UnpackBytes(PackBytes(""), "list"), "");
}

TEST(PackedBytes, SizeThatCannotBeIsRefusedBeforeItIsAllocated) {
  for (int64_t claimed : {int64_t{1} << 20, int64_t{4} << 30, int64_t{1} << 62}) {
    const Status status = UnpackBytes(Compressed(claimed, "0123456789abcdef"), "list").status();
    EXPECT_EQ(KindOf(status), ErrorKind::kBadState);
    EXPECT_THAT(status.ToString(), HasSubstr("list: " + std::to_string(claimed) + " bytes cannot come from 16"));
  }
  // Enough input for the claim, but more than any list is compressed from.
  const std::string frame(40000, 'x');
  EXPECT_THAT(UnpackBytes(Compressed((int64_t{1} << 30) + 1, frame), "list").status().ToString(), HasSubstr("cannot"));
}

TEST(PackedBytes, MostCompressibleListKeepsToTheBound) {
  const std::string list(64 << 20, '\0');
  EXPECT_EQ(*UnpackBytes(PackBytes(list), "list"), list);
}

TEST(PackedBytes, DamageIsRefused) {
  const std::string list(5000, 'x');
  const std::string packed = PackBytes(list);
  const std::string_view frame = std::string_view(packed).substr(3);
  EXPECT_EQ(KindOf(UnpackBytes("", "list").status()), ErrorKind::kBadState);
  EXPECT_EQ(KindOf(UnpackBytes("\x01", "list").status()), ErrorKind::kBadState);
  EXPECT_EQ(KindOf(UnpackBytes("\x02zzz", "list").status()), ErrorKind::kStateTooNew);
  EXPECT_EQ(KindOf(UnpackBytes(Compressed(5001, frame), "list").status()), ErrorKind::kBadState);
  EXPECT_EQ(KindOf(UnpackBytes(Compressed(4999, frame), "list").status()), ErrorKind::kBadState);
  EXPECT_EQ(KindOf(UnpackBytes(Compressed(5000, "no frame at all"), "list").status()), ErrorKind::kBadState);
  EXPECT_EQ(*UnpackBytes(Compressed(5000, frame), "list"), list);
}

}  // namespace
}  // namespace tailrace
