// ParquetStreamWriter: adapts and re-cuts rows on the caller's thread, feeds the encode lane, and asks the file driver.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "encode/encode_memory.h"
#include "encode/prepared_schema.h"
#include "encode/recutter.h"
#include "observe/event_notifier.h"
#include "tailrace/writer.h"
#include "writer/carry_lane.h"
#include "writer/encode_lane.h"
#include "writer/file_driver.h"

namespace tailrace {

class StreamWriter final : public ParquetStreamWriter {
 public:
  struct Setup {
    std::shared_ptr<MultipartStore> store;
    std::string key;
    FileOptions options;
    PartLengths part_lengths;
    RuntimeOptions runtime;
    PreparedSchema schema;
    WriteId write_id;
    int64_t epoch = 0;
    ParquetContent content;
    std::shared_ptr<Upload> upload;  // of a resumed write
    std::vector<std::string> warnings;
    std::shared_ptr<EventNotifier> events;  // never null
  };
  StreamWriter(Setup setup, OpenFile file);
  ~StreamWriter() override;

  // Takes the rows that the state carries, of which CheckCarriedRows said that they are sound. Called once, first.
  Status RestoreCarried(const CarriedRows& carried);

  Status Write(const arrow::RecordBatch& batch) override;
  Status Write(const arrow::Table& table) override;
  Status Write(arrow::RecordBatchReader* reader) override;
  Status Write(ArrowArrayStream* stream) override;
  Result<WriterState> Checkpoint(CheckpointMode mode) override;
  Result<WriterState> Checkpoint() override { return Checkpoint(options_.checkpoint_mode); }
  Result<PendingCommit> Close() override;
  Status Abort() override;

  const std::shared_ptr<arrow::Schema>& schema() const override { return schema_.input; }
  int64_t rows() const override { return rows_; }
  int64_t durable_rows() const override { return durable_rows_; }
  const std::vector<std::string>& warnings() const override { return warnings_; }
  // What encoders have allocated now, and encoded bytes that are not stored yet.
  int64_t encoder_bytes() const { return memory_.bytes_in_use(); }

 private:
  // OK while rows may be written.
  Status CheckOpen() const;
  Status CheckRoomFor(const arrow::RecordBatch& batch);
  // Takes a batch that fits: of its rows an error is the writer's, not the batch's.
  Status Take(std::shared_ptr<arrow::RecordBatch> adapted);
  Status Feed(Chunk chunk);
  // The copy of the open row group's rows; nullopt where there is none.
  Result<std::optional<CarriedRows>> CopyOpenRows();
  // Everything taken so far ends in a finished row group.
  Status EndRowGroup();
  Result<WriterState> MakeState();
  // Uploads the end; sets `pending->state` where the end may have to be laid out again.
  Result<FileDriver::ClosedFile> CloseFile(ByteSlices tail, PendingCommit* pending);
  void StopEncoding();

  const std::shared_ptr<MultipartStore> store_;
  const std::string key_;
  const FileOptions options_;
  const PartLengths part_lengths_;
  const OnError on_error_;
  const PreparedSchema schema_;
  const WriteId write_id_;
  const int64_t epoch_;
  const std::vector<std::string> warnings_;
  const int64_t leaf_columns_;
  const int64_t widening_;
  const std::shared_ptr<Executor> executor_;
  const std::shared_ptr<EventNotifier> events_;

  EncodeMemory memory_;  // outlives driver and lane
  Recutter recutter_;
  int64_t rows_ = 0;
  int64_t durable_rows_ = 0;
  int64_t referenced_bytes_ = 0;   // of all rows taken by this process
  bool state_handed_out_ = false;  // ... or resumed from
  bool done_ = false;              // closed or aborted

  FileDriver driver_;
  std::unique_ptr<CarryLane> carry_;  // with checkpoint_mode = kCarry, else nullptr
  EncodeLane lane_;                   // last: its callbacks use the driver
};

}  // namespace tailrace
