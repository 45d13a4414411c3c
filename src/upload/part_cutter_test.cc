#include "upload/part_cutter.h"

#include <random>
#include <string>

#include <arrow/buffer.h>
#include <gtest/gtest.h>

#include "base/crc64.h"

namespace tailrace {
namespace {

std::string Pattern(int64_t size) {
  std::string bytes;
  for (int64_t i = 0; i < size; ++i) bytes.push_back(static_cast<char>('a' + i % 23));
  return bytes;
}

ByteSlices Slices(std::string bytes) { return ByteSlices(ByteSlice::Copy(std::move(bytes))); }

// The parts of `all` when it is pushed in runs of the given sizes, checked one by one.
void ExpectParts(const std::string& all, const std::vector<int64_t>& runs, int64_t part_size) {
  const PartLengths lengths{part_size};
  PartCutter cutter(lengths, 0, {});
  std::vector<Part> parts;
  int64_t pushed = 0;
  for (int64_t run : runs) {
    for (Part& part : cutter.Push(Slices(all.substr(pushed, run)))) parts.push_back(std::move(part));
    pushed += run;
    EXPECT_LT(cutter.unsent().size(), part_size);
    EXPECT_EQ(cutter.total_bytes(), pushed);
    EXPECT_EQ(cutter.parts(), static_cast<int>(parts.size()));
  }
  ASSERT_EQ(pushed, static_cast<int64_t>(all.size()));
  EXPECT_EQ(static_cast<int64_t>(parts.size()), pushed / part_size);
  for (const Part& part : parts) EXPECT_EQ(part.body.size(), lengths.LengthOf(part.number));

  for (Part& part : cutter.CutRest()) parts.push_back(std::move(part));
  EXPECT_TRUE(cutter.unsent().empty());
  EXPECT_EQ(cutter.total_bytes(), pushed);
  EXPECT_EQ(static_cast<int64_t>(parts.size()), lengths.PartsFor(pushed));

  std::string joined;
  for (const Part& part : parts) {
    EXPECT_EQ(part.number, static_cast<int>(&part - parts.data()) + 1);
    EXPECT_EQ(part.offset_bytes, static_cast<int64_t>(joined.size()));
    const std::string bytes = part.body.ToString();
    EXPECT_EQ(part.body.crc64(), Crc64Nvme(bytes.data(), bytes.size())) << "part " << part.number;
    joined += bytes;
  }
  EXPECT_EQ(joined, all);
}

TEST(PartCutter, EveryTotalInEveryRunSizeAroundThePartBorders) {
  for (int64_t part_size : {1, 2, 5}) {
    for (int64_t total = 0; total <= 3 * part_size + 1; ++total) {
      for (int64_t run = 1; run <= total + 1; ++run) {
        std::vector<int64_t> runs;
        for (int64_t left = total; left > 0; left -= run) runs.push_back(std::min(run, left));
        SCOPED_TRACE(testing::Message() << "part " << part_size << " total " << total << " run " << run);
        ExpectParts(Pattern(total), runs, part_size);
      }
    }
  }
}

TEST(PartCutter, RandomRunsOfManyParts) {
  for (uint32_t seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    std::vector<int64_t> runs;
    int64_t total = 0;
    while (total < 20'000) {
      runs.push_back(random() % 4 == 0 ? random() % 6000 : random() % 300);
      total += runs.back();
    }
    ExpectParts(Pattern(total), runs, 700 + random() % 700);
  }
}

TEST(PartCutter, SharesTheMemoryOfWhatIsPushed) {
  std::shared_ptr<arrow::Buffer> buffer = arrow::Buffer::FromString(Pattern(25));
  PartCutter cutter({10}, 0, {});
  std::vector<Part> parts = cutter.Push(ByteSlices(ByteSlice::Of(buffer)));
  ASSERT_EQ(parts.size(), 2u);
  ASSERT_EQ(parts[1].body.slices().size(), 1u);
  EXPECT_EQ(parts[0].body.slices()[0].data(), buffer->data());
  EXPECT_EQ(parts[1].body.slices()[0].data(), buffer->data() + 10);
  EXPECT_EQ(cutter.unsent().slices()[0].data(), buffer->data() + 20);
}

TEST(PartCutter, GoesOnBehindStoredParts) {
  PartCutter cutter({10}, 3, Slices("abc"));
  EXPECT_EQ(cutter.parts(), 3);
  EXPECT_EQ(cutter.total_bytes(), 33);
  std::vector<Part> parts = cutter.Push(Slices("defghijKLM"));
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_EQ(parts[0].number, 4);
  EXPECT_EQ(parts[0].offset_bytes, 30);
  EXPECT_EQ(parts[0].body.ToString(), "abcdefghij");
  parts = cutter.CutRest();
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_EQ(parts[0].number, 5);
  EXPECT_EQ(parts[0].offset_bytes, 40);
  EXPECT_EQ(parts[0].body.ToString(), "KLM");
}

TEST(PartCutter, PartsGetAsLongAsTheirNumberSays) {
  const PartLengths lengths{.part_size_bytes = 4, .step_parts = 2, .growth_bytes = 3, .largest_bytes = 9};
  PartCutter cutter(lengths, 1, Slices("abc"));
  std::vector<Part> parts = cutter.Push(Slices(Pattern(40)));
  std::vector<int64_t> sizes;
  for (const Part& part : parts) {
    EXPECT_EQ(part.offset_bytes, lengths.OffsetOf(part.number));
    sizes.push_back(part.body.size());
  }
  EXPECT_EQ(sizes, (std::vector<int64_t>{4, 7, 7, 9, 9}));  // parts 2 to 6
  EXPECT_EQ(cutter.total_bytes(), 4 + 3 + 40);
}

TEST(PartCutter, PushOfNothingCutsNothing) {
  PartCutter cutter({1}, 0, {});
  EXPECT_TRUE(cutter.Push({}).empty());
  EXPECT_TRUE(cutter.CutRest().empty());
  EXPECT_EQ(cutter.total_bytes(), 0);
}

}  // namespace
}  // namespace tailrace
