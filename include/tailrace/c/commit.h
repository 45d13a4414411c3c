// States and pending commits, and finish, commit and abort from them. Part of tailrace/tailrace.h, which has the rules.
#pragma once

#include "tailrace/c/events.h"
#include "tailrace/c/store.h"

#ifdef __cplusplus
extern "C" {
#endif

// Which of the two some bytes are: *is_pending is 0 for a state, 1 for a pending commit. TAILRACE_BAD_STATE: neither.
TAILRACE_API tailrace_kind tailrace_kind_of_blob(const uint8_t* data, size_t size, int32_t* is_pending,
                                                 tailrace_error** error);

// A checkpoint: any process finishes, resumes or aborts the write from it.
// TAILRACE_BAD_STATE names the field of truncated, altered or gapped bytes; TAILRACE_STATE_TOO_NEW for a newer format.
TAILRACE_API tailrace_kind tailrace_state_from_bytes(const uint8_t* data, size_t size, tailrace_state** state,
                                                     tailrace_error** error);
TAILRACE_API tailrace_kind tailrace_state_to_bytes(const tailrace_state* state, tailrace_bytes** bytes,
                                                   tailrace_error** error);
// A JSON object, as text; docs/guide/c.md lists its members.
TAILRACE_API tailrace_kind tailrace_state_describe(const tailrace_state* state, tailrace_bytes** json,
                                                   tailrace_error** error);
TAILRACE_API int64_t tailrace_state_rows(const tailrace_state* state);
// How often the write was resumed.
TAILRACE_API int64_t tailrace_state_epoch(const tailrace_state* state);
TAILRACE_API const char* tailrace_state_url(const tailrace_state* state);
TAILRACE_API const char* tailrace_state_key(const tailrace_state* state);
TAILRACE_API const char* tailrace_state_write_id(const tailrace_state* state);
TAILRACE_API void tailrace_state_free(tailrace_state* state);

// A closed file that waits for its commit.
TAILRACE_API tailrace_kind tailrace_pending_from_bytes(const uint8_t* data, size_t size, tailrace_pending** pending,
                                                       tailrace_error** error);
TAILRACE_API tailrace_kind tailrace_pending_to_bytes(const tailrace_pending* pending, tailrace_bytes** bytes,
                                                     tailrace_error** error);
TAILRACE_API tailrace_kind tailrace_pending_describe(const tailrace_pending* pending, tailrace_bytes** json,
                                                     tailrace_error** error);
TAILRACE_API int64_t tailrace_pending_rows(const tailrace_pending* pending);
TAILRACE_API int64_t tailrace_pending_size_bytes(const tailrace_pending* pending);
TAILRACE_API const char* tailrace_pending_url(const tailrace_pending* pending);
TAILRACE_API const char* tailrace_pending_key(const tailrace_pending* pending);
TAILRACE_API const char* tailrace_pending_write_id(const tailrace_pending* pending);
TAILRACE_API void tailrace_pending_free(tailrace_pending* pending);

typedef struct tailrace_commit_options {
  size_t struct_size;
  const char* key;              // with `retarget`: the key in the store that is given; NULL: the store's own
  int32_t retarget;             // the store may differ from the one that the value names
  int32_t force;                // a small file's commit replaces an object that is newer than the write
  int64_t verify;               // local store: read stored parts back before they are published
  int64_t settle_timeout_ms;    // how long to look for the object after a lost answer
  tailrace_observer* observer;  // NULL: nobody is told what happens
} tailrace_commit_options;

TAILRACE_API void tailrace_commit_options_init(tailrace_commit_options* options, size_t struct_size);

typedef struct tailrace_commit_info tailrace_commit_info;

// Uploads the tail of the state and completes: the object then has exactly the rows of the state. TAILRACE_OK only when
// the object is known to be there, whole and ours; otherwise tailrace_error_outcome says what is known, and a failure
// does NOT prove that nothing was published. Safe to repeat and to race. `store` NULL: the state's, with default
// options. `info` may be NULL.
TAILRACE_API tailrace_kind tailrace_finish(const tailrace_state* state, const tailrace_store* store,
                                           const tailrace_commit_options* options, tailrace_commit_info** info,
                                           tailrace_error** error);
// Makes a closed file visible. The same promises as tailrace_finish.
TAILRACE_API tailrace_kind tailrace_commit(const tailrace_pending* pending, const tailrace_store* store,
                                           const tailrace_commit_options* options, tailrace_commit_info** info,
                                           tailrace_error** error);

// Drops the upload of a write. *already_committed is 1 where the object of this write is there and nothing was aborted,
// else 0: the upload is gone now. Safe to repeat. `already_committed` may be NULL.
TAILRACE_API tailrace_kind tailrace_abort_state(const tailrace_state* state, const tailrace_store* store,
                                                const tailrace_commit_options* options, int32_t* already_committed,
                                                tailrace_error** error);
TAILRACE_API tailrace_kind tailrace_abort_pending(const tailrace_pending* pending, const tailrace_store* store,
                                                  const tailrace_commit_options* options, int32_t* already_committed,
                                                  tailrace_error** error);

TAILRACE_API int64_t tailrace_commit_info_size_bytes(const tailrace_commit_info* info);
TAILRACE_API int64_t tailrace_commit_info_rows(const tailrace_commit_info* info);
// Empty where the store has none.
TAILRACE_API const char* tailrace_commit_info_etag(const tailrace_commit_info* info);
// 1 where the object was there, whole and ours, before this call did anything.
TAILRACE_API int32_t tailrace_commit_info_already_committed(const tailrace_commit_info* info);
TAILRACE_API void tailrace_commit_info_free(tailrace_commit_info* info);

#ifdef __cplusplus
}  // extern "C"
#endif
