#include "tailrace/bytes.h"

#include <string>

#include <arrow/buffer.h>
#include <gtest/gtest.h>

#include "base/crc64.h"

namespace tailrace {
namespace {

uint64_t CrcOf(const std::string& text) { return Crc64Nvme(text.data(), text.size()); }

ByteSlices Make(std::initializer_list<std::string> pieces) {
  ByteSlices slices;
  for (const std::string& piece : pieces) slices.Append(ByteSlice::Copy(piece));
  return slices;
}

void ExpectHolds(const ByteSlices& slices, const std::string& text) {
  EXPECT_EQ(slices.ToString(), text);
  EXPECT_EQ(slices.size(), static_cast<int64_t>(text.size()));
  EXPECT_EQ(slices.empty(), text.empty());
  EXPECT_EQ(slices.crc64(), CrcOf(text));
  for (const ByteSlice& slice : slices.slices()) {
    EXPECT_GT(slice.size(), 0);
    EXPECT_EQ(slice.crc64, Crc64Nvme(slice.data(), slice.size()));
  }
}

TEST(ByteSlice, EmptyOneHasNoBytes) {
  EXPECT_EQ(ByteSlice{}.size(), 0);
  EXPECT_EQ(ByteSlice{}.data(), nullptr);
  EXPECT_EQ(ByteSlice::Copy("").crc64, 0u);
}

TEST(ByteSlices, NothingIsAnEmptyRun) { ExpectHolds(ByteSlices(), ""); }

TEST(ByteSlices, AppendedPiecesAreOneRun) { ExpectHolds(Make({"row ", "", "group", "s"}), "row groups"); }

TEST(ByteSlices, EmptySlicesAreDropped) {
  ByteSlices slices = Make({"", ""});
  slices.Append(ByteSlice{});
  EXPECT_TRUE(slices.slices().empty());
}

TEST(ByteSlices, AppendsAnotherRunAndItself) {
  ByteSlices slices = Make({"ab", "c"});
  slices.Append(Make({"de"}));
  ExpectHolds(slices, "abcde");
  slices.Append(slices);
  ExpectHolds(slices, "abcdeabcde");
}

TEST(ByteSlices, TakeFrontCutsAtEveryByte) {
  const std::string text = "0123456789abcdef";
  for (size_t cut = 0; cut <= text.size(); ++cut) {
    ByteSlices back = Make({"0", "123456789", "abcde", "f"});
    const ByteSlices front = back.TakeFront(static_cast<int64_t>(cut));
    ExpectHolds(front, text.substr(0, cut));
    ExpectHolds(back, text.substr(cut));
  }
}

TEST(ByteSlices, TakeFrontSharesTheMemory) {
  ByteSlices back = Make({"0123456789"});
  const uint8_t* data = back.slices()[0].data();
  const ByteSlices front = back.TakeFront(3);
  EXPECT_EQ(front.slices()[0].data(), data);
  EXPECT_EQ(back.slices()[0].data(), data + 3);
}

TEST(ByteSlices, TakeFrontReadsOnlyTheSmallerSide) {
  // A checksum that is not that of the bytes shows which side was read and which was derived from the whole.
  const std::string text = "0123456789";
  for (const int64_t cut : {3, 7}) {
    ByteSlice slice = ByteSlice::Copy(text);
    slice.crc64 ^= 1;
    ByteSlices back{slice};
    const ByteSlices front = back.TakeFront(cut);
    EXPECT_EQ(front.crc64() == CrcOf(text.substr(0, cut)), cut == 3) << cut;
    EXPECT_EQ(back.crc64() == CrcOf(text.substr(cut)), cut == 7) << cut;
  }
}

TEST(ByteSlices, CopiesKeepTheirBytesWhenOneIsCut) {
  ByteSlices first = Make({"abc", "def"});
  const ByteSlices second = first;
  first.TakeFront(4);
  ExpectHolds(first, "ef");
  ExpectHolds(second, "abcdef");
}

TEST(ByteSlices, ManyCutsOfOneBufferAreNoChain) {
  ByteSlices rest(ByteSlice::Copy(std::string(50'000, 'x')));
  ByteSlices last;
  while (!rest.empty()) last = rest.TakeFront(1);
  EXPECT_EQ(last.ToString(), "x");
  const auto& parent = last.slices().front().buffer->parent();
  ASSERT_NE(parent, nullptr);
  EXPECT_EQ(parent->parent(), nullptr);
}

}  // namespace
}  // namespace tailrace
