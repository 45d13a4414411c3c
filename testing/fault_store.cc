#include "testing/fault_store.h"

#include <atomic>
#include <utility>

namespace tailrace {
namespace {

const Status& StatusOf(const Status& status) { return status; }
template <typename T>
const Status& StatusOf(const Result<T>& result) {
  return result.status();
}

Status Injected(const FaultPoint& point, ErrorKind kind) {
  return MakeError(kind, std::string("injected: ")
                             .append(StoreCallName(point.call))
                             .append(point.done ? ", answer lost" : ", not done")
                             .append(", call ")
                             .append(std::to_string(point.index)));
}

}  // namespace

Fault FailNth(int64_t index, ErrorKind kind, FaultTime time) {
  return [=](const FaultPoint& point) {
    const bool now = point.index == index && point.done == (time == FaultTime::kAfter);
    return now ? Injected(point, kind) : Status::OK();
  };
}

Fault FailFrom(int64_t index, ErrorKind kind) {
  return [=](const FaultPoint& point) { return point.index >= index ? Injected(point, kind) : Status::OK(); };
}

Fault FailCall(StoreCall call, int64_t nth, ErrorKind kind, FaultTime time) {
  auto seen = std::make_shared<std::atomic<int64_t>>(0);
  return [=](const FaultPoint& point) {
    if (point.call != call || point.done != (time == FaultTime::kAfter)) return Status::OK();
    return (*seen)++ == nth ? Injected(point, kind) : Status::OK();
  };
}

Fault FailAll(StoreCall call, ErrorKind kind) {
  return [=](const FaultPoint& point) { return point.call == call ? Injected(point, kind) : Status::OK(); };
}

class FaultStore::Recorder {
 public:
  explicit Recorder(Fault fault) : fault_(std::move(fault)) {}

  // Runs `run` between the two questions to the fault, and writes down what came of it.
  template <typename Run>
  auto Call(StoreCall call, const std::string& key, int part_number, Run run) -> decltype(run()) {
    FaultPoint point{0, call, key, part_number, false};
    Fault fault;
    {
      MutexLock lock(&mutex_);
      point.index = next_index_++;
      fault = fault_;
    }
    Status failed = fault ? fault(point) : Status::OK();
    if (!failed.ok()) {
      Note(point, failed, true);
      return failed;
    }
    auto answer = run();
    point.done = StatusOf(answer).ok();
    if (point.done && fault) failed = fault(point);
    if (!failed.ok()) {
      Note(point, failed, true);
      return failed;
    }
    Note(point, StatusOf(answer), false);
    return answer;
  }

  std::vector<LogEntry> log() const {
    MutexLock lock(&mutex_);
    return log_;
  }
  int64_t fired() const {
    MutexLock lock(&mutex_);
    return fired_;
  }
  int64_t calls() const {
    MutexLock lock(&mutex_);
    return next_index_;
  }
  void SetFault(Fault fault) {
    MutexLock lock(&mutex_);
    fault_ = std::move(fault);
  }

 private:
  void Note(const FaultPoint& point, const Status& answer, bool injected) {
    MutexLock lock(&mutex_);
    log_.push_back({point, answer});
    if (injected) ++fired_;
  }

  mutable Mutex mutex_;
  Fault fault_ TAILRACE_GUARDED_BY(mutex_);
  int64_t next_index_ TAILRACE_GUARDED_BY(mutex_) = 0;
  int64_t fired_ TAILRACE_GUARDED_BY(mutex_) = 0;
  std::vector<LogEntry> log_ TAILRACE_GUARDED_BY(mutex_);
};

class FaultStore::FaultUpload final : public Upload {
 public:
  FaultUpload(std::shared_ptr<Recorder> recorder, std::string key, std::unique_ptr<Upload> upload)
      : recorder_(std::move(recorder)), key_(std::move(key)), upload_(std::move(upload)) {}

  const UploadId& id() const override { return upload_->id(); }
  Result<PartReceipt> PutPart(const Part& part) override {
    return recorder_->Call(StoreCall::kPutPart, key_, part.number, [&] { return upload_->PutPart(part); });
  }
  Status Sync() override {
    return recorder_->Call(StoreCall::kSync, key_, 0, [&] { return upload_->Sync(); });
  }
  Result<std::vector<PartReceipt>> ListParts(const std::vector<PartReceipt>& expected) override {
    return recorder_->Call(StoreCall::kListParts, key_, 0, [&] { return upload_->ListParts(expected); });
  }
  Result<ObjectMeta> Complete(const std::vector<PartReceipt>& parts, const PutCondition& condition) override {
    return recorder_->Call(StoreCall::kComplete, key_, 0, [&] { return upload_->Complete(parts, condition); });
  }
  Status Abort() override {
    return recorder_->Call(StoreCall::kAbort, key_, 0, [&] { return upload_->Abort(); });
  }
  std::string Seal() const override { return upload_->Seal(); }

 private:
  const std::shared_ptr<Recorder> recorder_;
  const std::string key_;
  const std::unique_ptr<Upload> upload_;
};

FaultStore::FaultStore(std::shared_ptr<MultipartStore> store, Fault fault)
    : store_(std::move(store)), recorder_(std::make_shared<Recorder>(std::move(fault))) {}
FaultStore::~FaultStore() = default;

std::string FaultStore::LogEntry::ToString() const {
  std::string text(StoreCallName(point.call));
  if (point.part_number > 0) text += ' ' + std::to_string(point.part_number);
  if (answer.ok()) return text;
  text += point.done ? " failed (lost): " : " failed: ";
  return text.append(ErrorKindName(KindOf(answer)));
}

std::vector<FaultStore::LogEntry> FaultStore::log() const { return recorder_->log(); }
int64_t FaultStore::fired() const { return recorder_->fired(); }
int64_t FaultStore::calls() const { return recorder_->calls(); }
void FaultStore::SetFault(Fault fault) { recorder_->SetFault(std::move(fault)); }

StoreLimits FaultStore::limits() const { return store_->limits(); }
Target FaultStore::TargetOf(const std::string& key) const { return store_->TargetOf(key); }

Result<ObjectMeta> FaultStore::Head(const std::string& key) {
  return recorder_->Call(StoreCall::kHead, key, 0, [&] { return store_->Head(key); });
}

Status FaultStore::SyncObject(const std::string& key) {
  return recorder_->Call(StoreCall::kSyncObject, key, 0, [&] { return store_->SyncObject(key); });
}

Result<std::string> FaultStore::GetRange(const std::string& key, int64_t offset, int64_t length,
                                         const std::string& if_etag) {
  return recorder_->Call(StoreCall::kGetRange, key, 0, [&] { return store_->GetRange(key, offset, length, if_etag); });
}

Result<ObjectMeta> FaultStore::Put(const std::string& key, const ByteSlices& body, const WriteId& write_id,
                                   const PutCondition& condition) {
  return recorder_->Call(StoreCall::kPut, key, 0, [&] { return store_->Put(key, body, write_id, condition); });
}

Result<std::unique_ptr<Upload>> FaultStore::CreateUpload(const UploadRequest& request) {
  ARROW_ASSIGN_OR_RAISE(auto upload, recorder_->Call(StoreCall::kCreateUpload, request.key, 0,
                                                     [&] { return store_->CreateUpload(request); }));
  return std::make_unique<FaultUpload>(recorder_, request.key, std::move(upload));
}

Result<std::unique_ptr<Upload>> FaultStore::OpenUpload(const std::string& key, const UploadId& id,
                                                       const OpenUploadOptions& options) {
  ARROW_ASSIGN_OR_RAISE(auto upload, recorder_->Call(StoreCall::kOpenUpload, key, 0,
                                                     [&] { return store_->OpenUpload(key, id, options); }));
  return std::make_unique<FaultUpload>(recorder_, key, std::move(upload));
}

Result<std::vector<UploadSummary>> FaultStore::ListUploads(const std::string& prefix) {
  return recorder_->Call(StoreCall::kListUploads, prefix, 0, [&] { return store_->ListUploads(prefix); });
}

}  // namespace tailrace
