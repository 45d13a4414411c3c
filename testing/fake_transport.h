// A transport without a network: the test answers.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "http/transport.h"

namespace tailrace {

// Thread-safe, as far as the answering function is.
class FakeTransport final : public HttpTransport {
 public:
  using Answer = std::function<Result<HttpResponse>(const HttpRequest& request)>;
  explicit FakeTransport(Answer answer) : answer_(std::move(answer)) {}

  Result<HttpResponse> Send(const HttpRequest& request, const HttpSendOptions& options) override {
    {
      MutexLock lock(&mutex_);
      requests_.push_back(request);
      options_.push_back(options);
    }
    return answer_(request);
  }

  std::vector<HttpRequest> requests() const {
    MutexLock lock(&mutex_);
    return requests_;
  }
  std::vector<HttpSendOptions> options() const {
    MutexLock lock(&mutex_);
    return options_;
  }

 private:
  const Answer answer_;
  mutable Mutex mutex_;
  std::vector<HttpRequest> requests_ TAILRACE_GUARDED_BY(mutex_);
  std::vector<HttpSendOptions> options_ TAILRACE_GUARDED_BY(mutex_);
};

}  // namespace tailrace
