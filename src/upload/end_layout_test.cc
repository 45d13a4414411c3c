#include "upload/end_layout.h"

#include <algorithm>
#include <map>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/status_macros.h"

namespace tailrace {
namespace {

constexpr int64_t kLength = 16;

// A tail whose length follows its offset, as varints do, and which says where it believes to stand.
Result<ByteSlices> Tail(int64_t base_bytes, int64_t offset) {
  std::string text = "<" + std::to_string(offset) + ":";
  text.resize(static_cast<size_t>(std::max<int64_t>(base_bytes, 0)) + text.size(), 't');
  return ByteSlices(ByteSlice::Copy(text + ">"));
}

ByteSlices Data(int64_t bytes) { return ByteSlices(ByteSlice::Copy(std::string(static_cast<size_t>(bytes), 'd'))); }

PartReceipt Listed(int number, int64_t size) { return {.number = number, .size_bytes = size}; }

// The parts of an upload on a store that puts every one of them into the object.
using Parts = std::map<int, std::string>;

std::vector<PartReceipt> List(const Parts& parts) {
  std::vector<PartReceipt> listed;
  for (const auto& [number, bytes] : parts) listed.push_back(Listed(number, static_cast<int64_t>(bytes.size())));
  return listed;
}

std::string ObjectOf(const Parts& parts) {
  std::string object;
  for (const auto& [number, bytes] : parts) object += bytes;
  return object;
}

struct Scene {
  int stored = 0;
  int64_t unsent = 0;
  int64_t tail = 0;
  Parts parts;  // the stored ones and strays
  PartLengths lengths{kLength};

  Result<EndLayout> LayOut() const {
    return LayOutEnd(lengths, stored, Data(unsent), List(parts), [this](int64_t offset) { return Tail(tail, offset); });
  }
  void Store(const Part& part) { parts[part.number] = part.body.ToString(); }
};

// What must hold for the object that a store makes of all parts.
void ExpectWhole(const Scene& scene) {
  const std::string object = ObjectOf(scene.parts);
  const int64_t data_end = scene.lengths.BytesOf(scene.stored) + scene.unsent;
  ASSERT_GE(static_cast<int64_t>(object.size()), data_end);
  EXPECT_EQ(object.substr(0, data_end), std::string(static_cast<size_t>(data_end), 'd'));
  // The tail is at the very end, where it says it is.
  const size_t open = object.rfind('<');
  ASSERT_NE(open, std::string::npos);
  EXPECT_EQ(object.back(), '>');
  EXPECT_EQ(std::stoll(object.substr(open + 1)), static_cast<long long>(open));
  // Every part but the last has its length.
  for (const auto& [number, bytes] : scene.parts) {
    if (number == scene.parts.rbegin()->first) break;
    EXPECT_EQ(static_cast<int64_t>(bytes.size()), scene.lengths.LengthOf(number)) << number;
  }
}

Scene RandomScene(std::mt19937_64* random) {
  const auto below = [&](int64_t n) { return static_cast<int64_t>((*random)() % static_cast<uint64_t>(n)); };
  Scene scene{.stored = static_cast<int>(below(4)), .tail = below(5 * kLength)};
  if (below(2) == 0) {
    scene.lengths = {.part_size_bytes = kLength,
                     .step_parts = 1 + static_cast<int>(below(3)),
                     .growth_bytes = 1 + below(6),
                     .largest_bytes = kLength + below(60)};
  }
  const auto length_of = [&](int number) { return static_cast<size_t>(scene.lengths.LengthOf(number)); };
  // Carried rows that are encoded at the end may leave more than a part.
  scene.unsent = below(4 * kLength);
  for (int number = 1; number <= scene.stored; ++number) scene.parts[number] = std::string(length_of(number), 'd');
  for (int64_t i = below(6); i > 0; --i) {
    const int number = scene.stored + 1 + static_cast<int>(below(12));
    const auto most = static_cast<int64_t>(length_of(number));
    scene.parts[number] = std::string(static_cast<size_t>(1 + below(most)), 's');
    if (below(2) == 0) scene.parts[number].resize(length_of(number), 's');
  }
  return scene;
}

TEST(LayOutEnd, WithoutStraysIsThePlainWay) {
  Scene scene{.stored = 2, .unsent = 5, .tail = 30};
  ASSERT_OK_AND_ASSIGN(EndLayout layout, scene.LayOut());
  EXPECT_EQ(layout.parts.front().number, 3);
  EXPECT_EQ(layout.parts.front().offset_bytes, 32);
  EXPECT_TRUE(layout.kept_numbers.empty());
  EXPECT_EQ(layout.size_bytes, 2 * kLength + 5 + Tail(30, 37)->size());
}

TEST(LayOutEnd, StraysThatThePlainWayReachesAreOverwritten) {
  Scene scene{.stored = 1, .unsent = 5, .tail = 40, .parts = {{1, std::string(16, 'd')}, {3, "s"}, {4, "ss"}}};
  ASSERT_OK_AND_ASSIGN(EndLayout layout, scene.LayOut());
  for (const Part& part : layout.parts) scene.Store(part);
  EXPECT_TRUE(layout.kept_numbers.empty());
  ExpectWhole(scene);
}

TEST(LayOutEnd, AShortStrayInTheMiddleBecomesFillerAndAFullOneStays) {
  Scene scene{.stored = 1, .unsent = 5, .tail = 4};
  scene.parts = {{1, std::string(16, 'd')}, {3, "short"}, {4, std::string(16, 's')}, {9, "last"}};
  ASSERT_OK_AND_ASSIGN(EndLayout layout, scene.LayOut());
  EXPECT_THAT(layout.kept_numbers, ::testing::ElementsAre(4));
  std::vector<int> numbers;
  for (const Part& part : layout.parts) {
    numbers.push_back(part.number);
    scene.Store(part);
  }
  EXPECT_THAT(numbers, ::testing::ElementsAre(2, 3, 9));  // gaps in the numbers stay gaps
  ExpectWhole(scene);
}

TEST(LayOutEnd, FillerHasTheLengthOfItsOwnPart) {
  Scene scene{.stored = 1, .unsent = 5, .tail = 4};
  scene.lengths = {.part_size_bytes = kLength, .step_parts = 1, .growth_bytes = 2, .largest_bytes = 100};
  scene.parts = {{1, std::string(16, 'd')}, {3, "short"}, {4, std::string(34, 's')}, {7, "last"}};
  ASSERT_OK_AND_ASSIGN(EndLayout layout, scene.LayOut());
  EXPECT_THAT(layout.kept_numbers, ::testing::ElementsAre(4));  // 16 + 3 * 3 * 2
  for (const Part& part : layout.parts) scene.Store(part);
  EXPECT_EQ(scene.parts[2].size(), 18u);
  EXPECT_EQ(scene.parts[3].size(), 24u);
  ExpectWhole(scene);
}

TEST(LayOutEnd, EmptyRestTakesNoDataPart) {
  Scene scene{.stored = 1, .unsent = 0, .tail = 4, .parts = {{1, std::string(16, 'd')}, {5, "s"}}};
  ASSERT_OK_AND_ASSIGN(EndLayout layout, scene.LayOut());
  ASSERT_EQ(layout.parts.size(), 1u);
  EXPECT_EQ(layout.parts[0].number, 5);
  scene.Store(layout.parts[0]);
  ExpectWhole(scene);
}

// A process dies after any of its requests, in any order of them, and another does the whole again: the object is the
// one that the first would have made, and it is whole.
TEST(LayOutEnd, IsTheSameAfterACrashAtAnyRequest) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 20'000; ++round) {
    const Scene start = RandomScene(&random);
    Scene calm = start;
    ASSERT_OK_AND_ASSIGN(EndLayout layout, calm.LayOut());
    for (const Part& part : layout.parts) calm.Store(part);
    ExpectWhole(calm);
    EXPECT_EQ(static_cast<int64_t>(ObjectOf(calm.parts).size()), layout.size_bytes);

    Scene crashed = start;
    for (const Part& part : layout.parts) {
      if (random() % 2 == 0) crashed.Store(part);
    }
    ASSERT_OK_AND_ASSIGN(EndLayout again, crashed.LayOut());
    for (const Part& part : again.parts) crashed.Store(part);
    ASSERT_EQ(crashed.parts, calm.parts) << "round " << round;
    if (HasFailure()) FAIL() << "round " << round;
  }
}

}  // namespace
}  // namespace tailrace
