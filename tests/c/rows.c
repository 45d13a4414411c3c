#include "rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void release_schema(struct ArrowSchema* schema) {
  for (int64_t i = 0; i < schema->n_children; ++i) {
    if (schema->children[i]->release != NULL) schema->children[i]->release(schema->children[i]);
    free(schema->children[i]);
  }
  free(schema->children);
  schema->release = NULL;
}

static void make_schema(struct ArrowSchema* out, const char* format, const char* name, int64_t flags, int children) {
  memset(out, 0, sizeof *out);
  out->format = format;
  out->name = name;
  out->flags = flags;
  out->n_children = children;
  if (children > 0) out->children = calloc((size_t)children, sizeof *out->children);
  for (int i = 0; i < children; ++i) out->children[i] = calloc(1, sizeof **out->children);
  out->release = release_schema;
}

void rows_schema(struct ArrowSchema* out) {
  make_schema(out, "+s", "", 0, 2);
  make_schema(out->children[0], "l", "id", 0, 0);
  make_schema(out->children[1], "u", "name", ARROW_FLAG_NULLABLE, 0);
}

static void release_array(struct ArrowArray* array) {
  for (int64_t i = 0; i < array->n_children; ++i) {
    if (array->children[i]->release != NULL) array->children[i]->release(array->children[i]);
    free(array->children[i]);
  }
  free(array->children);
  for (int64_t i = 0; i < array->n_buffers; ++i) free((void*)array->buffers[i]);
  free(array->buffers);
  if (array->private_data != NULL) ++*(int*)array->private_data;
  array->release = NULL;
}

static void make_array(struct ArrowArray* out, int64_t length, int buffers, int children) {
  memset(out, 0, sizeof *out);
  out->length = length;
  out->n_buffers = buffers;
  out->buffers = calloc((size_t)buffers, sizeof *out->buffers);
  out->n_children = children;
  if (children > 0) out->children = calloc((size_t)children, sizeof *out->children);
  for (int i = 0; i < children; ++i) out->children[i] = calloc(1, sizeof **out->children);
  out->release = release_array;
}

static void make_ids(int64_t begin, int64_t end, struct ArrowArray* out) {
  const int64_t length = end - begin;
  int64_t* values = calloc((size_t)length + 1, sizeof *values);
  for (int64_t i = 0; i < length; ++i) values[i] = begin + i;
  make_array(out, length, 2, 0);
  out->buffers[1] = values;
}

static void make_names(int64_t begin, int64_t end, struct ArrowArray* out) {
  const int64_t length = end - begin;
  unsigned char* valid = calloc((size_t)length / 8 + 1, 1);
  int32_t* offsets = calloc((size_t)length + 1, sizeof *offsets);
  char* text = calloc((size_t)length + 1, 24);
  int64_t nulls = 0;
  for (int64_t i = 0; i < length; ++i) {
    offsets[i + 1] = offsets[i];
    if ((begin + i) % 7 == 0) {
      ++nulls;
      continue;
    }
    valid[i / 8] = (unsigned char)(valid[i / 8] | 1u << (i % 8));
    offsets[i + 1] += sprintf(text + offsets[i], "row-%lld", (long long)(begin + i));
  }
  make_array(out, length, 3, 0);
  out->null_count = nulls;
  out->buffers[0] = valid;
  out->buffers[1] = offsets;
  out->buffers[2] = text;
}

void rows_batch(int64_t begin, int64_t end, struct ArrowArray* out, int* released) {
  make_array(out, end - begin, 1, 2);
  make_ids(begin, end, out->children[0]);
  make_names(begin, end, out->children[1]);
  out->private_data = released;
}

struct stream_state {
  int64_t next;
  int64_t end;
  int64_t batch_rows;
  int* released;
};

static int stream_schema(struct ArrowArrayStream* stream, struct ArrowSchema* out) {
  (void)stream;
  rows_schema(out);
  return 0;
}

static int stream_next(struct ArrowArrayStream* stream, struct ArrowArray* out) {
  struct stream_state* state = stream->private_data;
  if (state->next == state->end) {
    memset(out, 0, sizeof *out);
    return 0;
  }
  const int64_t left = state->end - state->next;
  const int64_t take = left < state->batch_rows ? left : state->batch_rows;
  rows_batch(state->next, state->next + take, out, NULL);
  state->next += take;
  return 0;
}

static const char* stream_error(struct ArrowArrayStream* stream) {
  (void)stream;
  return NULL;
}

static void release_stream(struct ArrowArrayStream* stream) {
  struct stream_state* state = stream->private_data;
  if (state->released != NULL) ++*state->released;
  free(state);
  stream->release = NULL;
}

void rows_stream(int64_t begin, int64_t end, int64_t batch_rows, struct ArrowArrayStream* out, int* released) {
  struct stream_state* state = malloc(sizeof *state);
  state->next = begin;
  state->end = end;
  state->batch_rows = batch_rows;
  state->released = released;
  out->get_schema = stream_schema;
  out->get_next = stream_next;
  out->get_last_error = stream_error;
  out->release = release_stream;
  out->private_data = state;
}
