#include "writer/carried_end.h"

#include <memory>
#include <optional>
#include <utility>

#include "base/crc64.h"
#include "encode/carried_rows.h"
#include "encode/encode_memory.h"
#include "encode/footer_template.h"
#include "encode/prepared_schema.h"
#include "encode/recutter.h"
#include "tailrace/executor.h"
#include "writer/encode_lane.h"

namespace tailrace {

namespace {

// Encodes in the calling thread, as the writer would have.
class CarriedEncoder {
 public:
  CarriedEncoder(const WriterState& state, const PreparedSchema& schema)
      : state_(state),
        schema_(schema),
        recutter_(schema.encoded, state.options.parquet.row_group_bytes, state.options.parquet.row_group_rows),
        lane_(&schema_, state.options.parquet, state.content.row_groups, &memory_, executor_.get(),
              /*threads=*/1,
              {.row_group_encoded = [this](EncodedRowGroup group, int64_t) { encoded_ = std::move(group); },
               .failed = [this](Status error) { failed_ = std::move(error); }}) {}

  // REQUIRES: CheckCarriedRows. The bytes are valid as long as this.
  Result<EncodedRowGroup> Run() {
    const CarriedCodec codec(schema_.encoded);
    for (const CarriedChunk& carried : state_.carried.chunks) {
      ARROW_ASSIGN_OR_RAISE(auto rows, codec.Unpack(carried));
      ARROW_ASSIGN_OR_RAISE(std::vector<Chunk> chunks, recutter_.Push(std::move(rows)));
      for (Chunk& chunk : chunks) lane_.Push(std::move(chunk), nullptr);
      ARROW_RETURN_NOT_OK(failed_);
    }
    ARROW_ASSIGN_OR_RAISE(std::optional<Chunk> rest, recutter_.Flush());
    if (rest) {
      lane_.Push(*std::move(rest), nullptr);
    } else {
      lane_.EndRowGroup();
    }
    ARROW_RETURN_NOT_OK(failed_);
    if (!encoded_) return MakeError(ErrorKind::kInternal, "the carried rows were not encoded");
    return *std::move(encoded_);
  }

 private:
  const WriterState& state_;
  const PreparedSchema& schema_;
  const std::shared_ptr<Executor> executor_ = MakeInlineExecutor();
  EncodeMemory memory_;
  Recutter recutter_;
  std::optional<EncodedRowGroup> encoded_;
  Status failed_;
  EncodeLane lane_;  // last: its callbacks use the members above
};

// Of what the state has: equal for every process that finishes it, whatever its version makes of the carried rows.
uint64_t ContentIdOf(const WriterState& state) {
  uint64_t id = state.content.digest;
  for (const CarriedChunk& chunk : state.carried.chunks) {
    const uint64_t size = chunk.bytes.size();
    id = Crc64Combine(id, Crc64Nvme(chunk.bytes.data(), size), size);
  }
  return id;
}

}  // namespace

Result<WriterState> EncodeCarriedRows(const WriterState& state) {
  ARROW_ASSIGN_OR_RAISE(const PreparedSchema schema, RestoreSchema(state.content));
  ARROW_RETURN_NOT_OK(CheckCarriedRows(state.carried, schema, state.options.parquet));
  CarriedEncoder encoder(state, schema);
  ARROW_ASSIGN_OR_RAISE(EncodedRowGroup group, encoder.Run());
  WriterState whole = state;
  whole.carried = {};
  whole.progress.unsent += group.bytes.ToString();
  ParquetContent& content = whole.content;
  content.digest = Crc64Combine(content.digest, group.bytes.crc64(), static_cast<uint64_t>(group.bytes.size()));
  content.row_groups.push_back(std::move(group.entry));
  ARROW_ASSIGN_OR_RAISE(content.footer_template, WithCarriedId(content.footer_template, ContentIdOf(state)));
  return whole;
}

}  // namespace tailrace
