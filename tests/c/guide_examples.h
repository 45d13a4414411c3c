// What the examples in docs/guide/c.md define; the build takes their code out of the page.
#pragma once

#include "tailrace/tailrace.h"

int write_all(struct ArrowArrayStream* rows, const char* url);
tailrace_kind open_with_keys(const char* url, const char* const* keys, tailrace_store** store, tailrace_error** error);
