// Sends the requests of one open file in the background: the creation of its upload, and its parts.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <variant>

#include <arrow/result.h>

#include "base/mutex.h"
#include "tailrace/executor.h"
#include "tailrace/store.h"

namespace tailrace {

// Bounded: at most `requests_in_flight` requests run at once, begun in the order they were asked for; the rest
// waits here. A request that ends begins the next, so all of them get done without another call. Nothing is
// retried.
//
// Thread-safe. Each request that was begun is reported once, by the thread that ran it, with no lock of this class
// held: a report may ask for more. An inline executor runs requests and reports inside the asking call, so ask with
// no lock held that a report takes. When a report comes, the request has let go of the part's bytes and its upload.
class PartUploader {
 public:
  struct PartResult {
    int number = 0;
    int64_t size_bytes = 0;  // of the part, whatever came of it
    Result<PartReceipt> receipt;
    std::chrono::microseconds duration{0};  // of the request
  };
  struct UploadResult {
    Result<std::unique_ptr<Upload>> upload;
    std::chrono::microseconds duration{0};
  };
  struct Reports {
    std::function<void(UploadResult)> upload_created;
    std::function<void(PartResult)> part_stored;
  };

  // `executor` outlives this. REQUIRES: requests_in_flight >= 1.
  PartUploader(Executor* executor, int requests_in_flight, Reports reports);
  // Shutdown().
  ~PartUploader();
  PartUploader(const PartUploader&) = delete;
  PartUploader& operator=(const PartUploader&) = delete;

  // After Shutdown both do nothing, and nothing is reported.
  void CreateUpload(std::shared_ptr<MultipartStore> store, UploadRequest request);
  void PutPart(std::shared_ptr<Upload> upload, Part part);

  // Drops the requests that were not begun, without a report. What runs goes on and is reported.
  void DropWaiting();

  // Drops what waits, takes nothing more, and waits until what runs has ended and been reported (an upload that
  // gets created meanwhile is not lost). Runs the executor's tasks while it waits, where it has no threads of its
  // own. Must not be called by a report. May be called again.
  void Shutdown();

 private:
  struct Create {
    std::shared_ptr<MultipartStore> store;
    UploadRequest request;
  };
  struct Put {
    std::shared_ptr<Upload> upload;
    Part part;
  };
  using Request = std::variant<Create, Put>;

  void Ask(Request request) TAILRACE_EXCLUDES(mutex_);
  // Spawns workers as long as there is room and work; the caller holds the lock, which is dropped meanwhile.
  void SpawnWorkers() TAILRACE_REQUIRES(mutex_);
  // What a spawned task does: at most one request, then room for the next.
  void Work() TAILRACE_EXCLUDES(mutex_);
  void Run(Request request) TAILRACE_EXCLUDES(mutex_);

  Executor* const executor_;
  const int requests_in_flight_;
  const Reports reports_;

  Mutex mutex_;
  CondVar changed_;
  std::deque<Request> waiting_ TAILRACE_GUARDED_BY(mutex_);
  int workers_ TAILRACE_GUARDED_BY(mutex_) = 0;        // spawned, not ended
  int starting_ TAILRACE_GUARDED_BY(mutex_) = 0;       // of these, those that have not yet taken a request
  bool spawning_ TAILRACE_GUARDED_BY(mutex_) = false;  // somebody is in SpawnWorkers
  bool stopped_ TAILRACE_GUARDED_BY(mutex_) = false;
};

}  // namespace tailrace
