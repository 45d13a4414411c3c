// A callback is told of writes, commits and failures, and is let go once nobody can call it any more.
#include "check.h"
#include "rows.h"

typedef struct {
  int kinds[64];
  int count;
  int released;
  int64_t stored_bytes;
  int64_t part_bytes;
  char message[256];
} told;

static void on_event(void* context, const tailrace_event* event) {
  told* all = context;
  CHECK(event->struct_size == sizeof *event);
  CHECK(all->count < 64 && all->released == 0);
  CHECK(strstr(event->url, "file:///") == event->url && strcmp(event->store, "file") == 0);
  CHECK(strlen(event->write_id) == 36 && event->time_us > 0 && event->duration_us >= 0);
  all->kinds[all->count++] = event->kind;
  all->stored_bytes = event->stored_bytes;
  if (event->kind == TAILRACE_EVENT_PART_STORED) all->part_bytes += event->bytes;
  if (event->kind == TAILRACE_EVENT_FAILED) {
    CHECK(event->error == TAILRACE_UPLOAD_GONE && strcmp(event->step, "finish") == 0);
    snprintf(all->message, sizeof all->message, "%s", event->message);
  } else {
    CHECK(event->error == TAILRACE_OK && event->step[0] == 0 && event->message[0] == 0);
  }
}

static void on_release(void* context) { ++((told*)context)->released; }

static int has(const told* all, int kind) {
  int count = 0;
  for (int i = 0; i < all->count; ++i) count += all->kinds[i] == kind;
  return count;
}

int main(int argc, char** argv) {
  CHECK(argc == 2);
  char url[1024];
  snprintf(url, sizeof url, "%s/observed.parquet", argv[1]);
  told all;
  memset(&all, 0, sizeof all);
  tailrace_observer* observer = NULL;
  CHECK_OK(tailrace_observer_new(on_event, &all, on_release, &observer, &error));
  tailrace_store* store = NULL;
  CHECK_OK(tailrace_store_open(url, NULL, &store, &error));
  tailrace_file_options options;
  tailrace_file_options_init(&options, sizeof options);
  options.part_size_bytes = 64 << 10;
  options.codec = TAILRACE_CODEC_NONE;  // so that the rows are more than a part
  options.growing_parts = 1;
  tailrace_runtime_options runtime;
  tailrace_runtime_options_init(&runtime, sizeof runtime);
  CHECK(runtime.observer == NULL);
  runtime.observer = observer;
  struct ArrowSchema schema;
  rows_schema(&schema);
  tailrace_writer* writer = NULL;
  CHECK_OK(tailrace_writer_open(store, NULL, &schema, &options, &runtime, &writer, &error));
  CHECK(all.count == 1 && all.kinds[0] == TAILRACE_EVENT_OPENED);

  struct ArrowArray batch;
  rows_batch(0, 20000, &batch, NULL);
  CHECK_OK(tailrace_writer_write(writer, &batch, NULL, &error));
  tailrace_state* state = NULL;
  CHECK_OK(tailrace_writer_checkpoint(writer, &state, &error));
  CHECK(all.kinds[all.count - 1] == TAILRACE_EVENT_CHECKPOINT);
  CHECK_OK(tailrace_writer_abort(writer, &error));
  CHECK(all.kinds[all.count - 1] == TAILRACE_EVENT_ABORTED);
  CHECK(has(&all, TAILRACE_EVENT_PART_STORED) > 0 && has(&all, TAILRACE_EVENT_ROW_GROUP_CLOSED) == 1);
  CHECK(all.stored_bytes == all.part_bytes);

  tailrace_commit_options commit;
  tailrace_commit_options_init(&commit, sizeof commit);
  commit.observer = observer;
  CHECK_FAILS(TAILRACE_UPLOAD_GONE, "", tailrace_finish(state, store, &commit, NULL, &error));
  CHECK(all.kinds[all.count - 1] == TAILRACE_EVENT_FAILED && all.message[0] != 0);
  int32_t already = 1;
  CHECK_OK(tailrace_abort_state(state, store, &commit, &already, &error));
  CHECK(already == 0 && all.kinds[all.count - 1] == TAILRACE_EVENT_DROPPED);

  // The writer keeps the observer, and lets it go.
  tailrace_observer_free(observer);
  CHECK(all.released == 0);
  tailrace_writer_free(writer);
  CHECK(all.released == 1);
  CHECK_FAILS(TAILRACE_INVALID, "callback", tailrace_observer_new(NULL, &all, on_release, &observer, &error));
  CHECK(all.released == 2 && observer == NULL);
  tailrace_observer_free(NULL);
  CHECK(strcmp(tailrace_event_kind_name(TAILRACE_EVENT_PART_STORED), "part_stored") == 0);
  CHECK(strcmp(tailrace_event_kind_name(99), "unknown") == 0);
  tailrace_state_free(state);
  tailrace_store_free(store);
  return 0;
}
