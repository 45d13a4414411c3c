#include "state/packed_list.h"

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

TEST(PackedList, ComesBackSmaller) {
  const std::string list(1 << 20, 'x');
  const std::string packed = PackList(list);
  EXPECT_LT(packed.size(), 1000u);
  EXPECT_EQ(*UnpackList(packed, "list"), list);
}

TEST(PackedList, IsPlainWhereCompressionDoesNotPay) {
  EXPECT_EQ(PackList(""), std::string(1, '\0'));
  EXPECT_EQ(PackList("abc"), std::string("\0abc", 4));
  EXPECT_EQ(*UnpackList(PackList("abc"), "list"), "abc");
  EXPECT_EQ(*UnpackList(PackList(""), "list"), "");
}

TEST(PackedList, SizeThatCannotBeIsRefusedBeforeItIsAllocated) {
  for (int64_t claimed : {int64_t{1} << 20, int64_t{4} << 30, int64_t{1} << 62}) {
    const Status status = UnpackList(Compressed(claimed, "0123456789abcdef"), "list").status();
    EXPECT_EQ(KindOf(status), ErrorKind::kBadState);
    EXPECT_THAT(status.ToString(), HasSubstr("list: " + std::to_string(claimed) + " bytes cannot come from 16"));
  }
  // Enough input for the claim, but more than any list is compressed from.
  const std::string frame(40000, 'x');
  EXPECT_THAT(UnpackList(Compressed((int64_t{1} << 30) + 1, frame), "list").status().ToString(), HasSubstr("cannot"));
}

TEST(PackedList, MostCompressibleListKeepsToTheBound) {
  const std::string list(64 << 20, '\0');
  EXPECT_EQ(*UnpackList(PackList(list), "list"), list);
}

TEST(PackedList, DamageIsRefused) {
  const std::string list(5000, 'x');
  const std::string packed = PackList(list);
  const std::string_view frame = std::string_view(packed).substr(3);
  EXPECT_EQ(KindOf(UnpackList("", "list").status()), ErrorKind::kBadState);
  EXPECT_EQ(KindOf(UnpackList("\x01", "list").status()), ErrorKind::kBadState);
  EXPECT_EQ(KindOf(UnpackList("\x02zzz", "list").status()), ErrorKind::kStateTooNew);
  EXPECT_EQ(KindOf(UnpackList(Compressed(5001, frame), "list").status()), ErrorKind::kBadState);
  EXPECT_EQ(KindOf(UnpackList(Compressed(4999, frame), "list").status()), ErrorKind::kBadState);
  EXPECT_EQ(KindOf(UnpackList(Compressed(5000, "no frame at all"), "list").status()), ErrorKind::kBadState);
  EXPECT_EQ(*UnpackList(Compressed(5000, frame), "list"), list);
}

}  // namespace
}  // namespace tailrace
