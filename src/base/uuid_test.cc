#include "base/uuid.h"

#include <set>
#include <string>

#include <gtest/gtest.h>

namespace tailrace {
namespace {

TEST(WriteId, MadeOnesTellTheirMillisecond) {
  const Timestamp moment(std::chrono::microseconds(1767225600123456));
  const WriteId id = MakeWriteId(moment);
  EXPECT_EQ(id.Time(), std::chrono::floor<std::chrono::milliseconds>(moment)) << id.text;
}

TEST(WriteId, AllDiffer) {
  std::set<WriteId> ids;
  for (int i = 0; i < 1000; ++i) {
    const WriteId id = MakeWriteId(Timestamp(std::chrono::milliseconds(1)));
    ASSERT_TRUE(id.Time().has_value()) << id.text;
    EXPECT_TRUE(ids.insert(id).second);
  }
}

TEST(WriteId, LaterOnesSortBehind) {
  const WriteId before = MakeWriteId(Timestamp(std::chrono::milliseconds(0xffff)));
  const WriteId after = MakeWriteId(Timestamp(std::chrono::milliseconds(0x10000)));
  EXPECT_LT(before, after);
}

TEST(InstanceId, Is32HexDigitsAndNew) {
  const std::string first = MakeInstanceId();
  EXPECT_EQ(first.size(), 32u);
  EXPECT_EQ(first.find_first_not_of("0123456789abcdef"), std::string::npos) << first;
  EXPECT_NE(first, MakeInstanceId());
}

}  // namespace
}  // namespace tailrace
