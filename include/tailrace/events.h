// What happens in a write, told to whoever wants to know: for progress bars, logs and metrics.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tailrace/error.h"
#include "tailrace/object.h"

namespace tailrace {

enum class EventKind {
  kOpened,          // a new writer; no request was sent
  kResumed,         // a writer that goes on from a state
  kUploadCreated,   // the upload exists now, invisible
  kRowGroupClosed,  // a row group is encoded; its bytes are on their way
  kPartStored,      // the store has a part
  kCheckpoint,      // a state was handed out
  kClosed,          // everything is uploaded, or ready for one Put; the writer is done
  kAborted,         // the writer dropped its upload, if it had one, and is done
  kReleased,        // the writer is gone, neither closed nor aborted; its upload, if any, is kept
  kFinished,        // Finish: the object is there, whole and ours
  kCommitted,       // Commit: the same
  kDropped,         // Abort: the upload is gone, or the object is there already
  kFailed,          // an error; of a writer its first
};
// "opened", "row_group_closed", ...: stable, used in JSON lines.
std::string_view EventKindName(EventKind kind);

// What was tried when an event says that it failed.
enum class WriteStep { kNone, kResume, kCreateUpload, kEncode, kStorePart, kSync, kStoreEnd, kFinish, kCommit, kAbort };
// "store_part", ...; "" for kNone.
std::string_view WriteStepName(WriteStep step);

// A plain value; holds no credential. Which members are set:
//
//   kind            rows                   bytes                        duration
//   opened          0                      the largest file that fits   of Open
//   resumed         of the state           the largest file that fits   of Resume
//   upload_created                                                      of the request
//   row_group_closed  of the row group     encoded, of the row group    since the one before, or the opening
//   part_stored                            of the part                  of the request, with its repetitions
//   checkpoint      durable                stored and in the state      of Checkpoint
//   closed          of the file            of the object to be          of Close
//   aborted, released  taken so far        0                            of Abort; 0 for a destructor
//   finished, committed  of the object     of the object                of the call
//   dropped         of the value           0                            of the call
//   failed          taken so far           0                            of the request or call; 0 where not known
//
// `stored_bytes`, `stored_parts` and `encoded_rows` say with every event how far the write is, what a resumed or
// finished state had included.
struct WriteEvent {
  EventKind kind = EventKind::kOpened;
  Timestamp time{};  // wall clock
  // Which write. Several writers, finishers and committers may work on one.
  std::string url;  // "s3://bucket/key": never an endpoint, a query or a credential
  std::string key;
  std::string store;  // Target::kind: "file", "s3", ...
  WriteId write_id;
  int64_t epoch = 0;  // resumes before this one

  int64_t rows = 0;
  int64_t bytes = 0;
  std::chrono::microseconds duration{0};
  int64_t arrow_bytes = 0;         // row_group_closed: Arrow data that was encoded
  int part_number = 0;             // part_stored, and failed with kStorePart; else 0
  int attempts = 0;                // part_stored: requests that it took; 0 where the store does not tell
  bool already_committed = false;  // finished, committed, dropped: the object was there before

  WriteStep step = WriteStep::kNone;  // failed
  ErrorKind error = ErrorKind::kInternal;
  std::string message;  // of the error

  int64_t encoded_rows = 0;
  int64_t stored_bytes = 0;
  int64_t stored_parts = 0;
};

// Is told what happens. Set in RuntimeOptions and CommitOptions.
//
// Rules: of one writer, and of one call of Finish, Commit or Abort, events come one at a time and in order, from the
// caller's thread or from threads of the executor; of different ones at the same time, so that an observer of several
// has to be thread-safe. When a call of the writer returns, its events have been delivered. Every writer that was
// opened or resumed ends with exactly one of closed, aborted and released, and no event of it follows. Rows and batches
// have no events: nothing is called per batch.
//
// No lock of the library is held during the call. It should return soon: the thread that makes it does nothing else
// meanwhile. It must not call into the writer or the executor that it is told about. What it throws is caught and
// forgotten; the write goes on.
//
//   class Progress : public tailrace::Observer {
//     void OnEvent(const tailrace::WriteEvent& event) override {
//       std::cerr << event.stored_bytes << " bytes stored\n";
//     }
//   };
//   tailrace::RuntimeOptions runtime;
//   runtime.observer = std::make_shared<Progress>();
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void OnEvent(const WriteEvent& event) = 0;
};

// Tells each of them, in this order. Null ones are left out; nullptr where nothing is left. One that throws does not
// keep the next from being told.
std::shared_ptr<Observer> CombineObservers(std::vector<std::shared_ptr<Observer>> observers);

}  // namespace tailrace
