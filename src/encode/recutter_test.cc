#include "encode/recutter.h"

#include <memory>
#include <string>
#include <vector>

#include <arrow/array.h>
#include <arrow/builder.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <gtest/gtest.h>

#include "testing/batch_makers.h"
#include "testing/status_macros.h"

namespace tailrace {
namespace {

using Batch = std::shared_ptr<arrow::RecordBatch>;

constexpr int64_t kNoLimit = int64_t{1} << 40;

Batch Numbers(int64_t first, int64_t rows) {
  arrow::Int64Builder builder;
  for (int64_t i = 0; i < rows; ++i) EXPECT_OK(builder.Append(first + i));
  return arrow::RecordBatch::Make(arrow::schema({arrow::field("n", arrow::int64(), false)}), rows,
                                  {builder.Finish().ValueOrDie()});
}

Batch Texts(const std::vector<int64_t>& sizes) {
  arrow::BinaryBuilder builder;
  for (int64_t size : sizes) EXPECT_OK(builder.Append(std::string(size, 'x')));
  const auto array = builder.Finish().ValueOrDie();
  return arrow::RecordBatch::Make(arrow::schema({arrow::field("b", arrow::binary())}), array->length(), {array});
}

struct Cuts {
  std::vector<int64_t> rows;        // of each chunk
  std::vector<int64_t> groups_end;  // after which chunk
  int64_t referenced_bytes = 0;
};

void Add(const Chunk& chunk, Cuts* cuts) {
  EXPECT_GT(chunk.batch->num_rows(), 0);
  cuts->rows.push_back(chunk.batch->num_rows());
  if (chunk.ends_row_group) cuts->groups_end.push_back(static_cast<int64_t>(cuts->rows.size()));
  cuts->referenced_bytes += chunk.referenced_bytes;
}

Cuts CutAll(Recutter* recutter, const std::vector<Batch>& batches) {
  Cuts cuts;
  for (const Batch& batch : batches) {
    for (const Chunk& chunk : recutter->Push(batch).ValueOrDie()) Add(chunk, &cuts);
  }
  const auto last = recutter->Flush().ValueOrDie();
  if (last) Add(*last, &cuts);
  return cuts;
}

TEST(Recutter, ChunksHaveAFixedRowCount) {
  const Batch all = Numbers(0, 40000);
  Recutter recutter(all->schema(), kNoLimit, kNoLimit);
  const Cuts cuts = CutAll(&recutter, {all->Slice(0, 1), all->Slice(1, 20000), all->Slice(20001)});
  EXPECT_EQ(cuts.rows, (std::vector<int64_t>{16384, 16384, 7232}));
  EXPECT_EQ(cuts.groups_end, (std::vector<int64_t>{3}));
}

TEST(Recutter, RowsStayInOrder) {
  const Batch all = Numbers(0, 50000);
  Recutter recutter(all->schema(), kNoLimit, 30000);
  int64_t next = 0;
  const auto check = [&](const Chunk& chunk) {
    const auto& column = static_cast<const arrow::Int64Array&>(*chunk.batch->column(0));
    for (int64_t i = 0; i < column.length(); ++i) ASSERT_EQ(column.Value(i), next++);
  };
  for (const Batch& batch : Rebatch(*all, 9000, 1)) {
    ASSERT_OK_AND_ASSIGN(const auto chunks, recutter.Push(batch));
    for (const Chunk& chunk : chunks) check(chunk);
  }
  ASSERT_OK_AND_ASSIGN(const auto last, recutter.Flush());
  check(*last);
  EXPECT_EQ(next, 50000);
}

TEST(Recutter, RowGroupsEndAtTheirRowCount) {
  const Batch all = Numbers(0, 40000);
  Recutter recutter(all->schema(), kNoLimit, 20000);
  const Cuts cuts = CutAll(&recutter, {all});
  EXPECT_EQ(cuts.rows, (std::vector<int64_t>{16384, 3616, 16384, 3616}));
  EXPECT_EQ(cuts.groups_end, (std::vector<int64_t>{2, 4}));
}

TEST(Recutter, RowGroupEndsAtTheFirstRowThatReachesItsBytes) {
  const Batch all = Numbers(0, 1000);  // 65 bits a row
  for (const int64_t bytes : {1, 8, 9, 650, 651}) {
    Recutter recutter(all->schema(), bytes, kNoLimit);
    const Cuts cuts = CutAll(&recutter, Rebatch(*all, 7, bytes));
    const int64_t expected = (bytes * 8 + 64) / 65;
    for (size_t i = 0; i + 1 < cuts.rows.size(); ++i) EXPECT_EQ(cuts.rows[i], expected);
    EXPECT_EQ(cuts.groups_end.size(), cuts.rows.size());
  }
}

TEST(Recutter, ChunkEndsWhereAColumnReachesItsBytes) {
  constexpr int64_t kKiB = 1 << 10;
  // The value that reaches 1 MiB belongs to the chunk that it ends.
  const Batch all = Texts({500 * kKiB, 500 * kKiB, 500 * kKiB, 3000 * kKiB, 10, 10});
  Recutter recutter(all->schema(), kNoLimit, kNoLimit);
  EXPECT_EQ(CutAll(&recutter, {all}).rows, (std::vector<int64_t>{3, 1, 2}));
  EXPECT_EQ(CutAll(&recutter, {all->Slice(0, 1), all->Slice(1, 1), all->Slice(2)}).rows,
            (std::vector<int64_t>{3, 1, 2}));
}

TEST(Recutter, ChunkEndsWhereAllColumnsReachTheirBytes) {
  // 40 columns of 1000 bytes a row: 16 MiB are reached long before one column has 1 MiB.
  arrow::FieldVector fields;
  std::vector<std::shared_ptr<arrow::Array>> columns;
  const auto column = Texts(std::vector<int64_t>(1000, 1000))->column(0);
  for (int i = 0; i < 40; ++i) {
    fields.push_back(arrow::field("c" + std::to_string(i), arrow::binary()));
    columns.push_back(column);
  }
  const Batch all = arrow::RecordBatch::Make(arrow::schema(fields), 1000, columns);
  Recutter recutter(all->schema(), kNoLimit, kNoLimit);
  const int64_t row_bits = 40 * (1 + 32 + 8000);
  const int64_t expected = ((int64_t{16} << 23) + row_bits - 1) / row_bits;
  EXPECT_EQ(CutAll(&recutter, Rebatch(*all, 100, 1)).rows,
            (std::vector<int64_t>{expected, expected, 1000 - 2 * expected}));
}

TEST(Recutter, FlushBeginsARowGroupAnew) {
  const Batch all = Numbers(0, 20000);
  Recutter recutter(all->schema(), kNoLimit, 18000);
  ASSERT_OK_AND_ASSIGN(auto chunks, recutter.Push(all->Slice(0, 17000)));
  ASSERT_EQ(chunks.size(), 1u);
  EXPECT_FALSE(chunks[0].ends_row_group);
  ASSERT_OK_AND_ASSIGN(const auto rest, recutter.Flush());
  EXPECT_EQ(rest->batch->num_rows(), 17000 - 16384);
  EXPECT_TRUE(rest->ends_row_group);
  ASSERT_OK_AND_ASSIGN(chunks, recutter.Push(all->Slice(0, 18000)));
  ASSERT_EQ(chunks.size(), 2u);
  EXPECT_TRUE(chunks[1].ends_row_group);
  ASSERT_OK_AND_ASSIGN(const auto nothing, recutter.Flush());
  EXPECT_FALSE(nothing.has_value());
}

TEST(Recutter, FlushWithNothingHeldStillEndsTheRowGroup) {
  const Batch all = Numbers(0, 20000);
  Recutter recutter(all->schema(), kNoLimit, 20000);
  ASSERT_OK_AND_ASSIGN(auto chunks, recutter.Push(all->Slice(0, 16384)));
  ASSERT_EQ(chunks.size(), 1u);
  ASSERT_OK_AND_ASSIGN(const auto nothing, recutter.Flush());
  EXPECT_FALSE(nothing.has_value());
  // Counted from here: 16384 and 3616 rows, not 3616 alone.
  EXPECT_EQ(CutAll(&recutter, {all}).rows, (std::vector<int64_t>{16384, 3616}));
}

TEST(Recutter, WholeBatchesAreShared) {
  const Batch all = Numbers(0, 16384);
  Recutter recutter(all->schema(), kNoLimit, kNoLimit);
  ASSERT_OK_AND_ASSIGN(const auto chunks, recutter.Push(all));
  ASSERT_EQ(chunks.size(), 1u);
  EXPECT_EQ(chunks[0].batch, all);
}

TEST(Recutter, CutsDependOnRowsAlone) {
  for (const auto& schema : {FlatSchema(), NestedSchema()}) {
    const Batch all = MakeBatch(schema, 6000, 1);
    Recutter whole(schema, 256 << 10, kNoLimit);
    const Cuts expected = CutAll(&whole, {all});
    EXPECT_GT(expected.groups_end.size(), 2u);
    for (const int64_t max_rows : {3, 100, 5000}) {
      Recutter recutter(schema, 256 << 10, kNoLimit);
      const Cuts cuts = CutAll(&recutter, Rebatch(*all, max_rows, max_rows));
      EXPECT_EQ(cuts.rows, expected.rows);
      EXPECT_EQ(cuts.groups_end, expected.groups_end);
      EXPECT_EQ(cuts.referenced_bytes, expected.referenced_bytes);
    }
  }
}

TEST(Recutter, HeldRowsAndThoseOfTheOpenRowGroupAreToldAndStay) {
  Recutter plain(Numbers(0, 1)->schema(), kNoLimit, 50000);
  Recutter asked(Numbers(0, 1)->schema(), kNoLimit, 50000);
  EXPECT_EQ(asked.Held().ValueOrDie(), nullptr);
  Cuts cuts, expected;
  for (int64_t row = 0; row < 130000; row += 700) {
    for (const Chunk& chunk : plain.Push(Numbers(row, 700)).ValueOrDie()) Add(chunk, &expected);
    for (const Chunk& chunk : asked.Push(Numbers(row, 700)).ValueOrDie()) Add(chunk, &cuts);
    const int64_t open = (row + 700) % 50000;
    EXPECT_EQ(asked.open_rows(), open);
    const Batch held = asked.Held().ValueOrDie();
    ASSERT_EQ(held == nullptr ? 0 : held->num_rows(), open % Recutter::kChunkRows);
    if (held != nullptr) {
      EXPECT_TRUE(held->Equals(*Numbers(row + 700 - held->num_rows(), held->num_rows())));
    }
  }
  Add(*plain.Flush().ValueOrDie(), &expected);
  Add(*asked.Flush().ValueOrDie(), &cuts);
  EXPECT_EQ(cuts.rows, expected.rows);
  EXPECT_EQ(asked.open_rows(), 0);
}

}  // namespace
}  // namespace tailrace
