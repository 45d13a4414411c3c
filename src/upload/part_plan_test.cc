#include "upload/part_plan.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/status_macros.h"

namespace tailrace {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr int64_t kKiB = int64_t{1} << 10;
constexpr int64_t kMiB = int64_t{1} << 20;
constexpr int64_t kGiB = int64_t{1} << 30;
constexpr int64_t kTiB = int64_t{1} << 40;
constexpr int64_t kTB = 1'000'000'000'000;

StoreLimits S3() {
  return {
      .min_part_bytes = 5 * kMiB, .max_part_bytes = 5 * kGiB, .max_parts = 10'000, .max_object_bytes = 50'000 * kGiB};
}

struct Profile {
  std::string name;
  StoreLimits limits;
};

// What stores are known to take, and one that is scaled down.
std::vector<Profile> Profiles() {
  StoreLimits old = S3(), r2 = S3(), swift = S3(), local = S3(), tiny = S3();
  old.max_object_bytes = 5 * kTiB;
  r2.max_object_bytes = 5 * kTiB;
  r2.equal_parts = true;
  swift.max_parts = 1000;
  swift.max_object_bytes = 5 * kTiB;
  local = {.min_part_bytes = 1,
           .max_part_bytes = int64_t{1} << 62,
           .max_parts = 1'000'000,
           .max_object_bytes = int64_t{1} << 62};
  tiny = {.min_part_bytes = kKiB, .max_part_bytes = 64 * kKiB, .max_parts = 20, .max_object_bytes = kMiB};
  return {{"S3", S3()}, {"5 TiB", old}, {"R2", r2}, {"Swift", swift}, {"local", local}, {"tiny", tiny}};
}

PartPlanQuestion Ask(const StoreLimits& limits, int64_t expected_bytes, bool growing_parts) {
  return {.part_size_bytes = std::max(limits.min_part_bytes, std::min(16 * kMiB, limits.max_part_bytes / 64)),
          .expected_bytes = expected_bytes,
          .growing_parts = growing_parts,
          .limits = limits,
          .memory_part_bytes = 16 * kGiB};
}

// What must hold of any plan: every part up to the store's last is within its limits and the memory's, none is shorter
// than the one before, and together they are what the sums say.
void ExpectParts(const PartPlanQuestion& q, const PartLengths& lengths) {
  ASSERT_TRUE(lengths.valid());
  ASSERT_FALSE(q.limits.equal_parts && lengths.grows());
  EXPECT_LE(lengths.LongestBytes(), std::min(q.limits.max_part_bytes, q.memory_part_bytes));
  int64_t sum = 0;
  int64_t before = q.limits.min_part_bytes;
  const int checked = std::min(q.limits.max_parts, 20'000);
  for (int number = 1; number <= checked; ++number) {
    const int64_t length = lengths.LengthOf(number);
    ASSERT_GE(length, before) << number;
    ASSERT_LE(length, lengths.LongestBytes()) << number;
    sum += length;
    before = length;
  }
  EXPECT_EQ(sum, lengths.BytesOf(checked));
}

// Every store, with every size that it takes, with equal parts and growing ones.
TEST(PlanParts, AnyExpectedSizeFitsIntoTheParts) {
  for (const Profile& profile : Profiles()) {
    for (const bool growing : {false, true}) {
      if (growing && profile.limits.equal_parts) continue;
      for (const int64_t size : {int64_t{0}, int64_t{1}, 100 * kKiB, kMiB, 700 * kMiB, 100 * kGiB, 156 * kGiB,
                                 160 * kGiB, kTiB, 4 * kTB, 5 * kTiB, 20 * kTB, 45 * kTB, 50 * kTB, 50'000 * kGiB}) {
        const PartPlanQuestion q = Ask(profile.limits, size, growing);
        const int64_t most =
            std::min(q.limits.max_object_bytes, PartLengths{q.limits.max_part_bytes}.BytesOf(q.limits.max_parts));
        if (size > most - most / 64) continue;
        SCOPED_TRACE(profile.name + (growing ? " growing " : " equal ") + std::to_string(size));
        ASSERT_OK_AND_ASSIGN(const PartLengths lengths, PlanParts(q));
        ExpectParts(q, lengths);
        EXPECT_LE(lengths.PartsFor(size), q.limits.max_parts);
        // With slack: half as much again where the store takes it.
        const int64_t wanted = std::min(size + size / 2, most - most / 64);
        EXPECT_LE(lengths.PartsFor(std::max(size, wanted)), q.limits.max_parts);
      }
    }
  }
}

TEST(PlanParts, WhatAStoreTakesAtMostIsTaken) {
  for (const bool growing : {false, true}) {
    ASSERT_OK_AND_ASSIGN(const PartLengths lengths, PlanParts(Ask(S3(), 50'000 * kGiB, growing)));
    EXPECT_EQ(lengths.BytesOf(10'000), 50'000 * kGiB);
  }
}

TEST(PlanParts, PartsAreOfOneLengthUnlessAsked) {
  ASSERT_OK_AND_ASSIGN(PartLengths lengths, PlanParts(Ask(S3(), 0, false)));
  EXPECT_EQ(lengths, PartLengths{16 * kMiB});
  ASSERT_OK_AND_ASSIGN(lengths, PlanParts(Ask(S3(), 100 * kGiB, false)));
  EXPECT_EQ(lengths, PartLengths{16 * kMiB}) << "half as much again fits as it is";
  ASSERT_OK_AND_ASSIGN(lengths, PlanParts(Ask(S3(), 300 * kGiB, false)));
  EXPECT_EQ(lengths, PartLengths{47 * kMiB});
}

// What makes growing parts worth their trouble: a file of usual size is written with short ones.
TEST(PlanParts, TheFirstPartsOfAFileThatMayGetLargeAreShort) {
  ASSERT_OK_AND_ASSIGN(const PartLengths lengths, PlanParts(Ask(S3(), 0, true)));
  EXPECT_GE(lengths.BytesOf(10'000), 5 * kTiB);
  EXPECT_EQ(lengths.LengthOf(1), 16 * kMiB);
  EXPECT_LE(lengths.LengthOf(static_cast<int>(lengths.PartsFor(10 * kGiB))), 24 * kMiB);
  EXPECT_LE(lengths.LengthOf(static_cast<int>(lengths.PartsFor(100 * kGiB))), 100 * kMiB);
  EXPECT_LE(lengths.LengthOf(static_cast<int>(lengths.PartsFor(kTiB))), 550 * kMiB);
  EXPECT_LE(lengths.LongestBytes(), 5 * kGiB);
  EXPECT_LE(lengths.LengthOf(10'000), 1600 * kMiB);
}

TEST(PlanParts, GrowthIsAsMildAsTheExpectedSizeAllows) {
  ASSERT_OK_AND_ASSIGN(const PartLengths mild, PlanParts(Ask(S3(), 300 * kGiB, true)));
  ASSERT_OK_AND_ASSIGN(const PartLengths unknown, PlanParts(Ask(S3(), 0, true)));
  EXPECT_LT(mild.LengthOf(10'000), 120 * kMiB);
  EXPECT_LT(mild.growth_bytes, unknown.growth_bytes);
  // An expectation that needs no growth does not take it away.
  ASSERT_OK_AND_ASSIGN(const PartLengths small, PlanParts(Ask(S3(), kGiB, true)));
  EXPECT_EQ(small, unknown);
}

// Less memory does not make the first parts longer; it ends the growth earlier.
TEST(PlanParts, MemoryEndsTheGrowth) {
  PartPlanQuestion q = Ask(S3(), 0, true);
  ASSERT_OK_AND_ASSIGN(const PartLengths rich, PlanParts(q));
  q.memory_part_bytes = 64 * kMiB;
  ASSERT_OK_AND_ASSIGN(const PartLengths poor, PlanParts(q));
  ExpectParts(q, poor);
  EXPECT_EQ(poor.growth_bytes, rich.growth_bytes);
  EXPECT_EQ(poor.LongestBytes(), 64 * kMiB);
  EXPECT_GT(poor.BytesOf(10'000), 3 * PartLengths{16 * kMiB}.BytesOf(10'000));
  q.memory_part_bytes = 16 * kMiB;
  ASSERT_OK_AND_ASSIGN(const PartLengths none, PlanParts(q));
  EXPECT_EQ(none, PartLengths{16 * kMiB});
}

TEST(PlanParts, ASizeThatNeedsMoreMemoryIsRefusedWithBothNumbers) {
  for (const bool growing : {false, true}) {
    PartPlanQuestion q = Ask(S3(), kTiB, growing);
    q.memory_part_bytes = 64 * kMiB;
    const Status refused = PlanParts(q).status();
    EXPECT_EQ(KindOf(refused), ErrorKind::kInvalid);
    EXPECT_THAT(refused.message(), AllOf(HasSubstr("expected_bytes = 1099511627776"), HasSubstr("10000 parts"),
                                         HasSubstr("memory_budget_bytes"), HasSubstr("67108864")));
    // What it says is enough.
    const std::string text = refused.message();
    const size_t at = text.find("at least ", text.find("memory_budget_bytes"));
    q.memory_part_bytes += std::stoll(text.substr(at + 9)) / 2;
    ASSERT_OK_AND_ASSIGN(const PartLengths lengths, PlanParts(q));
    ExpectParts(q, lengths);
    EXPECT_LE(lengths.PartsFor(kTiB), 10'000);
  }
}

TEST(PlanParts, ASizeThatTheStoreCannotHoldIsRefusedWithItsLimit) {
  const Status object = PlanParts(Ask(S3(), 60 * kTB, false)).status();
  EXPECT_EQ(KindOf(object), ErrorKind::kLimit);
  EXPECT_THAT(object.message(), AllOf(HasSubstr("expected_bytes = 60000000000000"), HasSubstr("max_object_bytes")));
  StoreLimits swift = S3();
  swift.max_parts = 1000;
  for (const bool growing : {false, true}) {
    const Status parts = PlanParts(Ask(swift, 5 * kTiB, growing)).status();
    EXPECT_EQ(KindOf(parts), ErrorKind::kLimit);
    EXPECT_THAT(parts.message(), AllOf(HasSubstr("1000 parts (max_parts)"), HasSubstr("max_part_bytes")));
  }
}

TEST(PlanParts, EqualPartsDoNotGrow) {
  StoreLimits r2 = S3();
  r2.equal_parts = true;
  const Status refused = PlanParts(Ask(r2, 0, true)).status();
  EXPECT_EQ(KindOf(refused), ErrorKind::kInvalid);
  EXPECT_THAT(refused.message(),
              AllOf(HasSubstr("growing_parts"), HasSubstr("equal_parts"), HasSubstr("expected_bytes")));
  ASSERT_OK_AND_ASSIGN(const PartLengths lengths, PlanParts(Ask(r2, 4 * kTiB, false)));
  EXPECT_FALSE(lengths.grows());
}

}  // namespace
}  // namespace tailrace
