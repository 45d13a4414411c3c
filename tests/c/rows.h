// Arrow data made by hand, as a program without any Arrow library does. Row i is a function of i: an int64 `id` and a
// nullable string `name`.
#pragma once

#include "tailrace/tailrace.h"

void rows_schema(struct ArrowSchema* out);
// Rows begin (inclusive) to end (exclusive). *released, if given, counts calls of the batch's release callback.
void rows_batch(int64_t begin, int64_t end, struct ArrowArray* out, int* released);
// The same rows in batches of `batch_rows`. *released counts calls of the stream's release callback.
void rows_stream(int64_t begin, int64_t end, int64_t batch_rows, struct ArrowArrayStream* out, int* released);
