#include "state/carried_codec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "state/state_samples.h"
#include "state/wire.h"

namespace tailrace {
namespace {

using testing::HasSubstr;

Status Refusal(const std::string& bytes) { return DecodeCarried(bytes, "carried").status(); }

TEST(CarriedChunks, EveryCutIsRefused) {
  const CarriedRows carried = CarryingState().carried;
  const std::string bytes = EncodeCarried(carried);
  EXPECT_EQ(*DecodeCarried(bytes, "carried"), carried);
  for (size_t size = 0; size < bytes.size(); ++size) {
    const Status status = Refusal(bytes.substr(0, size));
    EXPECT_EQ(KindOf(status), ErrorKind::kBadState) << size;
    EXPECT_THAT(status.message(), testing::StartsWith("carried: ")) << size;
  }
  EXPECT_THAT(Refusal(bytes + "x").message(), HasSubstr("1 bytes too many"));
}

TEST(CarriedChunks, CountsAndLengthsThatCannotBeAreRefusedBeforeTheyAreAllocated) {
  for (uint64_t number : {uint64_t{1} << 20, uint64_t{1} << 40, (uint64_t{1} << 63) - 1}) {
    std::string count, length;
    PutVarint(number, &count);
    count += std::string(20, '\1');
    EXPECT_EQ(KindOf(Refusal(count)), ErrorKind::kBadState);
    PutVarint(1, &length);
    PutVarint(5, &length);
    PutVarint(number, &length);
    length += std::string(20, '\1');
    EXPECT_EQ(KindOf(Refusal(length)), ErrorKind::kBadState);
  }
  EXPECT_EQ(KindOf(Refusal(std::string(1, '\0'))), ErrorKind::kBadState) << "no chunk, yet a field";
}

}  // namespace
}  // namespace tailrace
