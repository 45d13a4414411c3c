// Callers and library of different age: shorter and longer structs. The only argument is an empty folder.
#include "check.h"
#include "rows.h"

// No struct has padding, so that a field which is appended never lies where an older caller has rubbish.
#define HAS_SIZE(type, size) typedef char type##_has_padding_or_grew[sizeof(type) == (size) ? 1 : -1]
HAS_SIZE(tailrace_s3_credentials, 5 * 8);
HAS_SIZE(tailrace_store_limits, 9 * 8);
HAS_SIZE(tailrace_store_options, 5 * 8);
HAS_SIZE(tailrace_s3_options, 31 * 8);
HAS_SIZE(tailrace_column_options, 5 * 8);
HAS_SIZE(tailrace_sorting_column, 3 * 8);
HAS_SIZE(tailrace_file_options, 19 * 8);
HAS_SIZE(tailrace_runtime_options, 6 * 8);
HAS_SIZE(tailrace_resume_options, 4 * 8);
HAS_SIZE(tailrace_commit_options, 6 * 8);
HAS_SIZE(tailrace_event, 19 * 8);

// What an older header might have declared.
typedef struct older_file_options {
  size_t struct_size;
  int32_t codec;
  int32_t codec_level;
} older_file_options;

typedef struct newer_file_options {
  tailrace_file_options known;
  int64_t unknown[2];
} newer_file_options;

static char url[4400];

static tailrace_kind open_writer(const tailrace_file_options* options, tailrace_writer** writer,
                                 tailrace_error** error) {
  tailrace_store* store = NULL;
  CHECK_OK(tailrace_store_open(url, NULL, &store, &error));
  struct ArrowSchema schema;
  rows_schema(&schema);
  const tailrace_kind kind = tailrace_writer_open(store, NULL, &schema, options, NULL, writer, error);
  tailrace_store_free(store);
  return kind;
}

// The library's own defaults stand for what the caller does not have.
static void an_older_caller(void) {
  struct {
    older_file_options options;
    unsigned char behind[64];
  } caller;
  memset(&caller, 0xab, sizeof caller);
  tailrace_file_options_init((tailrace_file_options*)&caller.options, sizeof caller.options);
  CHECK(caller.options.struct_size == sizeof caller.options);
  CHECK(caller.options.codec == TAILRACE_CODEC_ZSTD && caller.options.codec_level == 1);
  for (size_t i = 0; i < sizeof caller.behind; ++i) CHECK(caller.behind[i] == 0xab);
  caller.options.codec = TAILRACE_CODEC_GZIP;
  caller.options.codec_level = 3;

  tailrace_writer* writer = NULL;
  CHECK_OK(open_writer((const tailrace_file_options*)&caller.options, &writer, &error));
  struct ArrowArray batch;
  rows_batch(0, 100, &batch, NULL);
  CHECK_OK(tailrace_writer_write(writer, &batch, NULL, &error));
  tailrace_state* state = NULL;
  CHECK_OK(tailrace_writer_checkpoint(writer, &state, &error));
  tailrace_bytes* json = NULL;
  CHECK_OK(tailrace_state_describe(state, &json, &error));
  const char* text = (const char*)tailrace_bytes_data(json);
  CHECK(strstr(text, "\"codec\": \"gzip\"") != NULL && strstr(text, "\"codec_level\": 3") != NULL);
  CHECK(strstr(text, "\"part_size_bytes\": 16777216") != NULL && strstr(text, "\"statistics\": true") != NULL);
  tailrace_bytes_free(json);
  tailrace_state_free(state);
  CHECK_OK(tailrace_writer_abort(writer, &error));
  tailrace_writer_free(writer);
}

static void a_newer_caller(void) {
  newer_file_options options;
  memset(&options, 0xab, sizeof options);
  tailrace_file_options_init(&options.known, sizeof options);
  CHECK(options.known.struct_size == sizeof options && options.unknown[0] == 0 && options.unknown[1] == 0);
  tailrace_writer* writer = NULL;
  CHECK_OK(open_writer(&options.known, &writer, &error));
  tailrace_writer_free(writer);
  options.unknown[1] = 1;
  CHECK_FAILS(TAILRACE_INVALID, "does not know", open_writer(&options.known, &writer, &error));
}

static void a_struct_without_its_size(void) {
  static const size_t wrong[] = {0, 4, 7, 20, 5000, (size_t)-1};
  tailrace_writer* writer = NULL;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    tailrace_file_options options;
    tailrace_file_options_init(&options, sizeof options);
    options.struct_size = wrong[i];
    CHECK_FAILS(TAILRACE_INVALID, "tailrace_file_options_init", open_writer(&options, &writer, &error));
  }
}

// What the library fills in reaches as far as the caller's struct.
static void limits(void) {
  tailrace_store* store = NULL;
  CHECK_OK(tailrace_store_open(url, NULL, &store, &error));
  tailrace_store_limits whole;
  tailrace_store_limits_init(&whole, sizeof whole);
  CHECK_OK(tailrace_store_get_limits(store, &whole, &error));
  CHECK(whole.struct_size == sizeof whole && whole.max_parts > 0 && whole.conditional_put == 1);
  tailrace_store_limits part;
  memset(&part, 0xab, sizeof part);
  part.struct_size = 2 * sizeof(int64_t);
  CHECK_OK(tailrace_store_get_limits(store, &part, &error));
  CHECK(part.min_part_bytes == whole.min_part_bytes);
  CHECK(part.max_part_bytes == (int64_t)0xababababababababULL);
  tailrace_store_free(store);
}

int main(int argc, char** argv) {
  CHECK(argc == 2);
  snprintf(url, sizeof url, "%s/f.parquet", argv[1]);
  an_older_caller();
  a_newer_caller();
  a_struct_without_its_size();
  limits();
  return 0;
}
