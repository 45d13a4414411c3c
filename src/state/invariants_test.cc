// What must hold between the fields of a value: whatever breaks it is refused by the name of the field.
#include "state/state_checks.h"

#include <functional>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "state/state_samples.h"

namespace tailrace {
namespace {

using testing::HasSubstr;

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

template <typename Value>
struct Breach {
  const char* field;
  std::function<void(Value*)> break_it;
};

template <typename Value, typename Check>
void ExpectAllRefused(const Value& sound, const std::vector<Breach<Value>>& breaches, Check check) {
  ASSERT_TRUE(check(sound).ok()) << check(sound);
  for (size_t i = 0; i < breaches.size(); ++i) {
    Value broken = sound;
    breaches[i].break_it(&broken);
    const Status status = check(broken);
    EXPECT_EQ(KindOf(status), ErrorKind::kBadState) << i << ": " << status;
    EXPECT_THAT(status.message(), testing::StartsWith(std::string(breaches[i].field) + ": ")) << i;
  }
}

WriterState ThreePartState() {
  WriterState state = LargeState(300, 2);
  EXPECT_GE(state.progress.receipts.size(), 3u);
  return state;
}

TEST(WriterStateInvariants, IdentityIsChecked) {
  ExpectAllRefused<WriterState>(
      SmallState(),
      {{"write_id", [](auto* s) { s->write_id.text = ""; }},
       {"write_id", [](auto* s) { s->write_id.text = "0192f5a4-7c00-4000-8000-00000000002a"; }},
       {"target.kind", [](auto* s) { s->target.kind = ""; }},
       {"target.key", [](auto* s) { s->target.key = ""; }},
       {"target.key", [](auto* s) { s->target.key = "/data/x.parquet"; }},
       {"target", [](auto* s) { s->target.bucket = "b"; }},
       {"target.endpoint", [](auto* s) { s->target.endpoint = "https://user:password@host"; }},
       {"epoch", [](auto* s) { s->epoch = -1; }}},
      CheckWriterState);
}

TEST(WriterStateInvariants, OptionsAreChecked) {
  ExpectAllRefused<WriterState>(
      SmallState(),
      {{"options.parquet.page_bytes", [](auto* s) { s->options.parquet.page_bytes = 0; }},
       {"options.part_size_bytes", [](auto* s) { s->options.part_size_bytes = 0; }},
       {"options.expected_bytes", [](auto* s) { s->options.expected_bytes = -1; }},
       {"options.inline_max_bytes", [](auto* s) { s->options.inline_max_bytes = -1; }},
       {"options.carry_max_bytes", [](auto* s) { s->options.carry_max_bytes = 0; }},
       {"options.parquet.row_group_bytes", [](auto* s) { s->options.parquet.row_group_bytes = 0; }},
       {"options.parquet.row_group_rows", [](auto* s) { s->options.parquet.row_group_rows = 0; }}},
      CheckWriterState);
}

TEST(WriterStateInvariants, GapsAndOddPartsAreChecked) {
  ExpectAllRefused<WriterState>(
      ThreePartState(),
      {{"upload_id", [](auto* s) { s->progress.upload_id.text = ""; }},
       {"part_lengths.part_size_bytes", [](auto* s) { s->progress.part_lengths.part_size_bytes = 0; }},
       {"receipts", [](auto* s) { s->progress.receipts.erase(s->progress.receipts.begin()); }},
       {"receipts", [](auto* s) { s->progress.receipts.erase(s->progress.receipts.begin() + 1); }},
       {"receipts", [](auto* s) { std::swap(s->progress.receipts[0], s->progress.receipts[1]); }},
       {"receipts", [](auto* s) { s->progress.receipts[1].number = 1; }},
       {"receipts", [](auto* s) { s->progress.receipts[1].offset_bytes += 1; }},
       {"receipts", [](auto* s) { s->progress.receipts[2].size_bytes -= 1; }},
       {"receipts", [](auto* s) { s->progress.receipts[2].size_bytes = 0; }},
       {"receipts", [](auto* s) { s->progress.receipts[2].size_bytes = kMost; }},
       {"receipts", [](auto* s) { s->progress.part_lengths.part_size_bytes = 4095; }},
       {"part_lengths", [](auto* s) { s->progress.part_lengths.step_parts = 1; }},
       {"part_lengths", [](auto* s) { s->progress.part_lengths.largest_bytes = 4096; }},
       {"part_lengths", [](auto* s) { s->progress.part_lengths = {4096, 1, 1, 4095}; }},
       {"receipts", [](auto* s) { s->progress.part_lengths = {4096, 1, 1, 8192}; }},
       {"unsent", [](auto* s) { s->progress.receipts.pop_back(); }},
       {"unsent", [](auto* s) { s->progress.unsent.pop_back(); }},
       {"unsent", [](auto* s) { s->progress.unsent.resize(4096); }}},
      CheckWriterState);
}

TEST(WriterStateInvariants, ContentIsChecked) {
  ExpectAllRefused<WriterState>(
      ThreePartState(),
      {{"schema", [](auto* s) { s->content.schema = ""; }},
       {"footer_template", [](auto* s) { s->content.footer_template = ""; }},
       {"row_groups", [](auto* s) { s->content.row_groups[1].rows = 0; }},
       {"row_groups", [](auto* s) { s->content.row_groups[1].rows = kMost; }},
       {"row_groups", [](auto* s) { s->content.row_groups[1].size_bytes = 0; }},
       {"row_groups", [](auto* s) { s->content.row_groups[1].size_bytes = kMost; }},
       {"row_groups", [](auto* s) { s->content.row_groups[1].metadata = ""; }},
       {"row_groups", [](auto* s) { s->content.row_groups[1].indexes.pop_back(); }},
       {"row_groups", [](auto* s) { s->content.row_groups[0].choices.pop_back(); }},
       {"row_groups", [](auto* s) { s->content.row_groups[1].choices.clear(); }},
       {"row_groups", [](auto* s) { s->content.row_groups[0].choices.clear(); }},
       {"row_groups", [](auto* s) { s->content.row_groups.resize(32768, s->content.row_groups[0]); }},
       {"unsent", [](auto* s) { s->content.row_groups.pop_back(); }},
       {"digest", [](auto* s) { s->content.digest ^= 1; }},
       {"digest", [](auto* s) { s->progress.receipts[0].crc64 ^= 1; }},
       {"digest", [](auto* s) { s->progress.unsent[0] ^= 1; }}},
      CheckWriterState);
}

TEST(WriterStateInvariants, CarriedRowsAreChecked) {
  ExpectAllRefused<WriterState>(CarryingState(),
                                {{"carried", [](auto* s) { s->carried.chunks[0].rows = 0; }},
                                 {"carried", [](auto* s) { s->carried.chunks[1].rows = kMost; }},
                                 {"carried", [](auto* s) { s->carried.chunks[1].bytes = ""; }},
                                 {"carried", [](auto* s) { s->options.carry_max_bytes = s->carried.size_bytes() - 1; }},
                                 {"carried", [](auto* s) { s->content.row_groups[0].rows = kMost; }}},
                                CheckWriterState);
}

TEST(PendingCommitInvariants, UploadIsChecked) {
  ExpectAllRefused<PendingCommit>(SmallUploadPending(),
                                  {{"write_id", [](auto* p) { p->write_id.text = "x"; }},
                                   {"target.key", [](auto* p) { p->target.key = ""; }},
                                   {"receipts", [](auto* p) { p->upload_id.text = ""; }},
                                   {"receipts", [](auto* p) { p->receipts.clear(); }},
                                   {"receipts", [](auto* p) { p->receipts.erase(p->receipts.begin()); }},
                                   {"receipts", [](auto* p) { p->receipts[1].offset_bytes = 15; }},
                                   {"receipts", [](auto* p) { p->receipts[1].size_bytes = 0; }},
                                   {"receipts", [](auto* p) { p->receipts[1].size_bytes = kMost; }},
                                   {"inline_bytes", [](auto* p) { p->inline_bytes = "x"; }},
                                   {"size_bytes", [](auto* p) { p->receipts.pop_back(); }},
                                   {"size_bytes", [](auto* p) { p->size_bytes = -1; }},
                                   {"crc64", [](auto* p) { p->crc64 ^= 1; }},
                                   {"footer", [](auto* p) { p->footer = ""; }},
                                   {"footer", [](auto* p) { p->footer = std::string(18, 'x'); }},
                                   {"rows", [](auto* p) { p->rows = -1; }}},
                                  CheckPendingCommit);
}

TEST(PendingCommitInvariants, TheStateThatComesAlongIsChecked) {
  ExpectAllRefused<PendingCommit>(
      PendingAroundStray(),
      {{"state", [](auto* p) { p->write_id = SmallInlinePending().write_id, p->write_id.text[0] ^= 1; }},
       {"state", [](auto* p) { p->target.key += "x"; }},
       {"state", [](auto* p) { p->upload_id.text += "x"; }},
       {"state", [](auto* p) { p->rows += 1; }},
       {"state", [](auto* p) { p->state->carried.chunks = {{1, "x"}}, p->rows += 1; }},
       {"state", [](auto* p) { p->receipts[0].etag += "x"; }},
       {"receipts", [](auto* p) { p->receipts.back().number = 1; }},
       {"receipts", [](auto* p) { p->state.reset(); }},
       {"digest", [](auto* p) { p->state->content.digest ^= 1; }},
       {"crc64", [](auto* p) { p->crc64 = 1; }}},
      CheckPendingCommit);
}

TEST(PendingCommitInvariants, SmallFileIsChecked) {
  ExpectAllRefused<PendingCommit>(SmallInlinePending(),
                                  {{"inline_bytes", [](auto* p) { p->inline_bytes = ""; }},
                                   {"inline_bytes", [](auto* p) { p->upload_id.text = "u"; }},
                                   {"size_bytes", [](auto* p) { p->size_bytes += 1; }},
                                   {"crc64", [](auto* p) { p->inline_bytes[5] ^= 1; }}},
                                  CheckPendingCommit);
}

TEST(StateInvariantsDeathTest, BrokenValuesAreNotWritten) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  WriterState state = SmallState();
  state.content.digest ^= 1;
  EXPECT_DEATH(state.ToBytes(), "digest");
  PendingCommit pending = SmallInlinePending();
  pending.crc64 ^= 1;
  EXPECT_DEATH(pending.ToBytes(), "crc64");
}

}  // namespace
}  // namespace tailrace
