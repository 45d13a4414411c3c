// One call of the API: its attempts and what happens between them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "store/s3/s3_client.h"

namespace tailrace {

// Used once, by one thread.
class S3Exchange {
 public:
  // All outlive this.
  S3Exchange(S3Client* client, HttpRequest* request, const S3CallInfo& call);
  Result<HttpResponse> Run();
  // The last failed answer; nullopt where none came.
  const std::optional<S3Failure>& failure() const { return failure_; }

 private:
  Result<HttpResponse> Attempt();
  // Something was done that may help: the next attempt is worth it.
  bool Mend();
  bool MendDenied();
  bool RefreshCredentials();
  bool CorrectClock();
  bool FollowRedirect();
  bool FollowRegion(const std::string& region);
  bool FollowLocation(const HttpUrl& location);
  // false where no attempt is left, and `ended_` says why.
  bool Wait(bool takes_budget);
  Status Final(const Status& no_answer) const;
  std::string Redact(std::string text) const;

  S3Client* const client_;
  HttpRequest* const request_;
  const S3CallInfo& call_;
  const RetrySchedule::Time begin_;
  RetrySchedule schedule_;
  std::string payload_hash_;
  std::string region_;  // of the last attempt
  Credentials used_;    // of the last attempt
  std::vector<std::string> sent_secrets_;
  std::optional<HttpUrl> moved_;  // by a redirect of this request alone
  std::optional<S3Failure> failure_;
  bool sent_ = false;  // the last attempt came as far as the transport
  int attempts_ = 0;
  int refreshes_ = 0;
  int redirects_ = 0;
  int clock_corrections_ = 0;
  std::string ended_;
};

}  // namespace tailrace
