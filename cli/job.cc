#include "cli/job.h"

#include "cli/state_file.h"
#include "tailrace/commit.h"

namespace tailrace::cli {

namespace {

class Runner {
 public:
  Runner(Job job, std::unique_ptr<ParquetStreamWriter> writer, std::unique_ptr<BatchInput> input,
         const StopSignal& stop, InputWatch* watch, Reporter* reporter)
      : job_(std::move(job)),
        writer_(std::move(writer)),
        input_(std::move(input)),
        stop_(stop),
        reporter_(reporter),
        pump_(writer_.get(), input_.get(), {job_.options.every, job_.state_file, job_.saved}, watch, reporter) {}

  ExitCode Run() {
    for (const std::string& warning : writer_->warnings()) reporter_->Note("warning: " + warning);
    reporter_->Opened(job_.url, writer_->rows());
    reporter_->SetTotal(input_->total_bytes());
    const Status fed = pump_.Run(job_.skip_rows);
    if (stop_.requested() && SaysStop(fed)) return StopHere();
    if (!fed.ok()) return GiveUp(fed);
    auto pending = writer_->Close();
    if (!pending.ok()) return GiveUp(pending.status());
    return EndWrite(*pending);
  }

 private:
  bool aborts_on_error() const { return job_.options.runtime.on_error == OnError::kAbort; }

  std::string ResumeHint() const {
    return RowsText(pump_.saved()->rows) + " are safe; go on with: tailrace resume " + job_.state_file + " INPUT...";
  }

  // Ctrl-C ends the producer as well: what then looks like an end of the input, or like a cut one, is none.
  static bool SaysStop(const Status& fed) {
    return fed.ok() || KindOf(fed) == ErrorKind::kCancelled || KindOf(fed) == ErrorKind::kInvalid;
  }

  // A stop signal came while rows were read.
  ExitCode StopHere() {
    if (job_.state_file.empty() || aborts_on_error()) {
      DropUpload();
      return reporter_->Interrupted(stop_.name(), 0, "");
    }
    const bool all_saved = pump_.saved() && pump_.saved()->rows == writer_->rows();
    const Status saved = all_saved ? Status::OK() : pump_.TakeCheckpoint();
    if (!saved.ok()) return GiveUp(WithContext(saved, "stopped by " + stop_.name() + ", at the last checkpoint"));
    return reporter_->Interrupted(stop_.name(), pump_.saved()->rows, job_.state_file);
  }

  // Another process ended the write, or its upload is gone: no value of this one leads on.
  static bool IsOver(const Status& error) {
    return KindOf(error) == ErrorKind::kFenced || KindOf(error) == ErrorKind::kUploadGone;
  }

  // The writer is open and cannot go on.
  ExitCode GiveUp(const Status& error) {
    if (pump_.saved() && !aborts_on_error()) return reporter_->Error(error, IsOver(error) ? "" : ResumeHint());
    if (job_.options.runtime.on_error == OnError::kKeep) {
      return reporter_->Error(error, "the upload was kept, as --on-error keep asks");
    }
    DropUpload();
    return reporter_->Error(error, "nothing was kept, nothing is visible");
  }

  void DropUpload() {
    const Status aborted = writer_->Abort();
    if (!aborted.ok()) {
      reporter_->Note("the upload could not be aborted: " + aborted.message());
    } else if (pump_.saved()) {
      Marked(MarkAborted(job_.state_file, pump_.saved()->write_id));
    }
  }

  void Marked(const Status& marked) {
    if (!marked.ok()) reporter_->Note("the mark of the state file could not be written: " + marked.message());
  }

  ExitCode EndWrite(const PendingCommit& pending) {
    const std::string& file = job_.options.pending_file;
    if (!file.empty()) {
      const Status saved = SaveSmallFile(file, pending.ToBytes(), Previous::kKeep);
      if (!saved.ok()) return LeavePending(pending, saved, /*of_commit=*/false);
    }
    reporter_->Closed(pending, file);
    if (job_.options.no_commit) {
      reporter_->Note("nothing is visible yet; make it so with: tailrace commit " + file);
      return ExitCode::kOk;
    }
    const auto info = Commit(pending, OptionsOfCommit());
    if (!info.ok()) return LeavePending(pending, info.status(), /*of_commit=*/true);
    for (const std::string& path : {file, pump_.saved() ? job_.state_file : std::string()}) {
      if (!path.empty()) Marked(MarkCommitted(path, pending.write_id, job_.url, *info));
    }
    reporter_->Committed(job_.url, *info);
    return ExitCode::kOk;
  }

  CommitOptions OptionsOfCommit() const {
    return {.store = job_.store, .force = job_.force, .verify = job_.verify, .observer = job_.options.observer};
  }

  // All is uploaded and not committed.
  ExitCode LeavePending(const PendingCommit& pending, const Status& error, bool of_commit) {
    if (IsOver(error) && pump_.saved() && !aborts_on_error()) return reporter_->Error(error, "", of_commit);
    if (of_commit && !job_.options.pending_file.empty()) {
      return reporter_->Error(error, "try again with: tailrace commit " + job_.options.pending_file, of_commit);
    }
    if (pump_.saved() && !aborts_on_error()) return reporter_->Error(error, ResumeHint(), of_commit);
    if (of_commit && OutcomeOf(error) == Outcome::kUnknown) {
      return reporter_->Error(error, "look at " + job_.url + " before writing it again: it may be there", of_commit);
    }
    const auto aborted = Abort(pending, OptionsOfCommit());
    if (!aborted.ok()) reporter_->Note("the upload could not be aborted: " + aborted.status().message());
    return reporter_->Error(error, "nothing was kept; keep the pending commit with --pending FILE", of_commit);
  }

  const Job job_;
  const std::unique_ptr<ParquetStreamWriter> writer_;
  const std::unique_ptr<BatchInput> input_;
  const StopSignal& stop_;
  Reporter* const reporter_;
  Pump pump_;
};

}  // namespace

ExitCode RunJob(Job job, std::unique_ptr<ParquetStreamWriter> writer, std::unique_ptr<BatchInput> input,
                const StopSignal& stop, InputWatch* watch, Reporter* reporter) {
  return Runner(std::move(job), std::move(writer), std::move(input), stop, watch, reporter).Run();
}

}  // namespace tailrace::cli
