#include "tailrace/events.h"

#include <algorithm>
#include <utility>

namespace tailrace {
namespace {

class Combined final : public Observer {
 public:
  explicit Combined(std::vector<std::shared_ptr<Observer>> observers) : observers_(std::move(observers)) {}

  void OnEvent(const WriteEvent& event) override {
    for (const std::shared_ptr<Observer>& observer : observers_) {
      try {
        observer->OnEvent(event);
      } catch (...) {
      }
    }
  }

 private:
  const std::vector<std::shared_ptr<Observer>> observers_;
};

}  // namespace

std::string_view EventKindName(EventKind kind) {
  switch (kind) {
    case EventKind::kOpened:
      return "opened";
    case EventKind::kResumed:
      return "resumed";
    case EventKind::kUploadCreated:
      return "upload_created";
    case EventKind::kRowGroupClosed:
      return "row_group_closed";
    case EventKind::kPartStored:
      return "part_stored";
    case EventKind::kCheckpoint:
      return "checkpoint";
    case EventKind::kClosed:
      return "closed";
    case EventKind::kAborted:
      return "aborted";
    case EventKind::kReleased:
      return "released";
    case EventKind::kFinished:
      return "finished";
    case EventKind::kCommitted:
      return "committed";
    case EventKind::kDropped:
      return "dropped";
    case EventKind::kFailed:
      return "failed";
  }
  return "unknown";
}

std::string_view WriteStepName(WriteStep step) {
  switch (step) {
    case WriteStep::kNone:
      return "";
    case WriteStep::kResume:
      return "resume";
    case WriteStep::kCreateUpload:
      return "create_upload";
    case WriteStep::kEncode:
      return "encode";
    case WriteStep::kStorePart:
      return "store_part";
    case WriteStep::kSync:
      return "sync";
    case WriteStep::kStoreEnd:
      return "store_end";
    case WriteStep::kFinish:
      return "finish";
    case WriteStep::kCommit:
      return "commit";
    case WriteStep::kAbort:
      return "abort";
  }
  return "unknown";
}

std::shared_ptr<Observer> CombineObservers(std::vector<std::shared_ptr<Observer>> observers) {
  std::erase(observers, nullptr);
  if (observers.empty()) return nullptr;
  if (observers.size() == 1) return std::move(observers.front());
  return std::make_shared<Combined>(std::move(observers));
}

}  // namespace tailrace
