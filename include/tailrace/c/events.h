// What happens in a write, told to a callback. Part of tailrace/tailrace.h, which has the rules; docs/guide/observe.md
// explains the events.
#pragma once

#include "tailrace/c/error.h"

#ifdef __cplusplus
extern "C" {
#endif

// Values are never renumbered; a caller skips those that it does not know.
enum {
  TAILRACE_EVENT_OPENED = 1,            // a new writer; bytes: the largest file that fits
  TAILRACE_EVENT_RESUMED = 2,           // one that goes on from a state; rows: of the state; bytes as above
  TAILRACE_EVENT_UPLOAD_CREATED = 3,    // it exists now, invisible
  TAILRACE_EVENT_ROW_GROUP_CLOSED = 4,  // rows, encoded bytes and arrow_bytes of a row group
  TAILRACE_EVENT_PART_STORED = 5,       // bytes and attempts of part part_number
  TAILRACE_EVENT_CHECKPOINT = 6,        // rows are durable
  TAILRACE_EVENT_CLOSED = 7,            // rows and bytes of the object to be; ends a writer
  TAILRACE_EVENT_ABORTED = 8,           // ends a writer
  TAILRACE_EVENT_RELEASED = 9,          // ends a writer that was neither closed nor aborted; its upload is kept
  TAILRACE_EVENT_FINISHED = 10,         // the object is there: rows and bytes
  TAILRACE_EVENT_COMMITTED = 11,        // the same
  TAILRACE_EVENT_DROPPED = 12,          // tailrace_abort_...: the upload is gone, or the object is there already
  TAILRACE_EVENT_FAILED = 13            // step, error and message
};
// "opened", "row_group_closed", ...: stable; "unknown" for others. Static.
TAILRACE_API const char* tailrace_event_kind_name(int32_t kind);

// Made by the library, which sets struct_size to what it knows of: a program that was compiled with a newer header
// looks at struct_size before it reads a field that was added later. Strings live as long as the call.
typedef struct tailrace_event {
  size_t struct_size;
  int32_t kind;         // TAILRACE_EVENT_...
  int32_t part_number;  // 0 where it is about none
  int64_t time_us;
  const char* url;
  const char* key;
  const char* store;  // "file", "s3", ...
  const char* write_id;
  int64_t epoch;  // how often the write was resumed
  int64_t rows;
  int64_t bytes;
  int64_t arrow_bytes;
  int64_t duration_us;
  int32_t attempts;           // requests that a part took; 0 where the store does not tell
  int32_t already_committed;  // finished, committed, dropped: the object was there before
  const char* step;           // failed: "store_part", "commit", ...; else ""
  const char* message;        // failed: of the error; else ""
  int64_t error;              // failed: its kind; else TAILRACE_OK
  int64_t encoded_rows;       // how far the write is: what a state had included
  int64_t stored_bytes;
  int64_t stored_parts;
} tailrace_event;

// Called by the thread that calls the library or by threads of the library, one event of a writer at a time, those of
// several writers at the same time. It should return soon, and must not call into the writer that it is told about. The
// library goes on whatever it does; it must not throw and must not end by longjmp.
typedef void (*tailrace_event_callback)(void* context, const tailrace_event* event);

// May be used by any number of writers and calls, from several threads. Freed before a writer that uses it, it ends
// with that writer.
typedef struct tailrace_observer tailrace_observer;

// `release` (may be NULL) is called with `context` once the callback will not be called any more. It is called as well
// where this call fails.
TAILRACE_API tailrace_kind tailrace_observer_new(tailrace_event_callback callback, void* context,
                                                 void (*release)(void* context), tailrace_observer** observer,
                                                 tailrace_error** error);
TAILRACE_API void tailrace_observer_free(tailrace_observer* observer);

#ifdef __cplusplus
}  // extern "C"
#endif
