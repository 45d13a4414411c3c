// ParquetStreamWriter::Open and ::Resume: everything that is checked before the first row.
#include <algorithm>
#include <utility>

#include "base/clock.h"
#include "base/environment.h"
#include "base/uuid.h"
#include "encode/carried_rows.h"
#include "encode/file_tail.h"
#include "observe/log_environment.h"
#include "settle/identity.h"
#include "settle/target_store.h"
#include "tailrace/version.h"
#include "upload/end_uploader.h"
#include "writer/room.h"
#include "writer/stream_writer.h"

namespace tailrace {

namespace {

std::shared_ptr<EventNotifier> EventsOf(const RuntimeOptions& runtime, WriteEvent write) {
  return std::make_shared<EventNotifier>(WithLogIfAsked(runtime.observer, ProcessEnvironment()), std::move(write));
}

OpenFile::Rules RulesOf(const PartLengths& lengths, const FileOptions& options, const StoreLimits& limits) {
  const bool single_put = options.small_files == SmallFiles::kInline;
  return {.part_lengths = lengths,
          .single_put_max_bytes = single_put ? std::min(options.inline_max_bytes, limits.max_put_bytes) : -1};
}

// Has the write that `state` belongs to ended already? Its object tells.
Status CheckNotEnded(const SeenObject& seen, const std::string& key) {
  if (seen.sighting != Sighting::kOurs && seen.sighting != Sighting::kOtherContent) return Status::OK();
  if (seen.content.end != "close") return FencedBy(seen, key);
  auto detail = std::make_shared<ErrorDetail>(ErrorKind::kPrecondition);
  detail->already_committed = true;
  detail->rows = seen.content.rows;
  return MakeError(std::move(detail), "'" + key + "' is already committed: this write was closed at row " +
                                          std::to_string(seen.content.rows));
}

// The stored parts that the state names must still be there and unchanged. A store that does not let us list is
// trusted until Complete; the caller is told.
Status CheckParts(Upload* upload, const WriterState& state, const std::string& key,
                  std::vector<std::string>* warnings) {
  const std::vector<PartReceipt>& ours = state.progress.receipts;
  Result<std::vector<PartReceipt>> listed = upload->ListParts(ours);
  if (!listed.ok()) {
    if (KindOf(listed.status()) != ErrorKind::kDenied) return listed.status();
    warnings->push_back("the parts of the upload could not be checked: " + listed.status().message());
    return Status::OK();
  }
  return KeepOurParts(ours, *listed, "'" + key + "'").status();
}

void WarnOfVersions(const WriterState& state, std::vector<std::string>* warnings) {
  const std::string library(LibraryVersion());
  if (state.library_version != library || state.encoder_version != EncoderVersion()) {
    warnings->push_back("the state was made by tailrace " + state.library_version + " with " + state.encoder_version +
                        ", this is " + library + " with " + EncoderVersion() +
                        ": the rows will be the same, the bytes may differ from an uninterrupted write");
  }
}

// Opens the upload of a state and proves that the write can go on; an error says why it cannot.
Result<std::unique_ptr<Upload>> OpenForResume(const WriterState& state, const StoreAndKey& at, bool verify,
                                              std::vector<std::string>* warnings) {
  MultipartStore* store = at.store.get();
  ExpectedObject expected{.write_id = state.write_id, .upload_id = state.progress.upload_id};
  ARROW_ASSIGN_OR_RAISE(FileTail tail, BuildTail(state.content, FileEnd::kFinish));
  ARROW_ASSIGN_OR_RAISE(expected.content, ReadContentId(tail.footer));
  ARROW_RETURN_NOT_OK(CheckNotEnded(LookAtObject(store, at.key, expected), at.key));
  Result<std::unique_ptr<Upload>> upload = store->OpenUpload(at.key, state.progress.upload_id, {.verify = verify});
  Status parts = upload.ok() ? CheckParts(upload->get(), state, at.key, warnings) : upload.status();
  if (parts.ok()) return upload;
  if (KindOf(parts) != ErrorKind::kUploadGone) return parts;
  // Ended between the look and the opening, or not visible yet.
  Result<ObjectMeta> settled = SettleGone(store, at.key, expected, {.clock = Clock::System()});
  ARROW_RETURN_NOT_OK(CheckNotEnded(LookAtObject(store, at.key, expected), at.key));
  return settled.ok() ? parts : settled.status();
}

}  // namespace

Result<std::unique_ptr<ParquetStreamWriter>> ParquetStreamWriter::Open(std::shared_ptr<MultipartStore> store,
                                                                       std::string key,
                                                                       std::shared_ptr<arrow::Schema> schema,
                                                                       FileOptions options, RuntimeOptions runtime) {
  const auto begin = std::chrono::steady_clock::now();
  if (key.empty()) return MakeError(ErrorKind::kInvalid, "the key is empty");
  ARROW_RETURN_NOT_OK(store->CheckNewObject(key));
  const StoreLimits limits = store->limits();
  ARROW_RETURN_NOT_OK(CheckOptions(options, runtime, limits));
  ARROW_ASSIGN_OR_RAISE(const PartLengths lengths, PlanPartsOf(options, runtime, limits));
  ARROW_ASSIGN_OR_RAISE(PreparedSchema prepared, PrepareSchema(schema, options.parquet));
  OpenFile file = OpenFile::MakeNew(RulesOf(lengths, options, limits));
  const WriteId write_id = MakeWriteId(Clock::System()->Now());
  auto events = EventsOf(runtime, EventNotifier::Of(store->TargetOf(key), write_id, 0));
  events->Tell(EventOf(EventKind::kOpened, 0, RoomOf(lengths, limits), Since(begin)));
  StreamWriter::Setup setup{.store = std::move(store),
                            .key = std::move(key),
                            .options = std::move(options),
                            .part_lengths = lengths,
                            .runtime = std::move(runtime),
                            .write_id = write_id,
                            .events = std::move(events)};
  setup.content.schema = prepared.schema_ipc;
  setup.content.footer_template = prepared.footer_template;
  setup.schema = std::move(prepared);
  return std::make_unique<StreamWriter>(std::move(setup), std::move(file));
}

namespace {

Result<std::unique_ptr<ParquetStreamWriter>> ResumeAndTell(const WriterState& state, ResumeOptions options,
                                                           const std::shared_ptr<EventNotifier>& events) {
  const auto begin = std::chrono::steady_clock::now();
  ARROW_ASSIGN_OR_RAISE(StoreAndKey at,
                        ChooseStore(state.target, state.object, {options.store, options.key, options.retarget}));
  const StoreLimits limits = at.store->limits();
  const PartLengths& lengths = state.progress.part_lengths;
  FileOptions file_options = state.options;
  if (options.checkpoint_mode) file_options.checkpoint_mode = *options.checkpoint_mode;
  ARROW_RETURN_NOT_OK(CheckOptions(file_options, options.runtime, limits));
  ARROW_RETURN_NOT_OK(CheckMemoryFor(lengths, file_options, options.runtime));
  ARROW_ASSIGN_OR_RAISE(PreparedSchema prepared, RestoreSchema(state.content));
  ARROW_RETURN_NOT_OK(CheckCarriedRows(state.carried, prepared, file_options.parquet));
  std::vector<std::string> warnings;
  WarnOfVersions(state, &warnings);
  if (!limits.checks_part_etags) {
    warnings.push_back(
        "this store completes an upload without checking its parts' tags: do not let two processes resume "
        "the same state");
  }
  ARROW_ASSIGN_OR_RAISE(std::shared_ptr<Upload> upload, OpenForResume(state, at, options.verify, &warnings));
  ARROW_ASSIGN_OR_RAISE(OpenFile file, OpenFile::FromProgress(RulesOf(lengths, state.options, limits), state.progress,
                                                              OpenFile::Purpose::kResume));
  events->Tell(EventOf(EventKind::kResumed, state.rows(), RoomOf(lengths, limits), Since(begin)));
  StreamWriter::Setup setup{.store = at.store,
                            .key = at.key,
                            .options = std::move(file_options),
                            .part_lengths = lengths,
                            .runtime = std::move(options.runtime),
                            .schema = std::move(prepared),
                            .write_id = state.write_id,
                            .epoch = state.epoch + 1,
                            .content = state.content,
                            .upload = std::move(upload),
                            .warnings = std::move(warnings),
                            .events = events};
  auto writer = std::make_unique<StreamWriter>(std::move(setup), std::move(file));
  ARROW_RETURN_NOT_OK(writer->RestoreCarried(state.carried));
  return writer;
}

}  // namespace

Result<std::unique_ptr<ParquetStreamWriter>> ParquetStreamWriter::Resume(const WriterState& state,
                                                                         ResumeOptions options) {
  const StoreChoice choice{options.store, options.key, options.retarget};
  WriteEvent write = EventNotifier::Of(choice.TargetFor(state.target), state.write_id, state.epoch + 1);
  CountStored(state.progress.receipts, &write);
  write.encoded_rows = state.content.rows();
  auto events = EventsOf(options.runtime, std::move(write));
  auto writer = ResumeAndTell(state, std::move(options), events);
  if (!writer.ok()) events->Tell(FailureOf(WriteStep::kResume, writer.status()));
  return writer;
}

}  // namespace tailrace
