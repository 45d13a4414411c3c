// Arrow IPC streams, from whose bytes on rows take the way into a row group: schema, checks of each batch, new cuts.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <arrow/buffer.h>
#include <arrow/io/memory.h>
#include <arrow/ipc/reader.h>
#include <arrow/memory_pool.h>
#include <arrow/record_batch.h>

#include "encode/batch_adapter.h"
#include "encode/prepared_schema.h"
#include "encode/recutter.h"
#include "tests/fuzz/fuzz_check.h"

namespace tailrace {
namespace {

// Compressed buffers may claim any length; as a budget of memory would, this refuses them.
constexpr int64_t kMaxBytes = int64_t{256} << 20;
// A few bytes can stand for very many rows of nulls, or of structs without memory.
constexpr int64_t kMaxRows = 1 << 16;

// What Arrow's own full check says, apart from what is no damage here: bytes that are in views for speed alone and that
// nobody reads (the padding behind a short text, the copy of a long text's beginning), and times beyond a day, which
// are kept as they are given.
bool IsSound(const arrow::RecordBatch& batch) {
  const Status status = batch.ValidateFull();
  if (status.ok()) return true;
  for (const char* harmless :
       {"padding bytes were not all zero", "has inlined prefix", "the acceptable range of [0, "}) {
    if (status.message().find(harmless) != std::string::npos) return true;
  }
  return false;
}

void CheckRefusal(const Status& status) {
  FuzzCheck(KindOf(status) == ErrorKind::kInvalid || KindOf(status) == ErrorKind::kLimit, "a refusal has its kind");
}

void CheckChunks(const std::vector<Chunk>& chunks, int64_t* rows, int64_t* open_rows) {
  for (const Chunk& chunk : chunks) {
    FuzzCheck(chunk.batch->num_rows() > 0, "a chunk has rows");
    FuzzCheck(IsSound(*chunk.batch), "a chunk is sound");
    FuzzCheck(chunk.referenced_bytes >= 0, "a chunk refers to bytes");
    *rows += chunk.batch->num_rows();
    *open_rows = chunk.ends_row_group ? 0 : *open_rows + chunk.batch->num_rows();
  }
}

Status TakeRows(arrow::ipc::RecordBatchStreamReader* reader, const PreparedSchema& schema) {
  constexpr int64_t kRowGroupRows = 100;
  Recutter recutter(schema.encoded, /*row_group_bytes=*/1 << 20, kRowGroupRows);
  int64_t pushed = 0, cut = 0, open_rows = 0;
  std::shared_ptr<arrow::RecordBatch> batch;
  for (;;) {
    ARROW_RETURN_NOT_OK(reader->ReadNext(&batch));
    if (batch == nullptr || batch->num_rows() > kMaxRows) break;
    const auto adapted = AdaptBatch(*batch, schema, pushed);
    if (!adapted.ok()) {
      CheckRefusal(adapted.status());
      continue;  // a refused batch is as if it had not been offered
    }
    FuzzCheck((*adapted)->num_rows() == batch->num_rows(), "no row is lost");
    FuzzCheck((*adapted)->schema()->Equals(*schema.encoded), "a batch has the columns of the file");
    FuzzCheck(IsSound(**adapted), "an accepted batch is sound");
    pushed += batch->num_rows();
    ARROW_ASSIGN_OR_RAISE(const auto chunks, recutter.Push(*adapted));
    CheckChunks(chunks, &cut, &open_rows);
    FuzzCheck(open_rows < kRowGroupRows, "row groups end where they must");
  }
  ARROW_ASSIGN_OR_RAISE(const auto last, recutter.Flush());
  if (last) CheckChunks({*last}, &cut, &open_rows);
  FuzzCheck(cut == pushed, "every row is in a chunk");
  return Status::OK();
}

}  // namespace
}  // namespace tailrace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tailrace;
  arrow::CappedMemoryPool pool(arrow::system_memory_pool(), kMaxBytes);
  auto options = arrow::ipc::IpcReadOptions::Defaults();
  options.memory_pool = &pool;
  arrow::io::BufferReader input(std::make_shared<arrow::Buffer>(data, static_cast<int64_t>(size)));
  auto reader = arrow::ipc::RecordBatchStreamReader::Open(&input, options);
  if (!reader.ok()) return 0;
  const auto schema = PrepareSchema((*reader)->schema(), ParquetOptions{});
  if (!schema.ok()) {
    CheckRefusal(schema.status());
    return 0;
  }
  TakeRows(reader->get(), *schema).ok();  // errors of Arrow's reader are its own
  return 0;
}
