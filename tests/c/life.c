// One process in the life of a write, driven by test_life.py; each step is a command.
#include <signal.h>

#include "check.h"
#include "guide_examples.h"
#include "rows.h"

static void save(const char* path, const tailrace_bytes* bytes) {
  FILE* file = fopen(path, "wb");
  CHECK(file != NULL);
  CHECK(fwrite(tailrace_bytes_data(bytes), 1, tailrace_bytes_size(bytes), file) == tailrace_bytes_size(bytes));
  CHECK(fclose(file) == 0);
}

static unsigned char* load(const char* path, size_t* size) {
  FILE* file = fopen(path, "rb");
  CHECK(file != NULL);
  CHECK(fseek(file, 0, SEEK_END) == 0);
  *size = (size_t)ftell(file);
  rewind(file);
  unsigned char* data = malloc(*size + 1);
  CHECK(fread(data, 1, *size, file) == *size);
  fclose(file);
  return data;
}

static tailrace_state* load_state(const char* path) {
  size_t size = 0;
  unsigned char* data = load(path, &size);
  tailrace_state* state = NULL;
  CHECK_OK(tailrace_state_from_bytes(data, size, &state, &error));
  free(data);
  return state;
}

static tailrace_pending* load_pending(const char* path) {
  size_t size = 0;
  unsigned char* data = load(path, &size);
  tailrace_pending* pending = NULL;
  CHECK_OK(tailrace_pending_from_bytes(data, size, &pending, &error));
  free(data);
  return pending;
}

static void write_rows(tailrace_writer* writer, int64_t begin, int64_t end, int64_t batch_rows) {
  for (int64_t row = begin; row < end; row += batch_rows) {
    struct ArrowArray batch;
    rows_batch(row, row + batch_rows < end ? row + batch_rows : end, &batch, NULL);
    CHECK_OK(tailrace_writer_write(writer, &batch, NULL, &error));
    CHECK(batch.release == NULL);
  }
  CHECK(tailrace_writer_rows(writer) == end);
}

static tailrace_writer* open_writer(const char* url, int32_t checkpoint_mode) {
  tailrace_store* store = NULL;
  CHECK_OK(tailrace_store_open(url, NULL, &store, &error));
  tailrace_file_options options;
  tailrace_file_options_init(&options, sizeof options);
  options.part_size_bytes = 64 << 10;
  options.codec = TAILRACE_CODEC_NONE;
  options.checkpoint_mode = checkpoint_mode;
  options.carry_max_bytes = 1 << 20;
  const char* const metadata[] = {"made.by", "a C program", NULL};
  options.key_value_metadata = metadata;
  struct ArrowSchema schema;
  rows_schema(&schema);
  tailrace_writer* writer = NULL;
  CHECK_OK(tailrace_writer_open(store, NULL, &schema, &options, NULL, &writer, &error));
  CHECK(schema.release == NULL);
  // The writer keeps what it needs of the store.
  tailrace_store_free(store);
  return writer;
}

// Leaves a state of 20,000 rows, and dies without a word 5,000 rows later.
static void write_and_die(const char* url, const char* path, int32_t checkpoint_mode) {
  tailrace_writer* writer = open_writer(url, checkpoint_mode);
  write_rows(writer, 0, 5000, 999);
  tailrace_state* state = NULL;
  CHECK_OK(tailrace_writer_checkpoint_as(writer, TAILRACE_CHECKPOINT_FLUSH, &state, &error));
  tailrace_state_free(state);
  write_rows(writer, 5000, 20000, 999);
  CHECK_FAILS(TAILRACE_INVALID, "checkpoint_mode",
              tailrace_writer_checkpoint_as(writer, TAILRACE_CHECKPOINT_AS_STATE, &state, &error));
  if (checkpoint_mode == TAILRACE_CHECKPOINT_FLUSH) {
    CHECK_FAILS(TAILRACE_INVALID, "checkpoint_mode",
                tailrace_writer_checkpoint_as(writer, TAILRACE_CHECKPOINT_CARRY, &state, &error));
  }
  CHECK_OK(tailrace_writer_checkpoint(writer, &state, &error));
  CHECK(tailrace_state_rows(state) == 20000 && tailrace_writer_durable_rows(writer) == 20000);
  tailrace_bytes* bytes = NULL;
  CHECK_OK(tailrace_state_to_bytes(state, &bytes, &error));
  save(path, bytes);
  write_rows(writer, 20000, 25000, 1000);
  raise(SIGKILL);
}

static void resume(const char* path, const char* pending_path) {
  tailrace_state* state = load_state(path);
  tailrace_writer* writer = NULL;
  CHECK_OK(tailrace_writer_resume(state, NULL, NULL, NULL, &writer, &error));
  CHECK(tailrace_writer_rows(writer) == tailrace_state_rows(state));
  CHECK(tailrace_writer_durable_rows(writer) == tailrace_state_rows(state));
  CHECK(tailrace_writer_warning_count(writer) == 0 && tailrace_writer_warning(writer, 0) == NULL);
  struct ArrowSchema schema;
  CHECK_OK(tailrace_writer_schema(writer, &schema, &error));
  CHECK(schema.n_children == 2 && strcmp(schema.children[1]->name, "name") == 0);
  schema.release(&schema);
  write_rows(writer, tailrace_state_rows(state), 50000, 1234);
  tailrace_pending* pending = NULL;
  CHECK_OK(tailrace_writer_close(writer, &pending, &error));
  CHECK(tailrace_pending_rows(pending) == 50000);
  CHECK(strcmp(tailrace_pending_write_id(pending), tailrace_state_write_id(state)) == 0);
  tailrace_bytes* bytes = NULL;
  CHECK_OK(tailrace_pending_to_bytes(pending, &bytes, &error));
  save(pending_path, bytes);
  tailrace_bytes_free(bytes);
  tailrace_pending_free(pending);
  tailrace_writer_free(writer);
  tailrace_state_free(state);
}

static void commit(const char* path) {
  tailrace_pending* pending = load_pending(path);
  for (int again = 0; again < 2; ++again) {
    tailrace_commit_info* info = NULL;
    CHECK_OK(tailrace_commit(pending, NULL, NULL, &info, &error));
    CHECK(tailrace_commit_info_rows(info) == tailrace_pending_rows(pending));
    CHECK(tailrace_commit_info_size_bytes(info) == tailrace_pending_size_bytes(pending));
    CHECK(tailrace_commit_info_etag(info) != NULL);
    CHECK(tailrace_commit_info_already_committed(info) == again);
    tailrace_commit_info_free(info);
  }
  int32_t already_committed = 0;
  CHECK_OK(tailrace_abort_pending(pending, NULL, NULL, &already_committed, &error));
  CHECK(already_committed == 1);
  tailrace_pending_free(pending);
}

static void finish(const char* path) {
  tailrace_state* state = load_state(path);
  tailrace_store* store = NULL;
  CHECK_OK(tailrace_store_open_for_state(state, NULL, &store, &error));
  CHECK(strcmp(tailrace_store_key(store), tailrace_state_key(state)) == 0);
  tailrace_commit_info* info = NULL;
  CHECK_OK(tailrace_finish(state, store, NULL, &info, &error));
  CHECK(tailrace_commit_info_rows(info) == tailrace_state_rows(state));
  tailrace_commit_info_free(info);
  tailrace_store_free(store);
  tailrace_state_free(state);
}

static void abort_write(const char* path) {
  tailrace_state* state = load_state(path);
  for (int again = 0; again < 2; ++again) {
    int32_t already_committed = 1;
    CHECK_OK(tailrace_abort_state(state, NULL, NULL, &already_committed, &error));
    CHECK(already_committed == 0);
  }
  tailrace_state_free(state);
}

// Prints what describe says of a file of either kind.
static void describe(const char* path) {
  size_t size = 0;
  unsigned char* data = load(path, &size);
  int32_t is_pending = -1;
  CHECK_OK(tailrace_kind_of_blob(data, size, &is_pending, &error));
  free(data);
  tailrace_bytes* json = NULL;
  if (is_pending) {
    tailrace_pending* pending = load_pending(path);
    CHECK_OK(tailrace_pending_describe(pending, &json, &error));
    tailrace_pending_free(pending);
  } else {
    tailrace_state* state = load_state(path);
    CHECK_OK(tailrace_state_describe(state, &json, &error));
    tailrace_state_free(state);
  }
  CHECK(strlen((const char*)tailrace_bytes_data(json)) == tailrace_bytes_size(json));
  puts((const char*)tailrace_bytes_data(json));
  tailrace_bytes_free(json);
}

// The example of the guide, on 3,000 rows.
static void stream(const char* url) {
  struct ArrowArrayStream rows;
  int released = 0;
  rows_stream(0, 3000, 700, &rows, &released);
  CHECK(write_all(&rows, url) == 0);
  CHECK(released == 1 && rows.release == NULL);
}

int main(int argc, char** argv) {
  CHECK(tailrace_abi_version() == TAILRACE_ABI_VERSION);
  CHECK(argc >= 3);
  const char* command = argv[1];
  if (strcmp(command, "write-and-die") == 0 && argc == 4) {
    write_and_die(argv[2], argv[3], TAILRACE_CHECKPOINT_FLUSH);
  } else if (strcmp(command, "carry-and-die") == 0 && argc == 4) {
    write_and_die(argv[2], argv[3], TAILRACE_CHECKPOINT_CARRY);
  } else if (strcmp(command, "resume") == 0 && argc == 4) {
    resume(argv[2], argv[3]);
  } else if (strcmp(command, "commit") == 0) {
    commit(argv[2]);
  } else if (strcmp(command, "finish") == 0) {
    finish(argv[2]);
  } else if (strcmp(command, "abort") == 0) {
    abort_write(argv[2]);
  } else if (strcmp(command, "describe") == 0) {
    describe(argv[2]);
  } else if (strcmp(command, "stream") == 0) {
    stream(argv[2]);
  } else {
    fprintf(stderr, "unknown command %s\n", command);
    return 2;
  }
  return 0;
}
