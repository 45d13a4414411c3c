// Version, errors, and the bytes that the library hands out. Part of tailrace/tailrace.h, which has the rules.
#pragma once

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define TAILRACE_API __attribute__((visibility("default")))
#else
#define TAILRACE_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

// What this header declares. It grows when something is removed or changes its meaning, together with the number in the
// library's name (libtailrace.so.1); functions and fields that are only added leave it as it is.
#define TAILRACE_ABI_VERSION 1

// Of the library that is loaded; compare it with TAILRACE_ABI_VERSION where the library is loaded by hand.
TAILRACE_API int32_t tailrace_abi_version(void);
// "0.1.0". Static.
TAILRACE_API const char* tailrace_library_version(void);

// The kind of an error, grouped by what the caller can do about it. Values are never renumbered; a caller treats those
// that it does not know as TAILRACE_INTERNAL.
typedef int32_t tailrace_kind;
enum {
  TAILRACE_OK = 0,
  TAILRACE_INVALID = 1,           // the input, an option or a call is wrong; repeating it cannot help
  TAILRACE_NOT_FOUND = 2,         // a folder, object or file that must be there is absent
  TAILRACE_DENIED = 3,            // rights are missing
  TAILRACE_THROTTLED = 4,         // the store asks to slow down
  TAILRACE_TRANSIENT = 5,         // may go away by itself: I/O error, time-out, reset
  TAILRACE_NO_SPACE = 6,          // the store's disk or quota is full
  TAILRACE_PRECONDITION = 7,      // another object is under the key and the policy forbids replacing it
  TAILRACE_LIMIT = 8,             // a limit of the store, the format or the options is reached; names limit and setting
  TAILRACE_UPLOAD_GONE = 9,       // the upload expired, was aborted, or was completed by somebody
  TAILRACE_PART_MISMATCH = 10,    // the store refused a part: absent, or other content
  TAILRACE_FENCED = 11,           // another writer of the same write won, or replaced a part of ours
  TAILRACE_WRITER_ALIVE = 12,     // a live process holds the upload
  TAILRACE_OUTCOME_UNKNOWN = 13,  // rights or answers are missing to tell whether the commit happened
  TAILRACE_BAD_STATE = 14,        // a state or pending commit is damaged or is for another target
  TAILRACE_STATE_TOO_NEW = 15,    // ... was written by a newer format
  TAILRACE_CANCELLED = 16,        // stopped on request
  TAILRACE_INTERNAL = 17          // a bug here or in a dependency, or no memory
};
// "fenced", "upload gone", ...: stable. "ok" for TAILRACE_OK, "unknown kind" for others. Static.
TAILRACE_API const char* tailrace_kind_name(tailrace_kind kind);

// What is known about the object after tailrace_finish or tailrace_commit.
typedef int32_t tailrace_outcome;
enum {
  TAILRACE_OUTCOME_IS_COMMITTED = 0,  // the object is there, whole and ours
  TAILRACE_OUTCOME_IS_RETRY = 1,      // not done, nothing is lost: call again later
  TAILRACE_OUTCOME_IS_GONE = 2,    // the upload expired or was aborted; what is under the key, if anything, is not ours
  TAILRACE_OUTCOME_IS_FENCED = 3,  // same write, other content: finished elsewhere, or a part was replaced
  TAILRACE_OUTCOME_IS_UNKNOWN = 4  // rights or answers are missing to tell; the value stays good
};
// "committed", "retry", ...: stable. Static.
TAILRACE_API const char* tailrace_outcome_name(tailrace_outcome outcome);

typedef struct tailrace_error tailrace_error;

TAILRACE_API tailrace_kind tailrace_error_kind(const tailrace_error* error);
// Of an error that tailrace_finish or tailrace_commit gave. Decide by this and by the kind, never by the message.
TAILRACE_API tailrace_outcome tailrace_error_outcome(const tailrace_error* error);
// For people: names the thing, the limit, the setting; never holds a credential.
TAILRACE_API const char* tailrace_error_message(const tailrace_error* error);
// Of TAILRACE_FENCED: the rows of the object that won; -1 where that is not known.
TAILRACE_API int64_t tailrace_error_rows(const tailrace_error* error);
// The part that TAILRACE_PART_MISMATCH or TAILRACE_FENCED is about, from 1; 0 where it is about none.
TAILRACE_API int32_t tailrace_error_part(const tailrace_error* error);
// 1 where tailrace_writer_resume found that this very write was closed and committed: nothing is left to do.
TAILRACE_API int32_t tailrace_error_already_committed(const tailrace_error* error);
TAILRACE_API void tailrace_error_free(tailrace_error* error);

typedef struct tailrace_bytes tailrace_bytes;

// The byte behind the last one is 0, so that text can be used as a string. Never NULL but for a NULL handle.
TAILRACE_API const uint8_t* tailrace_bytes_data(const tailrace_bytes* bytes);
TAILRACE_API size_t tailrace_bytes_size(const tailrace_bytes* bytes);
TAILRACE_API void tailrace_bytes_free(tailrace_bytes* bytes);

#ifdef __cplusplus
}  // extern "C"
#endif
