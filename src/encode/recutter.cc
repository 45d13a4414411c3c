#include "encode/recutter.h"

#include <algorithm>
#include <utility>

#include <arrow/array/array_base.h>
#include <arrow/array/concatenate.h>
#include <arrow/array/data.h>
#include <arrow/array/util.h>
#include <arrow/memory_pool.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>

#include "encode/referenced_bits.h"

namespace tailrace {
namespace {

constexpr int64_t kBitsPerByte = 8;

// The smallest n of [1, max] for which `reached`(n) holds. REQUIRES: it holds for max, and from some n on.
template <typename Reached>
int64_t FirstReached(int64_t max, Reached&& reached) {
  int64_t low = 1;
  while (low < max) {
    const int64_t middle = low + (max - low) / 2;
    if (reached(middle)) {
      max = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

}  // namespace

struct Recutter::Impl {
  const std::shared_ptr<arrow::Schema> schema;
  const int64_t row_group_bits;
  const int64_t row_group_rows;

  // The open chunk.
  std::vector<std::shared_ptr<arrow::RecordBatch>> pieces;
  std::vector<int64_t> column_bits;  // of each column
  std::vector<int64_t> new_bits;     // of each column, of the rows that Measure looked at last
  int64_t chunk_bits = 0;
  int64_t chunk_rows = 0;
  // The chunks of the open row group that are cut already.
  int64_t group_bits = 0;
  int64_t group_rows = 0;

  // How much more fits: the bits at which the chunk or the row group is full.
  int64_t BitsLeft() const { return std::min(kChunkBytes * kBitsPerByte, row_group_bits - group_bits) - chunk_bits; }
  int64_t BitsLeft(size_t column) const { return kChunkColumnBytes * kBitsPerByte - column_bits[column]; }

  struct Cut {
    int64_t rows = 0;  // of the batch that go into the open chunk
    bool ends_chunk = false;
    bool ends_row_group = false;
  };

  // Takes rows from `offset` on into the open chunk until it is full or the batch ends.
  Cut Take(const arrow::RecordBatch& batch, int64_t offset) {
    const int64_t rows_left = std::min(kChunkRows, row_group_rows - group_rows) - chunk_rows;
    Cut cut;
    cut.rows = std::min(batch.num_rows() - offset, rows_left);
    cut.ends_chunk = cut.rows == rows_left;
    int64_t bits = Measure(batch, offset, cut.rows);
    for (size_t i = 0; i < column_bits.size(); ++i) {
      if (new_bits[i] < BitsLeft(i)) continue;
      cut.rows =
          FirstReached(cut.rows, [&](int64_t rows) { return ColumnBits(batch, i, offset, rows) >= BitsLeft(i); });
      bits = Measure(batch, offset, cut.rows);
      cut.ends_chunk = true;
    }
    if (bits >= BitsLeft()) {
      cut.rows = FirstReached(cut.rows, [&](int64_t rows) { return Measure(batch, offset, rows) >= BitsLeft(); });
      bits = Measure(batch, offset, cut.rows);
      cut.ends_chunk = true;
    }
    for (size_t i = 0; i < column_bits.size(); ++i) column_bits[i] += new_bits[i];
    chunk_bits += bits;
    chunk_rows += cut.rows;
    cut.ends_row_group = group_rows + chunk_rows >= row_group_rows || group_bits + chunk_bits >= row_group_bits;
    return cut;
  }

  static int64_t ColumnBits(const arrow::RecordBatch& batch, size_t column, int64_t offset, int64_t rows) {
    return ReferencedBits(*batch.column_data(static_cast<int>(column)), offset, rows);
  }
  // Of all columns; leaves those of each in `new_bits`.
  int64_t Measure(const arrow::RecordBatch& batch, int64_t offset, int64_t rows) {
    int64_t sum = 0;
    for (size_t i = 0; i < new_bits.size(); ++i) sum += new_bits[i] = ColumnBits(batch, i, offset, rows);
    return sum;
  }

  // Leaves one piece.
  Status JoinPieces() {
    if (pieces.size() == 1) return Status::OK();
    std::vector<std::shared_ptr<arrow::Array>> columns;
    for (int i = 0; i < schema->num_fields(); ++i) {
      arrow::ArrayVector arrays;
      for (const auto& piece : pieces) arrays.push_back(piece->column(i));
      ARROW_ASSIGN_OR_RAISE(auto joined, arrow::Concatenate(arrays, arrow::default_memory_pool()));
      columns.push_back(std::move(joined));
    }
    pieces = {arrow::RecordBatch::Make(schema, chunk_rows, std::move(columns))};
    return Status::OK();
  }

  Result<Chunk> EndChunk(bool ends_row_group) {
    Chunk chunk;
    ARROW_RETURN_NOT_OK(JoinPieces());
    chunk.batch = std::move(pieces[0]);
    chunk.referenced_bytes = (chunk_bits + kBitsPerByte - 1) / kBitsPerByte;
    chunk.ends_row_group = ends_row_group;
    group_bits = ends_row_group ? 0 : group_bits + chunk_bits;
    group_rows = ends_row_group ? 0 : group_rows + chunk_rows;
    pieces.clear();
    std::fill(column_bits.begin(), column_bits.end(), 0);
    chunk_bits = 0;
    chunk_rows = 0;
    return chunk;
  }
};

Recutter::Recutter(std::shared_ptr<arrow::Schema> schema, int64_t row_group_bytes, int64_t row_group_rows)
    : impl_(new Impl{.schema = std::move(schema),
                     .row_group_bits = std::min(row_group_bytes, INT64_MAX / kBitsPerByte) * kBitsPerByte,
                     .row_group_rows = row_group_rows}) {
  impl_->column_bits.resize(impl_->schema->num_fields());
  impl_->new_bits.resize(impl_->schema->num_fields());
}
Recutter::~Recutter() = default;

Result<std::vector<Chunk>> Recutter::Push(std::shared_ptr<arrow::RecordBatch> batch) {
  std::vector<Chunk> chunks;
  for (int64_t offset = 0; offset < batch->num_rows();) {
    const Impl::Cut cut = impl_->Take(*batch, offset);
    const bool whole = cut.rows == batch->num_rows();
    impl_->pieces.push_back(whole ? batch : batch->Slice(offset, cut.rows));
    offset += cut.rows;
    if (!cut.ends_chunk && !cut.ends_row_group) continue;
    ARROW_ASSIGN_OR_RAISE(Chunk chunk, impl_->EndChunk(cut.ends_row_group));
    chunks.push_back(std::move(chunk));
  }
  return chunks;
}

Result<std::optional<Chunk>> Recutter::Flush() {
  if (impl_->pieces.empty()) {
    impl_->group_bits = 0;
    impl_->group_rows = 0;
    return std::nullopt;
  }
  ARROW_ASSIGN_OR_RAISE(Chunk chunk, impl_->EndChunk(true));
  return chunk;
}

Result<std::shared_ptr<arrow::RecordBatch>> Recutter::Held() {
  if (impl_->pieces.empty()) return nullptr;
  ARROW_RETURN_NOT_OK(impl_->JoinPieces());
  return impl_->pieces[0];
}

int64_t Recutter::open_rows() const { return impl_->group_rows + impl_->chunk_rows; }

}  // namespace tailrace
