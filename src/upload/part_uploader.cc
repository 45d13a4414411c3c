#include "upload/part_uploader.h"

#include <utility>

#include "base/clock.h"

namespace tailrace {

PartUploader::PartUploader(Executor* executor, int requests_in_flight, Reports reports)
    : executor_(executor), requests_in_flight_(requests_in_flight), reports_(std::move(reports)) {}

PartUploader::~PartUploader() { Shutdown(); }

void PartUploader::CreateUpload(std::shared_ptr<MultipartStore> store, UploadRequest request) {
  Ask(Create{std::move(store), std::move(request)});
}

void PartUploader::PutPart(std::shared_ptr<Upload> upload, Part part) { Ask(Put{std::move(upload), std::move(part)}); }

void PartUploader::Ask(Request request) {
  MutexLock lock(&mutex_);
  if (stopped_) return;
  waiting_.push_back(std::move(request));
  SpawnWorkers();
}

void PartUploader::SpawnWorkers() {
  // Under an inline executor a worker ends up here again, inside Spawn: the outer loop then goes on, so the stack
  // does not grow with the number of requests.
  if (spawning_) return;
  spawning_ = true;
  while (!stopped_ && workers_ < requests_in_flight_ && starting_ < static_cast<int64_t>(waiting_.size())) {
    ++workers_;
    ++starting_;
    mutex_.unlock();
    executor_->Spawn([this] { Work(); });
    mutex_.lock();
  }
  spawning_ = false;
  changed_.NotifyAll();
}

void PartUploader::Work() {
  std::optional<Request> request;
  {
    MutexLock lock(&mutex_);
    --starting_;
    if (!waiting_.empty()) {
      request = std::move(waiting_.front());
      waiting_.pop_front();
    }
  }
  if (request) Run(*std::move(request));
  request.reset();
  // Nothing of this object is touched once the lock is gone: Shutdown may have returned.
  MutexLock lock(&mutex_);
  --workers_;
  SpawnWorkers();
}

void PartUploader::Run(Request request) {
  const auto begin = std::chrono::steady_clock::now();
  if (auto* create = std::get_if<Create>(&request)) {
    UploadResult result{create->store->CreateUpload(create->request), Since(begin)};
    create->store.reset();
    reports_.upload_created(std::move(result));
    return;
  }
  Put put = std::get<Put>(std::move(request));
  PartResult result{put.part.number, put.part.body.size(), put.upload->PutPart(put.part), Since(begin)};
  put = Put{};
  reports_.part_stored(std::move(result));
}

void PartUploader::DropWaiting() {
  std::deque<Request> dropped;  // destroyed without the lock: an upload's last reference may close files
  MutexLock lock(&mutex_);
  dropped.swap(waiting_);
}

void PartUploader::Shutdown() {
  std::deque<Request> dropped;
  mutex_.lock();
  stopped_ = true;
  dropped.swap(waiting_);
  while (workers_ > 0 || spawning_) {
    mutex_.unlock();
    bool ran_one = executor_->TryRunOne();
    mutex_.lock();
    if (!ran_one && (workers_ > 0 || spawning_)) changed_.Wait(&mutex_);
  }
  mutex_.unlock();
}

}  // namespace tailrace
