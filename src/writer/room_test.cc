#include "writer/room.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tailrace {
namespace {

using ::testing::HasSubstr;

constexpr int64_t kMiB = int64_t{1} << 20;

RoomQuestion SmallStore() {
  RoomQuestion q;
  q.limits.max_parts = 12;
  q.part_lengths = {5 * kMiB};
  q.leaf_columns = 1;
  q.more_rows = 1;
  return q;
}

TEST(CheckRoom, RefusesBeforeTheLastPartNumberIsNeededByTheFooter) {
  RoomQuestion q = SmallStore();
  q.closed_bytes = 55 * kMiB;
  q.more_bytes = 4 * kMiB;
  EXPECT_TRUE(CheckRoom(q).ok());
  q.more_bytes = 5 * kMiB;  // with the head, the footer and page overhead this no longer fits 12 parts
  const Status status = CheckRoom(q);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(KindOf(status), ErrorKind::kLimit);
  EXPECT_THAT(status.message(), HasSubstr("12 parts"));
  EXPECT_THAT(status.message(), HasSubstr("part_size_bytes = 5242880"));
}

TEST(CheckRoom, CountsWhatIsOpenAndTheWideningOfSmallIntegers) {
  RoomQuestion q = SmallStore();
  q.closed_bytes = 20 * kMiB;
  q.open_bytes = 9 * kMiB;
  q.more_bytes = 1 * kMiB;
  EXPECT_TRUE(CheckRoom(q).ok());
  q.widening = 4;  // int8 becomes INT32
  EXPECT_EQ(KindOf(CheckRoom(q)), ErrorKind::kLimit);
}

TEST(CheckRoom, NamesTheObjectSize) {
  RoomQuestion q = SmallStore();
  q.limits.max_parts = 10000;
  q.limits.max_object_bytes = 50 * kMiB;
  q.closed_bytes = 49 * kMiB;
  q.more_bytes = kMiB;
  EXPECT_THAT(CheckRoom(q).message(), HasSubstr("max_object_bytes"));
}

TEST(CheckRoom, RefusesRowGroup32768) {
  RoomQuestion q = SmallStore();
  q.closed_row_groups = kMaxRowGroups - 1;
  EXPECT_TRUE(CheckRoom(q).ok());
  q.closed_row_groups = kMaxRowGroups;
  const Status status = CheckRoom(q);
  EXPECT_EQ(KindOf(status), ErrorKind::kLimit);
  EXPECT_THAT(status.message(), HasSubstr("32767"));
  EXPECT_THAT(status.message(), HasSubstr("row_group_rows"));
}

TEST(CheckRoom, CountsTheRowGroupsThatABigBatchMakes) {
  RoomQuestion q = SmallStore();
  q.limits.max_parts = 10000;
  q.options.parquet.row_group_rows = 10;
  q.more_rows = 10 * kMaxRowGroups;
  EXPECT_EQ(KindOf(CheckRoom(q)), ErrorKind::kLimit);
  q.more_rows = 10 * (kMaxRowGroups - 1);
  EXPECT_TRUE(CheckRoom(q).ok());
}

TEST(CheckRoom, NamesTheFooterLimit) {
  RoomQuestion q = SmallStore();
  q.tail_bytes_bound = int64_t{1} << 31;
  EXPECT_THAT(CheckRoom(q).message(), HasSubstr("footer"));
}

TEST(CheckOptions, DefaultsFitAnyStoreOfTheUsualLimits) {
  StoreLimits limits;
  limits.min_part_bytes = 5 * kMiB;
  EXPECT_TRUE(CheckOptions({}, {}, limits).ok());
}

TEST(CheckOptions, AnAtomicConditionNeedsAStoreThatHonoursIt) {
  const FileOptions file{.overwrite = OverwritePolicy::kFailIfExistsAtomically};
  StoreLimits limits;
  EXPECT_TRUE(CheckOptions(file, {}, limits).ok());
  limits.conditional_put = false;
  EXPECT_EQ(KindOf(CheckOptions(file, {}, limits)), ErrorKind::kInvalid);
  EXPECT_TRUE(CheckOptions({.overwrite = OverwritePolicy::kFailIfExists}, {}, limits).ok());
}

TEST(CheckOptions, CarriedRowsNeedRoomInTheBudget) {
  FileOptions file;
  const RuntimeOptions runtime{.memory_budget_bytes = file.parquet.row_group_bytes + 2 * file.part_size_bytes};
  EXPECT_TRUE(CheckOptions(file, runtime, {}).ok());
  file.checkpoint_mode = CheckpointMode::kCarry;
  const Status status = CheckOptions(file, runtime, {});
  EXPECT_EQ(KindOf(status), ErrorKind::kInvalid);
  EXPECT_THAT(status.message(), HasSubstr("carry_max_bytes = 8388608"));
}

struct BadOption {
  const char* names;
  void (*set)(FileOptions*, RuntimeOptions*);
};

class CheckOptionsRefuses : public ::testing::TestWithParam<BadOption> {};

TEST_P(CheckOptionsRefuses, NamingTheOption) {
  StoreLimits limits;
  limits.min_part_bytes = 5 * kMiB;
  FileOptions file;
  RuntimeOptions runtime;
  GetParam().set(&file, &runtime);
  const Status status = CheckOptions(file, runtime, limits);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(KindOf(status), ErrorKind::kInvalid);
  EXPECT_THAT(status.message(), HasSubstr(GetParam().names));
}

INSTANTIATE_TEST_SUITE_P(
    All, CheckOptionsRefuses,
    ::testing::Values(
        BadOption{"part_size_bytes", [](FileOptions* f, RuntimeOptions*) { f->part_size_bytes = 5 * kMiB - 1; }},
        BadOption{"part_size_bytes", [](FileOptions* f, RuntimeOptions*) { f->part_size_bytes = int64_t{6} << 30; }},
        BadOption{"row_group_bytes", [](FileOptions* f, RuntimeOptions*) { f->parquet.row_group_bytes = 0; }},
        BadOption{"row_group_bytes",
                  [](FileOptions* f, RuntimeOptions*) { f->parquet.row_group_bytes = (int64_t{1} << 30) + 1; }},
        BadOption{"row_group_rows", [](FileOptions* f, RuntimeOptions*) { f->parquet.row_group_rows = 0; }},
        BadOption{"inline_max_bytes", [](FileOptions* f, RuntimeOptions*) { f->inline_max_bytes = -1; }},
        BadOption{"inline_max_bytes", [](FileOptions* f, RuntimeOptions*) { f->inline_max_bytes = 65 * kMiB; }},
        BadOption{"carry_max_bytes", [](FileOptions* f, RuntimeOptions*) { f->carry_max_bytes = 0; }},
        BadOption{"carry_max_bytes", [](FileOptions* f, RuntimeOptions*) { f->carry_max_bytes = 1025 * kMiB; }},
        BadOption{"parts_in_flight", [](FileOptions*, RuntimeOptions* r) { r->parts_in_flight = 0; }},
        BadOption{"encode_threads", [](FileOptions*, RuntimeOptions* r) { r->encode_threads = -1; }},
        BadOption{"encode_threads", [](FileOptions*, RuntimeOptions* r) { r->encode_threads = 257; }},
        BadOption{"memory_budget_bytes", [](FileOptions*, RuntimeOptions* r) { r->memory_budget_bytes = kMiB; }}));

}  // namespace
}  // namespace tailrace
