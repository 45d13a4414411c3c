// tailrace for every language that can call C: C99, opaque handles, Arrow data through the Arrow C Data interface.
// docs/guide/c.md introduces it with an example; what the words mean (state, pending commit, finish) is in docs/design.
//
// Link with libtailrace.so, which exports what is declared here and nothing else.
//
// CALLS. A function that can fail returns TAILRACE_OK (0) or the kind of its error, and puts the error itself into
// *error, which the caller frees. `error` may be NULL; then only the kind is known. *error is set by every call: to
// NULL by one that succeeds. Out parameters that are handles are NULL after a failure. No exception and no signal
// crosses this border; a call never ends the process. Handles that a call needs, and strings said to be required, must
// not be NULL: that is TAILRACE_INVALID. The accessors, which return a value directly, give 0, NULL or "" for a NULL
// handle.
//
// OWNERSHIP. A handle belongs to the caller and is given back by its tailrace_..._free, which accepts NULL. Strings and
// bytes that a function returns belong to the handle they were asked of, and live as long. Strings and bytes that are
// passed in are copied before the call returns. Arrow structs that are passed in are moved: the library releases them,
// also when the call fails, and leaves `release` NULL in the caller's struct, so that the caller has nothing to do.
// Their buffers are used where they lie, until the rows are encoded; so a release callback may come later and from
// another thread, and never comes twice. Handles may be freed in any order: what one needs of another it keeps alive.
//
// THREADS. Errors, bytes, states, pending commits, commit infos, stores, executors and observers may be used by several
// threads at once, and are freed by one when the others are done. A writer is used by one thread at a time; it need not
// always be the same. After fork() the child must not touch a handle of its parent but ends by exec or _exit; handles
// that it makes itself are its own.
//
// STRUCTS begin with their size, as the caller was compiled. Call the struct's _init function, which writes the size
// and the defaults, then set what should differ:
//
//   tailrace_file_options options;
//   tailrace_file_options_init(&options, sizeof options);
//   options.codec = TAILRACE_CODEC_SNAPPY;
//
// An older caller's struct is shorter: the fields that it lacks have their defaults. A newer caller's is longer: what
// the library does not know must be zero bytes, else the call is refused (TAILRACE_INVALID), not misread. New fields
// are only appended, in multiples of 8 bytes, and no struct has padding. A NULL pointer to an options struct means all
// defaults; a NULL string means that option's default. Booleans are 0 or 1. Times are microseconds since 1970-01-01
// UTC.
#pragma once

#include "tailrace/c/arrow_abi.h"  // IWYU pragma: export
#include "tailrace/c/commit.h"     // IWYU pragma: export
#include "tailrace/c/error.h"      // IWYU pragma: export
#include "tailrace/c/events.h"     // IWYU pragma: export
#include "tailrace/c/store.h"      // IWYU pragma: export
#include "tailrace/c/writer.h"     // IWYU pragma: export
