#include "tailrace/executor.h"

#include <string>

#include "c/guard.h"

namespace {

constexpr int32_t kMaxThreads = 1024;

}  // namespace

extern "C" {

tailrace_kind tailrace_executor_new(int32_t threads, tailrace_executor** executor, tailrace_error** error) {
  return tailrace::c::GuardNew(executor, error, [&]() -> arrow::Result<std::shared_ptr<tailrace::Executor>> {
    if (threads < 1 || threads > kMaxThreads) {
      return tailrace::MakeError(tailrace::ErrorKind::kInvalid, "threads is " + std::to_string(threads) +
                                                                    ", must be 1 to " + std::to_string(kMaxThreads));
    }
    return tailrace::MakeThreadPool(threads);
  });
}

void tailrace_executor_free(tailrace_executor* executor) { delete executor; }

}  // extern "C"
