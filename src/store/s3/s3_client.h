// Sends requests to one bucket until they succeed or cannot.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <arrow/result.h>

#include "auth/credentials.h"
#include "base/clock.h"
#include "base/mutex.h"
#include "http/request_gate.h"
#include "http/retry_budget.h"
#include "http/retry_policy.h"
#include "http/transport.h"
#include "store/s3/s3_errors.h"
#include "store/s3/s3_place.h"
#include "store/s3/s3_replies.h"

namespace tailrace {

struct S3ClientOptions {
  std::shared_ptr<HttpTransport> transport;
  std::shared_ptr<CredentialsProvider> credentials;
  Clock* clock = nullptr;  // nullptr: the system's
  RetryPolicy retry;
  HttpTimeouts timeouts;
  bool sign_payload = false;       // the body's SHA-256 in the signature instead of UNSIGNED-PAYLOAD
  int max_requests = 16;           // under way at once
  std::function<double()> chance;  // from [0, 1), for waits; empty: of the system
  // Sees the headers of every answer, from whichever thread; empty: nobody does.
  std::function<void(const HttpHeaders&)> on_answer;
  const CancelToken* cancel = nullptr;
  // How long the calls that copy bytes on the server may stay without an answer.
  std::chrono::milliseconds slow_answer = std::chrono::minutes(10);
};

// One call of the API, as retries and messages see it.
struct S3CallInfo {
  std::string_view name;  // "UploadPart"
  std::string subject;    // "part 3 of 'x.parquet'"
  // A request whose answer was lost is sent again. Answers that say "not done" are always followed by another request.
  bool repeat_lost = true;
  // About an open upload: NoSuchKey then means that there is none, as Ceph's RGW and Swift put it.
  bool of_upload = false;
  // Look for an error document in the body of a success.
  bool body_may_be_error = true;
  int64_t max_reply_bytes = kMaxReplyBytes;
  bool slow = false;  // waits for its answer as long as `slow_answer` says
};

// Signs each attempt anew; waits with jitter, or as long as the store asks; goes where a redirect of S3 points and
// signs for the region that the store names, and keeps to it; takes over the store's time where ours is refused;
// fetches other credentials where they have expired. All callers share one budget of repetitions and the room for
// requests under way. Thread-safe; Send blocks.
class S3Client {
 public:
  S3Client(S3Place place, S3ClientOptions options);

  // A success. Otherwise an error of the kind that s3_errors.h says, naming call, subject, bucket, cause and attempts,
  // and never a credential; `failure` (may be null) gets the answer where there was one. Where none came to a request
  // that was sent, ErrorDetail::answer_lost says so.
  Result<HttpResponse> Send(HttpRequest request, const S3CallInfo& call, S3Failure* failure = nullptr);

  const S3Place& place() const { return place_; }
  Clock* clock() const { return clock_; }
  // What requests are signed for at the moment.
  std::string region() const;
  // The store's time less ours, as far as it had to be corrected.
  std::chrono::microseconds clock_offset() const;
  int request_room() const { return gate_.room(); }

 private:
  friend class S3Exchange;

  void SetRegion(const std::string& region);
  void SetClockOffset(std::chrono::microseconds offset);

  const S3Place place_;
  const S3ClientOptions options_;
  Clock* const clock_;
  RetryBudget budget_;
  RequestGate gate_;
  mutable Mutex mutex_;
  std::string region_ TAILRACE_GUARDED_BY(mutex_);
  std::chrono::microseconds clock_offset_ TAILRACE_GUARDED_BY(mutex_){0};
};

}  // namespace tailrace
