// The test's S3 service without a network: an HttpTransport that hands each request to it, with scripted faults.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "http/transport.h"
#include "testing/s3_server/fault.h"
#include "testing/s3_server/s3_service.h"

namespace tailrace {

// Signatures, headers and bodies are checked by S3Service, which shares no code with the product. Of a Fault all that
// concerns a request and its answer is done; what needs a wire (drips, cuts) is an exchange that does not complete:
// no_reply, send_bytes and every end but kKeep give kTransient, after the store did what was asked if `apply`. A delay
// moves the clock on; one beyond the time-out for the first answer is such an exchange, too.
// Thread-safe.
class S3FakeTransport final : public HttpTransport {
 public:
  // `clock` (outlives this) is also the server's, as far as signatures are concerned.
  explicit S3FakeTransport(Clock* clock, S3Rules rules = {.signature = {.keys = {S3Key{}}}});

  Result<HttpResponse> Send(const HttpRequest& request, const HttpSendOptions& options) override;

  S3Service& service() { return service_; }
  void Use(std::vector<FaultRule> rules, uint64_t seed = 1);
  int faults_fired() const;
  // Called with each request before anything is done with it, without a lock held: what others do meanwhile, who may
  // send requests of their own.
  using Hook = std::function<void(const S3Call& call)>;
  void SetHook(Hook hook);
  // The server's clock beside the client's.
  void SetSkew(std::chrono::seconds skew);

  // Operation -> how often, "UploadPart" -> 3.
  std::map<std::string, int> calls() const;
  // Every request in order, as it came.
  struct Logged {
    std::string operation;
    S3Call call;
    HttpUrl url;
    bool expect_continue = false;
    HttpSendOptions options;
    int status = 0;  // 0: no answer
  };
  std::vector<Logged> log() const;
  // Of one operation.
  std::vector<Logged> log(const std::string& operation) const;
  void ResetLog();

 private:
  S3Reply Answer(const S3Call& call, const Fault& fault);
  void ChangeStore(const S3Call& call, const Fault& fault);
  // Lets the service's clock, which is the system's and an offset, show what the test's shows.
  void SetServiceClock();

  Clock* const clock_;
  S3Service service_;
  mutable Mutex mutex_;
  std::shared_ptr<FaultPlan> plan_ TAILRACE_GUARDED_BY(mutex_);
  Hook hook_ TAILRACE_GUARDED_BY(mutex_);
  std::vector<Logged> log_ TAILRACE_GUARDED_BY(mutex_);
  std::chrono::seconds skew_ TAILRACE_GUARDED_BY(mutex_){0};
};

}  // namespace tailrace
