/* Writes 1,000 rows to the path it is given. */
#include <stdio.h>

#include "rows.h"

int main(int argc, char** argv) {
  tailrace_store* store = NULL;
  tailrace_writer* writer = NULL;
  tailrace_pending* pending = NULL;
  tailrace_error* error = NULL;
  struct ArrowSchema schema;
  struct ArrowArray batch;
  if (argc != 2) return 2;
  rows_schema(&schema);
  rows_batch(0, 1000, &batch, NULL);
  if (tailrace_store_open(argv[1], NULL, &store, &error) != TAILRACE_OK ||
      tailrace_writer_open(store, NULL, &schema, NULL, NULL, &writer, &error) != TAILRACE_OK ||
      tailrace_writer_write(writer, &batch, NULL, &error) != TAILRACE_OK ||
      tailrace_writer_close(writer, &pending, &error) != TAILRACE_OK ||
      tailrace_commit(pending, store, NULL, NULL, &error) != TAILRACE_OK) {
    fprintf(stderr, "%s\n", tailrace_error_message(error));
    return 1;
  }
  tailrace_pending_free(pending);
  tailrace_writer_free(writer);
  tailrace_store_free(store);
  return 0;
}
