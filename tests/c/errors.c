// What fails, and how, through the C interface: kinds, messages, facts, and who owns what afterwards. The only argument
// is an empty folder.
#include "check.h"
#include "rows.h"

static char folder[4096];

static const char* url_of(const char* name) {
  static char url[4400];
  snprintf(url, sizeof url, "file://%s/%s", folder, name);
  return url;
}

static tailrace_store* open_store(const char* name) {
  tailrace_store* store = NULL;
  CHECK_OK(tailrace_store_open(url_of(name), NULL, &store, &error));
  return store;
}

static tailrace_writer* open_writer(const tailrace_store* store, const tailrace_file_options* options) {
  struct ArrowSchema schema;
  rows_schema(&schema);
  tailrace_writer* writer = NULL;
  CHECK_OK(tailrace_writer_open(store, NULL, &schema, options, NULL, &writer, &error));
  return writer;
}

static void write_rows(tailrace_writer* writer, int64_t begin, int64_t end) {
  struct ArrowArray batch;
  rows_batch(begin, end, &batch, NULL);
  CHECK_OK(tailrace_writer_write(writer, &batch, NULL, &error));
}

static tailrace_state* checkpoint(tailrace_writer* writer) {
  tailrace_state* state = NULL;
  CHECK_OK(tailrace_writer_checkpoint(writer, &state, &error));
  return state;
}

static tailrace_pending* close_writer(tailrace_writer* writer) {
  tailrace_pending* pending = NULL;
  CHECK_OK(tailrace_writer_close(writer, &pending, &error));
  return pending;
}

// A state of 1,000 rows whose writer is gone.
static tailrace_state* make_state(const char* name) {
  tailrace_store* store = open_store(name);
  tailrace_writer* writer = open_writer(store, NULL);
  write_rows(writer, 0, 1000);
  tailrace_state* state = checkpoint(writer);
  tailrace_writer_free(writer);
  tailrace_store_free(store);
  return state;
}

static void write_whole(const char* name) {
  tailrace_store* store = open_store(name);
  tailrace_writer* writer = open_writer(store, NULL);
  write_rows(writer, 0, 10);
  tailrace_pending* pending = close_writer(writer);
  CHECK_OK(tailrace_commit(pending, store, NULL, NULL, &error));
  tailrace_pending_free(pending);
  tailrace_writer_free(writer);
  tailrace_store_free(store);
}

static void opening_stores(void) {
  tailrace_store* store = (tailrace_store*)&folder;
  CHECK_FAILS(TAILRACE_INVALID, "gopher", tailrace_store_open("gopher://x/y", NULL, &store, &error));
  CHECK(store == NULL);
  CHECK_FAILS(TAILRACE_INVALID, "url is NULL", tailrace_store_open(NULL, NULL, &store, &error));
  CHECK_FAILS(TAILRACE_INVALID, "NULL", tailrace_store_open(url_of("f"), NULL, NULL, &error));
  CHECK_FAILS(TAILRACE_INVALID, "NULL", tailrace_store_open_for_state(NULL, NULL, &store, &error));
  CHECK_FAILS(TAILRACE_INVALID, "NULL", tailrace_store_open_for_pending(NULL, NULL, &store, &error));
  // Without a place for the error the kind alone comes back.
  CHECK(tailrace_store_open("gopher://x/y", NULL, &store, NULL) == TAILRACE_INVALID);
}

// Whatever is missing or wrong, the Arrow structs are released.
static void opening_writers(void) {
  tailrace_store* store = open_store("f");
  tailrace_writer* writer = (tailrace_writer*)&folder;
  struct ArrowSchema schema;
  rows_schema(&schema);
  CHECK_FAILS(TAILRACE_INVALID, "store is NULL",
              tailrace_writer_open(NULL, NULL, &schema, NULL, NULL, &writer, &error));
  CHECK(writer == NULL && schema.release == NULL);
  CHECK_FAILS(TAILRACE_INVALID, "schema", tailrace_writer_open(store, NULL, &schema, NULL, NULL, &writer, &error));
  CHECK_FAILS(TAILRACE_INVALID, "schema", tailrace_writer_open(store, NULL, NULL, NULL, NULL, &writer, &error));
  rows_schema(&schema);
  CHECK_FAILS(TAILRACE_INVALID, "NULL", tailrace_writer_open(store, NULL, &schema, NULL, NULL, NULL, &error));
  CHECK(schema.release == NULL);

  tailrace_file_options options;
  tailrace_file_options_init(&options, sizeof options);
  options.codec = 77;
  rows_schema(&schema);
  CHECK_FAILS(TAILRACE_INVALID, "codec is 77",
              tailrace_writer_open(store, NULL, &schema, &options, NULL, &writer, &error));
  CHECK(schema.release == NULL);
  tailrace_file_options_init(&options, sizeof options);
  options.statistics = 2;
  rows_schema(&schema);
  CHECK_FAILS(TAILRACE_INVALID, "statistics is 2",
              tailrace_writer_open(store, NULL, &schema, &options, NULL, &writer, &error));
  const char* const metadata[] = {"a", "b", "name without", NULL};
  tailrace_file_options_init(&options, sizeof options);
  options.key_value_metadata = metadata;
  rows_schema(&schema);
  CHECK_FAILS(TAILRACE_INVALID, "name without has no value",
              tailrace_writer_open(store, NULL, &schema, &options, NULL, &writer, &error));
  tailrace_file_options_init(&options, sizeof options);
  options.part_size_bytes = 0;
  rows_schema(&schema);
  CHECK_FAILS(TAILRACE_INVALID, "part_size_bytes",
              tailrace_writer_open(store, NULL, &schema, &options, NULL, &writer, &error));
  tailrace_executor* executor = NULL;
  CHECK_FAILS(TAILRACE_INVALID, "threads is 0", tailrace_executor_new(0, &executor, &error));
  CHECK_FAILS(TAILRACE_INVALID, "threads is 9999", tailrace_executor_new(9999, &executor, &error));
  CHECK(executor == NULL);
  tailrace_store_free(store);
}

static void missing_folder(void) {
  tailrace_store* store = open_store("missing/f");
  tailrace_writer* writer = NULL;
  struct ArrowSchema schema;
  rows_schema(&schema);
  CHECK_FAILS(TAILRACE_NOT_FOUND, "create_folders",
              tailrace_writer_open(store, NULL, &schema, NULL, NULL, &writer, &error));
  CHECK(writer == NULL && schema.release == NULL);
  tailrace_store_free(store);

  tailrace_store_options options;
  tailrace_store_options_init(&options, sizeof options);
  options.create_folders = 1;
  CHECK_OK(tailrace_store_open(url_of("made/f"), &options, &store, &error));
  writer = open_writer(store, NULL);
  write_rows(writer, 0, 10);
  tailrace_state_free(checkpoint(writer));
  CHECK_OK(tailrace_writer_abort(writer, &error));
  tailrace_writer_free(writer);
  tailrace_store_free(store);
}

// A batch that does not fit is refused whole, released once, and the writer goes on.
static void refused_batches(void) {
  tailrace_store* store = open_store("refused");
  tailrace_writer* writer = open_writer(store, NULL);
  struct ArrowArray batch;
  int released = 0;

  rows_batch(0, 100, &batch, &released);
  batch.children[0]->null_count = 1;
  unsigned char* valid = calloc(13, 1);
  memset(valid, 0xff, 13);
  valid[0] = 0xfe;
  batch.children[0]->buffers[0] = valid;
  CHECK_FAILS(TAILRACE_INVALID, "id", tailrace_writer_write(writer, &batch, NULL, &error));
  CHECK(released == 1 && batch.release == NULL && tailrace_writer_rows(writer) == 0);

  rows_batch(0, 100, &batch, &released);
  struct ArrowArray* second = batch.children[1];
  batch.n_children = 1;
  CHECK_FAILS(TAILRACE_INVALID, "", tailrace_writer_write(writer, &batch, NULL, &error));
  CHECK(released == 2);
  second->release(second);
  free(second);

  rows_batch(0, 100, &batch, &released);
  batch.null_count = 1;
  batch.buffers[0] = calloc(13, 1);
  CHECK_FAILS(TAILRACE_INVALID, "nulls of its own", tailrace_writer_write(writer, &batch, NULL, &error));
  CHECK(released == 3);

  struct ArrowSchema other;
  rows_schema(&other);
  other.children[0]->format = "no such format";
  rows_batch(0, 100, &batch, &released);
  CHECK_FAILS(TAILRACE_INVALID, "no such format", tailrace_writer_write(writer, &batch, &other, &error));
  CHECK(released == 4 && other.release == NULL);

  CHECK_FAILS(TAILRACE_INVALID, "released before", tailrace_writer_write(writer, &batch, NULL, &error));
  CHECK_FAILS(TAILRACE_INVALID, "NULL", tailrace_writer_write(writer, NULL, NULL, &error));
  CHECK_FAILS(TAILRACE_INVALID, "NULL", tailrace_writer_write_stream(writer, NULL, &error));
  rows_batch(0, 100, &batch, &released);
  CHECK_FAILS(TAILRACE_INVALID, "writer is NULL", tailrace_writer_write(NULL, &batch, NULL, &error));
  CHECK(released == 5);

  // With its own schema, and without: both fit.
  rows_schema(&other);
  rows_batch(0, 100, &batch, &released);
  CHECK_OK(tailrace_writer_write(writer, &batch, &other, &error));
  CHECK(other.release == NULL);
  write_rows(writer, 100, 200);
  CHECK(tailrace_writer_rows(writer) == 200);
  tailrace_pending* pending = close_writer(writer);
  CHECK(released == 6);
  tailrace_pending_free(pending);
  CHECK_FAILS(TAILRACE_INVALID, "", tailrace_writer_close(writer, &pending, &error));
  tailrace_writer_free(writer);
  tailrace_store_free(store);
}

static int fails(struct ArrowArrayStream* stream, struct ArrowArray* out) {
  (void)stream;
  (void)out;
  return 5; /* EIO */
}

static const char* reason(struct ArrowArrayStream* stream) {
  (void)stream;
  return "the source broke";
}

static void broken_stream(void) {
  tailrace_store* store = open_store("stream");
  tailrace_writer* writer = open_writer(store, NULL);
  struct ArrowArrayStream stream;
  int released = 0;
  rows_stream(0, 100, 10, &stream, &released);
  stream.get_next = fails;
  stream.get_last_error = reason;
  tailrace_error* error = NULL;
  CHECK(tailrace_writer_write_stream(writer, &stream, &error) != TAILRACE_OK);
  CHECK(strstr(tailrace_error_message(error), "the source broke") != NULL);
  tailrace_error_free(error);
  CHECK(released == 1 && stream.release == NULL && tailrace_writer_rows(writer) == 0);
  tailrace_writer_free(writer);
  tailrace_store_free(store);
}

static void existing_object(void) {
  write_whole("exists");
  tailrace_store* store = open_store("exists");
  tailrace_file_options options;
  tailrace_file_options_init(&options, sizeof options);
  options.overwrite = TAILRACE_FAIL_IF_EXISTS;
  tailrace_writer* writer = open_writer(store, &options);
  write_rows(writer, 0, 10);
  tailrace_pending* pending = close_writer(writer);
  tailrace_commit_info* info = (tailrace_commit_info*)&folder;
  CHECK_FAILS(TAILRACE_PRECONDITION, "exists", tailrace_commit(pending, store, NULL, &info, &error));
  CHECK(info == NULL);
  tailrace_pending_free(pending);
  tailrace_writer_free(writer);
  tailrace_store_free(store);
}

static void a_live_writer(void) {
  tailrace_store* store = open_store("alive");
  tailrace_writer* writer = open_writer(store, NULL);
  write_rows(writer, 0, 1000);
  tailrace_state* state = checkpoint(writer);
  CHECK_FAILS(TAILRACE_WRITER_ALIVE, "", tailrace_finish(state, NULL, NULL, NULL, &error));
  tailrace_error* error = NULL;
  CHECK(tailrace_finish(state, NULL, NULL, NULL, &error) == TAILRACE_WRITER_ALIVE);
  CHECK(tailrace_error_outcome(error) == TAILRACE_OUTCOME_IS_RETRY);
  CHECK(strcmp(tailrace_outcome_name(tailrace_error_outcome(error)), "retry") == 0);
  tailrace_error_free(error);
  // Freed without a word it keeps what a state names.
  tailrace_writer_free(writer);
  CHECK_OK(tailrace_finish(state, NULL, NULL, NULL, &error));
  tailrace_state_free(state);
  tailrace_store_free(store);
}

static void fenced_and_committed(void) {
  tailrace_state* old = make_state("fenced");
  tailrace_writer* writer = NULL;
  CHECK_OK(tailrace_writer_resume(old, NULL, NULL, NULL, &writer, &error));
  write_rows(writer, 1000, 3000);
  tailrace_state* later = checkpoint(writer);
  CHECK(tailrace_state_epoch(old) == 0 && tailrace_state_epoch(later) == 1);
  tailrace_writer_free(writer);
  CHECK_OK(tailrace_finish(later, NULL, NULL, NULL, &error));

  tailrace_error* error = NULL;
  CHECK(tailrace_finish(old, NULL, NULL, NULL, &error) == TAILRACE_FENCED);
  CHECK(tailrace_error_outcome(error) == TAILRACE_OUTCOME_IS_FENCED);
  CHECK(tailrace_error_rows(error) == 3000 && tailrace_error_part(error) == 0);
  tailrace_error_free(error);
  CHECK(tailrace_writer_resume(old, NULL, NULL, NULL, &writer, &error) == TAILRACE_FENCED);
  CHECK(writer == NULL && tailrace_error_rows(error) == 3000);
  tailrace_error_free(error);

  CHECK(tailrace_writer_resume(later, NULL, NULL, NULL, &writer, &error) != TAILRACE_OK && writer == NULL);
  tailrace_error_free(error);
  tailrace_state_free(old);
  tailrace_state_free(later);
}

static void closed_and_committed(void) {
  tailrace_store* store = open_store("closed");
  tailrace_writer* writer = open_writer(store, NULL);
  write_rows(writer, 0, 1000);
  tailrace_state* state = checkpoint(writer);
  tailrace_pending* pending = close_writer(writer);
  CHECK_OK(tailrace_commit(pending, NULL, NULL, NULL, &error));
  tailrace_writer* again = NULL;
  tailrace_error* error = NULL;
  CHECK(tailrace_writer_resume(state, NULL, NULL, NULL, &again, &error) == TAILRACE_PRECONDITION);
  CHECK(tailrace_error_already_committed(error) == 1);
  tailrace_error_free(error);
  tailrace_pending_free(pending);
  tailrace_state_free(state);
  tailrace_writer_free(writer);
  tailrace_store_free(store);
}

static void gone(void) {
  tailrace_state* state = make_state("gone");
  CHECK_OK(tailrace_abort_state(state, NULL, NULL, NULL, &error));
  tailrace_error* error = NULL;
  CHECK(tailrace_finish(state, NULL, NULL, NULL, &error) == TAILRACE_UPLOAD_GONE);
  CHECK(tailrace_error_outcome(error) == TAILRACE_OUTCOME_IS_GONE);
  tailrace_error_free(error);
  tailrace_writer* writer = NULL;
  CHECK_FAILS(TAILRACE_UPLOAD_GONE, "", tailrace_writer_resume(state, NULL, NULL, NULL, &writer, &error));
  tailrace_state_free(state);
}

static void another_target(void) {
  tailrace_state* state = make_state("here");
  tailrace_store* store = open_store("there");
  tailrace_commit_options options;
  tailrace_commit_options_init(&options, sizeof options);
  options.retarget = 1;
  options.force = 3;
  CHECK_FAILS(TAILRACE_INVALID, "force is 3", tailrace_finish(state, store, &options, NULL, &error));
  options.force = 0;
  // The upload lies beside both; only the key differs.
  CHECK_OK(tailrace_finish(state, store, &options, NULL, &error));
  tailrace_state_free(state);
  tailrace_store_free(store);
}

// CRC-64/NVME, bit by bit.
static uint64_t crc64(const unsigned char* data, size_t size) {
  uint64_t crc = ~(uint64_t)0;
  for (size_t i = 0; i < size; ++i) {
    crc ^= data[i];
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ (crc & 1 ? 0x9a6c9329ac4bc9b5ULL : 0);
  }
  return ~crc;
}

static void damaged_bytes(void) {
  tailrace_state* state = make_state("damaged");
  tailrace_bytes* bytes = NULL;
  CHECK_OK(tailrace_state_to_bytes(state, &bytes, &error));
  const size_t size = tailrace_bytes_size(bytes);
  unsigned char* copy = malloc(size);
  memcpy(copy, tailrace_bytes_data(bytes), size);
  tailrace_state* read = (tailrace_state*)&folder;
  CHECK_FAILS(TAILRACE_BAD_STATE, "", tailrace_state_from_bytes(copy, size - 1, &read, &error));
  CHECK(read == NULL);
  copy[size / 2] ^= 1;
  CHECK_FAILS(TAILRACE_BAD_STATE, "", tailrace_state_from_bytes(copy, size, &read, &error));
  CHECK_FAILS(TAILRACE_BAD_STATE, "", tailrace_state_from_bytes(NULL, 0, &read, &error));
  CHECK_FAILS(TAILRACE_INVALID, "data is NULL", tailrace_state_from_bytes(NULL, 7, &read, &error));
  tailrace_pending* pending = NULL;
  CHECK_FAILS(TAILRACE_BAD_STATE, "", tailrace_pending_from_bytes(tailrace_bytes_data(bytes), size, &pending, &error));
  int32_t is_pending = 0;
  CHECK_FAILS(TAILRACE_BAD_STATE, "", tailrace_kind_of_blob((const uint8_t*)"hello", 5, &is_pending, &error));
  // A sound envelope of format version 255: the version lies at 16, and the checksum at 8 covers all behind it.
  memcpy(copy, tailrace_bytes_data(bytes), size);
  copy[16] = 0xff;
  const uint64_t crc = crc64(copy + 16, size - 16);
  for (int i = 0; i < 8; ++i) copy[8 + i] = (unsigned char)(crc >> (8 * i));
  CHECK_FAILS(TAILRACE_STATE_TOO_NEW, "255", tailrace_state_from_bytes(copy, size, &read, &error));
  free(copy);
  CHECK_OK(tailrace_abort_state(state, NULL, NULL, NULL, &error));
  tailrace_bytes_free(bytes);
  tailrace_state_free(state);
}

static void refuse_keys(void* context, tailrace_credentials_reply* reply) {
  ++*(int*)context;
  tailrace_credentials_reply_fail(reply, TAILRACE_DENIED, "no keys today");
}

static void release_context(void* context) { ((int*)context)[1]++; }

static void credentials(void) {
  int calls_and_releases[2] = {0, 0};
  tailrace_s3_options s3;
  tailrace_s3_options_init(&s3, sizeof s3);
  s3.endpoint = "http://127.0.0.1:9";
  s3.region = "us-east-1";
  s3.credentials_callback = refuse_keys;
  s3.credentials_context = calls_and_releases;
  s3.credentials_release = release_context;
  tailrace_store_options options;
  tailrace_store_options_init(&options, sizeof options);
  options.s3 = &s3;
  tailrace_store* store = NULL;
  CHECK_OK(tailrace_store_open("s3://bucket/key", &options, &store, &error));
  CHECK(strcmp(tailrace_store_key(store), "key") == 0);
  CHECK(calls_and_releases[0] == 0);
  tailrace_writer* writer = open_writer(store, NULL);
  write_rows(writer, 0, 10);
  tailrace_state* state = NULL;
  CHECK_FAILS(TAILRACE_DENIED, "no keys today", tailrace_writer_checkpoint(writer, &state, &error));
  CHECK(calls_and_releases[0] > 0 && calls_and_releases[1] == 0);
  // The first error stays.
  struct ArrowArray batch;
  rows_batch(10, 20, &batch, NULL);
  CHECK_FAILS(TAILRACE_DENIED, "no keys today", tailrace_writer_write(writer, &batch, NULL, &error));
  CHECK(state == NULL && batch.release == NULL);
  tailrace_store_free(store);
  tailrace_writer_free(writer);
  CHECK(calls_and_releases[1] == 1);
  // A call that fails gives the context back at once.
  s3.addressing = 9;
  CHECK_FAILS(TAILRACE_INVALID, "addressing is 9", tailrace_store_open("s3://bucket/key", &options, &store, &error));
  CHECK(calls_and_releases[1] == 2);
  s3.addressing = TAILRACE_ADDRESSING_AUTO;
  CHECK_FAILS(TAILRACE_INVALID, "NULL", tailrace_store_open("s3://bucket/key", &options, NULL, &error));
  CHECK(calls_and_releases[1] == 3);
}

// Accessors bear NULL.
static void null_handles(void) {
  CHECK(tailrace_error_kind(NULL) == TAILRACE_OK && strcmp(tailrace_error_message(NULL), "") == 0);
  CHECK(tailrace_error_rows(NULL) == -1 && tailrace_error_part(NULL) == 0);
  CHECK(tailrace_error_outcome(NULL) == TAILRACE_OUTCOME_IS_COMMITTED && tailrace_error_already_committed(NULL) == 0);
  CHECK(tailrace_bytes_data(NULL) == NULL && tailrace_bytes_size(NULL) == 0);
  CHECK(strcmp(tailrace_store_key(NULL), "") == 0 && strcmp(tailrace_state_url(NULL), "") == 0);
  CHECK(tailrace_writer_rows(NULL) == 0 && tailrace_writer_warning(NULL, 0) == NULL);
  CHECK(tailrace_commit_info_rows(NULL) == 0 && strcmp(tailrace_commit_info_etag(NULL), "") == 0);
  tailrace_error_free(NULL);
  tailrace_bytes_free(NULL);
  tailrace_executor_free(NULL);
  tailrace_store_free(NULL);
  tailrace_writer_free(NULL);
  tailrace_state_free(NULL);
  tailrace_pending_free(NULL);
  tailrace_commit_info_free(NULL);
  CHECK_FAILS(TAILRACE_INVALID, "NULL", tailrace_finish(NULL, NULL, NULL, NULL, &error));
  CHECK_FAILS(TAILRACE_INVALID, "NULL", tailrace_commit(NULL, NULL, NULL, NULL, &error));
  CHECK_FAILS(TAILRACE_INVALID, "NULL", tailrace_abort_state(NULL, NULL, NULL, NULL, &error));
  CHECK_FAILS(TAILRACE_INVALID, "NULL", tailrace_abort_pending(NULL, NULL, NULL, NULL, &error));
  CHECK_FAILS(TAILRACE_INVALID, "NULL", tailrace_writer_abort(NULL, &error));
  CHECK(strcmp(tailrace_kind_name(TAILRACE_FENCED), "fenced") == 0);
  CHECK(strcmp(tailrace_kind_name(TAILRACE_OK), "ok") == 0 && strcmp(tailrace_kind_name(99), "unknown kind") == 0);
}

int main(int argc, char** argv) {
  CHECK(argc == 2 && strlen(argv[1]) < sizeof folder);
  strcpy(folder, argv[1]);
  opening_stores();
  opening_writers();
  missing_folder();
  refused_batches();
  broken_stream();
  existing_object();
  a_live_writer();
  fenced_and_committed();
  closed_and_committed();
  gone();
  another_target();
  damaged_bytes();
  credentials();
  null_handles();
  return 0;
}
