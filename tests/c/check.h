// Checks for test programs in C: a failed one is printed, with what it was, and ends the program.
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tailrace/tailrace.h"

#define CHECK(condition)                                                        \
  do {                                                                          \
    if (!(condition)) {                                                         \
      fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition); \
      exit(1);                                                                  \
    }                                                                           \
  } while (0)

// A call whose last argument is &error succeeds.
#define CHECK_OK(call)                                                                        \
  do {                                                                                        \
    tailrace_error* error = NULL;                                                             \
    if ((call) != TAILRACE_OK || error != NULL) {                                             \
      fprintf(stderr, "%s:%d: %s: %s: %s\n", __FILE__, __LINE__, #call,                       \
              tailrace_kind_name(tailrace_error_kind(error)), tailrace_error_message(error)); \
      exit(1);                                                                                \
    }                                                                                         \
  } while (0)

// A call whose last argument is &error fails with this kind, and `text` is in its message.
#define CHECK_FAILS(expected, text, call)                                                                     \
  do {                                                                                                        \
    tailrace_error* error = NULL;                                                                             \
    const tailrace_kind kind = (call);                                                                        \
    if (kind != (expected) || tailrace_error_kind(error) != (expected) ||                                     \
        strstr(tailrace_error_message(error), (text)) == NULL) {                                              \
      fprintf(stderr, "%s:%d: %s\n  expected %s with \"%s\"\n  got %s: %s\n", __FILE__, __LINE__, #call,      \
              tailrace_kind_name(expected), (text), tailrace_kind_name(kind), tailrace_error_message(error)); \
      exit(1);                                                                                                \
    }                                                                                                         \
    tailrace_error_free(error);                                                                               \
  } while (0)
