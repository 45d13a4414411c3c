#include "tailrace/writer.h"

#include <memory>
#include <utility>

#include "c/guard.h"
#include "c/import.h"
#include "c/write_options.h"

using arrow::Result;
using tailrace::Status;
using tailrace::c::Guard;
using tailrace::c::GuardNew;
using tailrace::c::Required;
using tailrace::c::Taken;
using WriterPtr = std::unique_ptr<tailrace::ParquetStreamWriter>;

extern "C" {

tailrace_kind tailrace_writer_open(const tailrace_store* store, const char* key, ArrowSchema* schema,
                                   const tailrace_file_options* options, const tailrace_runtime_options* runtime,
                                   tailrace_writer** writer, tailrace_error** error) {
  const Taken<ArrowSchema> taken(schema);
  return GuardNew(writer, error, [&]() -> Result<WriterPtr> {
    ARROW_RETURN_NOT_OK(Required(store, "store"));
    ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Schema> columns, tailrace::c::ImportSchema(taken));
    ARROW_ASSIGN_OR_RAISE(tailrace::FileOptions file, tailrace::c::ReadFileOptions(options));
    ARROW_ASSIGN_OR_RAISE(tailrace::RuntimeOptions run, tailrace::c::ReadRuntimeOptions(runtime));
    return tailrace::ParquetStreamWriter::Open(store->at.store, key == nullptr ? store->at.key : key,
                                               std::move(columns), std::move(file), std::move(run));
  });
}

tailrace_kind tailrace_writer_resume(const tailrace_state* state, const tailrace_store* store,
                                     const tailrace_resume_options* options, const tailrace_runtime_options* runtime,
                                     tailrace_writer** writer, tailrace_error** error) {
  return GuardNew(writer, error, [&]() -> Result<WriterPtr> {
    ARROW_RETURN_NOT_OK(Required(state, "state"));
    ARROW_ASSIGN_OR_RAISE(tailrace::ResumeOptions read, tailrace::c::ReadResumeOptions(options, store, runtime));
    return tailrace::ParquetStreamWriter::Resume(state->value, std::move(read));
  });
}

tailrace_kind tailrace_writer_write(tailrace_writer* writer, ArrowArray* batch, ArrowSchema* schema,
                                    tailrace_error** error) {
  const Taken<ArrowArray> taken(batch);
  const Taken<ArrowSchema> type(schema);
  return Guard(error, [&]() -> Status {
    ARROW_RETURN_NOT_OK(Required(writer, "writer"));
    ARROW_ASSIGN_OR_RAISE(const std::shared_ptr<arrow::RecordBatch> rows,
                          tailrace::c::ImportBatch(taken, type, writer->writer->schema()));
    return writer->writer->Write(*rows);
  });
}

tailrace_kind tailrace_writer_write_stream(tailrace_writer* writer, ArrowArrayStream* stream, tailrace_error** error) {
  const Taken<ArrowArrayStream> taken(stream);
  return Guard(error, [&]() -> Status {
    ARROW_RETURN_NOT_OK(Required(writer, "writer"));
    if (!taken.present()) {
      return tailrace::MakeError(tailrace::ErrorKind::kInvalid, "the stream is NULL or was released before");
    }
    return writer->writer->Write(stream);
  });
}

tailrace_kind tailrace_writer_checkpoint(tailrace_writer* writer, tailrace_state** state, tailrace_error** error) {
  return GuardNew(state, error, [&]() -> Result<tailrace::WriterState> {
    ARROW_RETURN_NOT_OK(Required(writer, "writer"));
    return writer->writer->Checkpoint();
  });
}

tailrace_kind tailrace_writer_checkpoint_as(tailrace_writer* writer, int32_t checkpoint_mode, tailrace_state** state,
                                            tailrace_error** error) {
  return GuardNew(state, error, [&]() -> Result<tailrace::WriterState> {
    ARROW_RETURN_NOT_OK(Required(writer, "writer"));
    ARROW_ASSIGN_OR_RAISE(const tailrace::CheckpointMode mode, tailrace::c::ReadCheckpointMode(checkpoint_mode));
    return writer->writer->Checkpoint(mode);
  });
}

tailrace_kind tailrace_writer_close(tailrace_writer* writer, tailrace_pending** pending, tailrace_error** error) {
  return GuardNew(pending, error, [&]() -> Result<tailrace::PendingCommit> {
    ARROW_RETURN_NOT_OK(Required(writer, "writer"));
    return writer->writer->Close();
  });
}

tailrace_kind tailrace_writer_abort(tailrace_writer* writer, tailrace_error** error) {
  return Guard(error, [&]() -> Status {
    ARROW_RETURN_NOT_OK(Required(writer, "writer"));
    return writer->writer->Abort();
  });
}

tailrace_kind tailrace_writer_schema(const tailrace_writer* writer, ArrowSchema* schema, tailrace_error** error) {
  return Guard(error, [&]() -> Status {
    ARROW_RETURN_NOT_OK(Required(writer, "writer"));
    ARROW_RETURN_NOT_OK(Required(schema, "schema"));
    schema->release = nullptr;
    return tailrace::c::ExportSchema(*writer->writer->schema(), schema);
  });
}

int64_t tailrace_writer_rows(const tailrace_writer* writer) { return writer == nullptr ? 0 : writer->writer->rows(); }

int64_t tailrace_writer_durable_rows(const tailrace_writer* writer) {
  return writer == nullptr ? 0 : writer->writer->durable_rows();
}

size_t tailrace_writer_warning_count(const tailrace_writer* writer) {
  return writer == nullptr ? 0 : writer->writer->warnings().size();
}

const char* tailrace_writer_warning(const tailrace_writer* writer, size_t index) {
  if (index >= tailrace_writer_warning_count(writer)) return nullptr;
  return writer->writer->warnings()[index].c_str();
}

void tailrace_writer_free(tailrace_writer* writer) { delete writer; }

}  // extern "C"
