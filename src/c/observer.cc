#include <memory>
#include <string>
#include <utility>

#include "c/guard.h"
#include "c/names.h"
#include "tailrace/events.h"

namespace tailrace::c {
namespace {

struct KindRow {
  EventKind kind;
  int32_t number;
};
constexpr KindRow kKinds[] = {
    {EventKind::kOpened, TAILRACE_EVENT_OPENED},
    {EventKind::kResumed, TAILRACE_EVENT_RESUMED},
    {EventKind::kUploadCreated, TAILRACE_EVENT_UPLOAD_CREATED},
    {EventKind::kRowGroupClosed, TAILRACE_EVENT_ROW_GROUP_CLOSED},
    {EventKind::kPartStored, TAILRACE_EVENT_PART_STORED},
    {EventKind::kCheckpoint, TAILRACE_EVENT_CHECKPOINT},
    {EventKind::kClosed, TAILRACE_EVENT_CLOSED},
    {EventKind::kAborted, TAILRACE_EVENT_ABORTED},
    {EventKind::kReleased, TAILRACE_EVENT_RELEASED},
    {EventKind::kFinished, TAILRACE_EVENT_FINISHED},
    {EventKind::kCommitted, TAILRACE_EVENT_COMMITTED},
    {EventKind::kDropped, TAILRACE_EVENT_DROPPED},
    {EventKind::kFailed, TAILRACE_EVENT_FAILED},
};

int32_t NumberOf(EventKind kind) {
  for (const KindRow& row : kKinds) {
    if (row.kind == kind) return row.number;
  }
  return 0;
}

// Owns what the callback works with.
class CallbackObserver final : public Observer {
 public:
  CallbackObserver(tailrace_event_callback callback, void* context, void (*release)(void*))
      : callback_(callback), context_(context), release_(release) {}
  ~CallbackObserver() override {
    if (release_ != nullptr) release_(context_);
  }

  void OnEvent(const WriteEvent& event) override {
    const bool failed = event.kind == EventKind::kFailed;
    tailrace_event out{};
    out.struct_size = sizeof out;
    out.kind = NumberOf(event.kind);
    out.part_number = event.part_number;
    out.time_us = event.time.time_since_epoch().count();
    out.url = event.url.c_str();
    out.key = event.key.c_str();
    out.store = event.store.c_str();
    out.write_id = event.write_id.text.c_str();
    out.epoch = event.epoch;
    out.rows = event.rows;
    out.bytes = event.bytes;
    out.arrow_bytes = event.arrow_bytes;
    out.duration_us = event.duration.count();
    out.attempts = event.attempts;
    out.already_committed = event.already_committed ? 1 : 0;
    out.step = WriteStepName(event.step).data();  // a literal
    out.message = event.message.c_str();
    out.error = failed ? KindToC(event.error) : TAILRACE_OK;
    out.encoded_rows = event.encoded_rows;
    out.stored_bytes = event.stored_bytes;
    out.stored_parts = event.stored_parts;
    callback_(context_, &out);
  }

 private:
  const tailrace_event_callback callback_;
  void* const context_;
  void (*const release_)(void*);
};

}  // namespace
}  // namespace tailrace::c

extern "C" {

const char* tailrace_event_kind_name(int32_t kind) {
  for (const auto& row : tailrace::c::kKinds) {
    if (row.number == kind) return tailrace::EventKindName(row.kind).data();  // a literal
  }
  return "unknown";
}

tailrace_kind tailrace_observer_new(tailrace_event_callback callback, void* context, void (*release)(void*),
                                    tailrace_observer** observer, tailrace_error** error) {
  return tailrace::c::GuardNew(observer, error, [&]() -> arrow::Result<std::shared_ptr<tailrace::Observer>> {
    if (callback == nullptr) {
      if (release != nullptr) release(context);
      return tailrace::MakeError(tailrace::ErrorKind::kInvalid, "callback is NULL");
    }
    return std::make_shared<tailrace::c::CallbackObserver>(callback, context, release);
  });
}

void tailrace_observer_free(tailrace_observer* observer) { delete observer; }

}  // extern "C"
