// A decorator over any store that writes every call down and makes chosen ones fail, before or after they are done.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "tailrace/store.h"
#include "testing/store_calls.h"

namespace tailrace {

// One call of a store or of an upload, as a fault sees it.
struct FaultPoint {
  int64_t index = 0;  // counted from 0 over all calls of the store and its uploads
  StoreCall call = StoreCall::kHead;
  std::string key;
  int part_number = 0;  // of PutPart
  // false: nothing is done yet, an error keeps it so. true: it is done and succeeded, an error is a lost answer.
  bool done = false;
};

// Asked at each point, twice for a call that succeeds. An error becomes the answer of the call. May do anything else as
// well, such as end the process, or call the store below as somebody else would; it runs with no lock held, in the
// thread that calls, maybe in several at once.
using Fault = std::function<Status(const FaultPoint&)>;

enum class FaultTime { kBefore, kAfter };  // of the call's effect

// The call with this index fails, once.
Fault FailNth(int64_t index, ErrorKind kind, FaultTime time = FaultTime::kBefore);
// All calls from this index on fail: the network is gone, or for the calls of one process, it is dead.
Fault FailFrom(int64_t index, ErrorKind kind);
// The n-th call of this sort (from 0) fails, once.
Fault FailCall(StoreCall call, int64_t nth, ErrorKind kind, FaultTime time = FaultTime::kBefore);
// Every call of this sort fails.
Fault FailAll(StoreCall call, ErrorKind kind);

// Thread-safe. Seal is passed on as it is: it is no request.
class FaultStore final : public MultipartStore {
 public:
  explicit FaultStore(std::shared_ptr<MultipartStore> store, Fault fault = nullptr);
  ~FaultStore() override;

  struct LogEntry {
    FaultPoint point;  // `done` as it ended: whether the store below did it
    Status answer;     // that the caller got
    // "PutPart 2", "Complete failed (lost): transient"
    std::string ToString() const;
  };
  std::vector<LogEntry> log() const;
  // How many calls got an error from the fault.
  int64_t fired() const;
  int64_t calls() const;
  // From now on. The indexes go on.
  void SetFault(Fault fault);

  StoreLimits limits() const override;
  Target TargetOf(const std::string& key) const override;
  Result<ObjectMeta> Head(const std::string& key) override;
  Status SyncObject(const std::string& key) override;
  Result<std::string> GetRange(const std::string& key, int64_t offset, int64_t length,
                               const std::string& if_etag) override;
  Result<ObjectMeta> Put(const std::string& key, const ByteSlices& body, const WriteId& write_id,
                         const PutCondition& condition) override;
  Result<std::unique_ptr<Upload>> CreateUpload(const UploadRequest& request) override;
  Result<std::unique_ptr<Upload>> OpenUpload(const std::string& key, const UploadId& id,
                                             const OpenUploadOptions& options = {}) override;
  Status CheckNewObject(const std::string& key) override { return store_->CheckNewObject(key); }
  Result<std::vector<UploadSummary>> ListUploads(const std::string& prefix) override;

 private:
  class Recorder;
  class FaultUpload;

  const std::shared_ptr<MultipartStore> store_;
  // Shared with the uploads, which may outlive this.
  const std::shared_ptr<Recorder> recorder_;
};

}  // namespace tailrace
