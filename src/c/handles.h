// What the opaque handles of tailrace/tailrace.h are. Plain holders: the C interface adds no behaviour of its own.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "tailrace/commit.h"
#include "tailrace/error.h"
#include "tailrace/events.h"
#include "tailrace/executor.h"
#include "tailrace/state.h"
#include "tailrace/store.h"
#include "tailrace/tailrace.h"
#include "tailrace/writer.h"

struct tailrace_error {
  tailrace_kind kind = TAILRACE_INTERNAL;
  tailrace_outcome outcome = TAILRACE_OUTCOME_IS_UNKNOWN;
  std::string message;
  int64_t rows = -1;
  int32_t part = 0;
  bool already_committed = false;
};

struct tailrace_bytes {
  std::string content;
};

struct tailrace_executor {
  std::shared_ptr<tailrace::Executor> executor;
};

struct tailrace_observer {
  std::shared_ptr<tailrace::Observer> observer;
};

struct tailrace_store {
  tailrace::StoreAndKey at;
};

// A value and its URL as text, which the value itself only makes on request.
struct tailrace_state {
  tailrace::WriterState value;
  std::string url = value.target.ToUrl();
};

struct tailrace_pending {
  tailrace::PendingCommit value;
  std::string url = value.target.ToUrl();
};

struct tailrace_writer {
  std::unique_ptr<tailrace::ParquetStreamWriter> writer;
};

struct tailrace_commit_info {
  tailrace::CommitInfo value;
};
