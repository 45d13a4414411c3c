// Streams Arrow data into one Parquet object. Part of tailrace/tailrace.h, which has the rules.
#pragma once

#include "tailrace/c/arrow_abi.h"
#include "tailrace/c/events.h"
#include "tailrace/c/store.h"

#ifdef __cplusplus
extern "C" {
#endif

// A pool of threads that several writers may share. Freed before a writer that uses it, it ends with that writer.
typedef struct tailrace_executor tailrace_executor;

// `threads` from 1 to 1024.
TAILRACE_API tailrace_kind tailrace_executor_new(int32_t threads, tailrace_executor** executor, tailrace_error** error);
// Waits for what is queued and joins the threads, once no writer uses them any more.
TAILRACE_API void tailrace_executor_free(tailrace_executor* executor);

enum {
  TAILRACE_CODEC_NONE = 0,
  TAILRACE_CODEC_SNAPPY = 1,
  TAILRACE_CODEC_GZIP = 2,
  TAILRACE_CODEC_BROTLI = 3,
  TAILRACE_CODEC_ZSTD = 4,
  TAILRACE_CODEC_LZ4 = 5
};
// May an object that is already under the key be replaced at commit?
enum { TAILRACE_OVERWRITE = 0, TAILRACE_FAIL_IF_EXISTS = 1, TAILRACE_FAIL_IF_EXISTS_ATOMICALLY = 2 };
// How a file below inline_max_bytes that never handed out a state is kept between close and commit: its bytes travel in
// the pending commit, or it is an upload as any.
enum { TAILRACE_SMALL_FILES_INLINE = 0, TAILRACE_SMALL_FILES_UPLOAD = 1 };

// What a checkpoint does with the row group that is open.
enum {
  TAILRACE_CHECKPOINT_AS_STATE = 0,  // of tailrace_resume_options alone: as the state says
  TAILRACE_CHECKPOINT_FLUSH = 1,     // ends it
  TAILRACE_CHECKPOINT_CARRY = 2  // leaves it open, and the state holds its rows, up to carry_max_bytes; else ends it
};

// Which encodings a column chunk may get, by the readers that must understand them.
enum {
  TAILRACE_ENCODINGS_PORTABLE = 0,  // plain and dictionary, which every reader knows
  TAILRACE_ENCODINGS_SPARK = 1,     // and the delta family
  TAILRACE_ENCODINGS_ALL = 2        // and byte-stream-split
};
// The newest types and encodings that readers of this version of the format know.
enum { TAILRACE_PARQUET_2_6 = 0, TAILRACE_PARQUET_2_4 = 1, TAILRACE_PARQUET_1_0 = 2 };
// What becomes of text that is not UTF-8: it is refused with its batch, or all text columns are written as bytes.
enum { TAILRACE_TEXT_REFUSE = 0, TAILRACE_TEXT_BINARY = 1 };
enum { TAILRACE_DICTIONARY_AS_FILE = 0, TAILRACE_DICTIONARY_ON = 1, TAILRACE_DICTIONARY_OFF = 2 };

// What one leaf column has different from the others.
typedef struct tailrace_column_options {
  size_t struct_size;
  const char* path;               // required; in the Parquet schema, dotted: "id", "tags.list.element"
  int32_t dictionary;             // TAILRACE_DICTIONARY_...
  int32_t bloom_filter;           // not for boolean columns
  int64_t bloom_distinct_values;  // of one row group, as expected
  double bloom_false_positives;   // the share of absent values that seem to be there
} tailrace_column_options;

TAILRACE_API void tailrace_column_options_init(tailrace_column_options* options, size_t struct_size);

typedef struct tailrace_sorting_column {
  size_t struct_size;
  const char* path;  // required; of a leaf column
  int32_t descending;
  int32_t nulls_first;
} tailrace_sorting_column;

TAILRACE_API void tailrace_sorting_column_init(tailrace_sorting_column* column, size_t struct_size);

// Decides the bytes of the file and travels in states.
typedef struct tailrace_file_options {
  size_t struct_size;
  int32_t codec;              // TAILRACE_CODEC_...
  int32_t codec_level;        // ignored by codecs without levels
  int32_t statistics;         // min, max, null count of each column chunk
  int32_t page_index;         // column and offset indexes; needs statistics
  int64_t row_group_bytes;    // of Arrow data: a row group ends at the first row that reaches it ...
  int64_t row_group_rows;     // ... or after this many rows
  int32_t adaptive;           // each column chunk gets the encoding, and the codec or none, that its values deserve
  int32_t encodings;          // TAILRACE_ENCODINGS_...
  int32_t dictionary;         // dictionary encoding may be used
  int32_t parquet_version;    // TAILRACE_PARQUET_...
  int32_t data_page_version;  // 1 or 2
  int32_t text_not_utf8;      // TAILRACE_TEXT_...
  int64_t page_bytes;         // a page is closed once its values reach it
  const tailrace_column_options* const* columns;          // ..., NULL
  const tailrace_sorting_column* const* sorting_columns;  // ..., NULL; recorded for readers, not checked
  const char* const* key_value_metadata;                  // key, value, key, value, ..., NULL
  int64_t part_size_bytes;                                // of every part but the last, unless they grow
  int32_t overwrite;                                      // TAILRACE_OVERWRITE, TAILRACE_FAIL_IF_EXISTS...
  int32_t small_files;                                    // TAILRACE_SMALL_FILES_...
  int64_t inline_max_bytes;
  int64_t carry_max_bytes;  // of compressed rows in a state; beyond, nothing is kept until the next row group
  int64_t checkpoint_mode;  // TAILRACE_CHECKPOINT_FLUSH or TAILRACE_CHECKPOINT_CARRY, which costs CPU time
  int64_t expected_bytes;   // about the size of the file, for which parts are made long enough; 0: not known
  int64_t growing_parts;    // parts get longer with their number; not on stores that want equal parts
} tailrace_file_options;

TAILRACE_API void tailrace_file_options_init(tailrace_file_options* options, size_t struct_size);

// What tailrace_writer_free does with an upload that was neither closed nor aborted.
enum {
  TAILRACE_ON_ERROR_AUTO = 0,  // abort it unless a state was handed out or it was resumed
  TAILRACE_ON_ERROR_ABORT = 1,
  TAILRACE_ON_ERROR_KEEP = 2
};

// Does not change a byte of the file; given anew by each process.
typedef struct tailrace_runtime_options {
  size_t struct_size;
  tailrace_executor* executor;  // NULL: the writer makes up to parts_in_flight + encode_threads threads for itself
  int64_t memory_budget_bytes;
  int32_t parts_in_flight;
  int32_t on_error;             // TAILRACE_ON_ERROR_...
  int64_t encode_threads;       // most that encode at the same time; 0: as many as there are CPUs for this process
  tailrace_observer* observer;  // NULL: nobody is told what happens
} tailrace_runtime_options;

TAILRACE_API void tailrace_runtime_options_init(tailrace_runtime_options* options, size_t struct_size);

typedef struct tailrace_resume_options {
  size_t struct_size;
  const char* key;          // with `retarget`: the key in the store that is given; NULL: the store's own
  int32_t retarget;         // the store may differ from the one that the state names
  int32_t verify;           // local store: read the stored parts back first
  int64_t checkpoint_mode;  // TAILRACE_CHECKPOINT_..., from here on
} tailrace_resume_options;

TAILRACE_API void tailrace_resume_options_init(tailrace_resume_options* options, size_t struct_size);

// Writes one Parquet file as a transaction: nothing is visible under the key until a pending commit is committed or a
// state is finished. After TAILRACE_INVALID or TAILRACE_LIMIT of a write the batch was refused as a whole and the
// writer goes on as if it had not been offered; any other error stays: every later call gives it again, nothing more is
// published, and the last state taken is still good.
typedef struct tailrace_writer tailrace_writer;

// `key` NULL: the store's own. Takes `schema` over: a struct type, whose fields are the columns. Sends no request.
TAILRACE_API tailrace_kind tailrace_writer_open(const tailrace_store* store, const char* key,
                                                struct ArrowSchema* schema, const tailrace_file_options* options,
                                                const tailrace_runtime_options* runtime, tailrace_writer** writer,
                                                tailrace_error** error);
// Goes on writing the same file after the rows of `state`. `store` NULL: the state's, with default options. Looks at
// the key first: TAILRACE_FENCED (tailrace_error_rows says at which row the write was finished elsewhere),
// TAILRACE_PRECONDITION with tailrace_error_already_committed; else TAILRACE_UPLOAD_GONE, TAILRACE_WRITER_ALIVE.
TAILRACE_API tailrace_kind tailrace_writer_resume(const tailrace_state* state, const tailrace_store* store,
                                                  const tailrace_resume_options* options,
                                                  const tailrace_runtime_options* runtime, tailrace_writer** writer,
                                                  tailrace_error** error);

// Writes the rows of `batch`, a struct array without nulls of its own whose children are the columns. `batch` is taken
// over; so is `schema`, the type of the batch, or NULL where it is the one the writer was opened with. Blocks while the
// memory budget is used up.
TAILRACE_API tailrace_kind tailrace_writer_write(tailrace_writer* writer, struct ArrowArray* batch,
                                                 struct ArrowSchema* schema, tailrace_error** error);
// Reads `stream` to its end, batch by batch, and releases it. After a failure tailrace_writer_rows tells how many rows
// were taken.
TAILRACE_API tailrace_kind tailrace_writer_write_stream(tailrace_writer* writer, struct ArrowArrayStream* stream,
                                                        tailrace_error** error);
// Ends the row group or carries its rows, as checkpoint_mode of the options says, waits until all full parts are stored
// and durable, and gives the state.
TAILRACE_API tailrace_kind tailrace_writer_checkpoint(tailrace_writer* writer, tailrace_state** state,
                                                      tailrace_error** error);
// The same with a mode of its own. TAILRACE_INVALID for TAILRACE_CHECKPOINT_CARRY where the options say flush: the rows
// were not kept.
TAILRACE_API tailrace_kind tailrace_writer_checkpoint_as(tailrace_writer* writer, int32_t checkpoint_mode,
                                                         tailrace_state** state, tailrace_error** error);
// Uploads everything and gives the upload up, with its lock. The writer is done afterwards, and still to be freed.
TAILRACE_API tailrace_kind tailrace_writer_close(tailrace_writer* writer, tailrace_pending** pending,
                                                 tailrace_error** error);
// Drops the upload; states taken from this writer are void. The writer is done afterwards, and still to be freed.
TAILRACE_API tailrace_kind tailrace_writer_abort(tailrace_writer* writer, tailrace_error** error);

// Fills `schema` with the columns of the writer; the caller releases it.
TAILRACE_API tailrace_kind tailrace_writer_schema(const tailrace_writer* writer, struct ArrowSchema* schema,
                                                  tailrace_error** error);
// Rows taken so far, those of the resumed state included.
TAILRACE_API int64_t tailrace_writer_rows(const tailrace_writer* writer);
// Rows of the last state handed out or resumed from: a source may forget everything before.
TAILRACE_API int64_t tailrace_writer_durable_rows(const tailrace_writer* writer);
// What a person should know about a resume that works all the same. `index` from 0; NULL beyond the last.
TAILRACE_API size_t tailrace_writer_warning_count(const tailrace_writer* writer);
TAILRACE_API const char* tailrace_writer_warning(const tailrace_writer* writer, size_t index);
// Stops background work, then does what on_error says with an upload that is still open. Never publishes.
TAILRACE_API void tailrace_writer_free(tailrace_writer* writer);

#ifdef __cplusplus
}  // extern "C"
#endif
