#include "store/s3/s3_exchange.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "auth/sigv4.h"

namespace tailrace {
namespace {

// Of one call. Each is undone by nobody, so a second time would not help, but for two threads that meet at a change.
constexpr int kMaxRefreshes = 2;
constexpr int kMaxClockCorrections = 2;
constexpr int kMaxRedirects = 3;
// S3 refuses signatures that are a quarter of an hour off. Answers without a body do not say so.
constexpr auto kSuspiciousSkew = std::chrono::minutes(5);

// Of the transport, or of a source of credentials.
bool IsTemporary(const Status& status) {
  return KindOf(status) == ErrorKind::kTransient || KindOf(status) == ErrorKind::kThrottled;
}

// What an answer may repeat and no message may show.
std::vector<std::string> SecretsOf(const HttpRequest& request, const Credentials& credentials) {
  const std::string authorization = request.headers.Get("Authorization").value_or("");
  constexpr std::string_view kSignature = "Signature=";
  const size_t at = authorization.find(kSignature);
  return {credentials.secret_access_key,
          credentials.session_token,
          credentials.access_key_id,
          at == authorization.npos ? "" : authorization.substr(at + kSignature.size()),
          request.headers.Get("x-amz-server-side-encryption-customer-key").value_or(""),
          request.headers.Get("x-amz-copy-source-server-side-encryption-customer-key").value_or("")};
}

std::string Seconds(std::chrono::steady_clock::duration time) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f s", std::chrono::duration<double>(time).count());
  return text;
}

}  // namespace

S3Exchange::S3Exchange(S3Client* client, HttpRequest* request, const S3CallInfo& call)
    : client_(client),
      request_(request),
      call_(call),
      begin_(client->clock_->Steady()),
      schedule_(client->options_.retry, begin_) {
  if (request_->body.empty()) {
    payload_hash_ = kEmptyPayloadHash;
  } else {
    payload_hash_ = client_->options_.sign_payload ? Sha256Hex(request_->body) : std::string(kUnsignedPayload);
  }
}

Result<HttpResponse> S3Exchange::Run() {
  while (true) {
    Result<HttpResponse> answer = Attempt();
    failure_.reset();
    bool again = false;
    if (answer.ok()) {
      failure_ = ReadFailure(*answer, call_.body_may_be_error, client_->clock_->Now());
      if (!failure_) {
        client_->budget_.OnSuccess(schedule_.attempts() > 1);
        client_->gate_.OnSuccess();
        answer->attempts = attempts_;
        return answer;
      }
      again = Mend();
    } else if (IsTemporary(answer.status())) {
      // A store that refuses before it has read the body may close at once, and its answer is lost in what is still
      // being sent: asked first, it is heard. Not after the first failure, which usually is another, since who does not
      // know the question lets it wait for a second.
      request_->expect_continue = attempts_ > 1 && !request_->body.empty();
      again = (call_.repeat_lost || !sent_) && Wait(/*takes_budget=*/true);
    }
    if (!again) return Final(answer.status());
  }
}

Result<HttpResponse> S3Exchange::Attempt() {
  sent_ = false;
  ++attempts_;
  ARROW_ASSIGN_OR_RAISE(used_, client_->options_.credentials->Get());
  region_ = client_->region();
  // Signed on a copy: the body is shared, and the next attempt signs anew.
  HttpRequest request = *request_;
  const HttpUrl base = moved_ ? *moved_ : client_->place_.BaseUrl(region_);
  request.url.scheme = base.scheme;
  request.url.host = base.host;
  request.url.port = base.port;
  SignRequest(&request, used_, {.region = region_}, client_->clock_->Now() + client_->clock_offset(), payload_hash_);
  sent_secrets_ = SecretsOf(request, used_);
  HttpSendOptions send{.timeouts = client_->options_.timeouts,
                       .max_body_bytes = call_.max_reply_bytes,
                       .cancel = client_->options_.cancel,
                       .attempt = attempts_};
  // A server that copies a thousand parts together took 37 s.
  if (call_.slow) send.timeouts.first_answer = client_->options_.slow_answer;
  const GatePass pass(&client_->gate_);
  sent_ = true;
  Result<HttpResponse> answer = client_->options_.transport->Send(request, send);
  if (answer.ok() && client_->options_.on_answer) client_->options_.on_answer(answer->headers);
  return answer;
}

bool S3Exchange::Mend() {
  switch (RemedyFor(*failure_)) {
    case S3Remedy::kRepeat:
      return Wait(/*takes_budget=*/true);
    case S3Remedy::kSlowDown:
      client_->gate_.OnSlowDown();
      // A store that is busy may refuse before it has read the body.
      request_->expect_continue = !request_->body.empty();
      return Wait(/*takes_budget=*/false);
    case S3Remedy::kRefreshCredentials:
      return RefreshCredentials();
    case S3Remedy::kCorrectClock:
      return CorrectClock();
    case S3Remedy::kOtherRegion:
      return FollowRedirect();
    case S3Remedy::kNone:
      break;
  }
  return MendDenied();
}

// Answers to HEAD have no body that could name the cause of a 400 or 403, and some stores name a clock that is off as a
// wrong signature. What can be mended is tried once.
bool S3Exchange::MendDenied() {
  const bool nameless = failure_->code.empty() && (failure_->status == 400 || failure_->status == 403);
  if (!nameless && failure_->status != 403) return false;
  const auto ours = client_->clock_->Now() + client_->clock_offset();
  if (failure_->server_time && std::chrono::abs(*failure_->server_time - ours) > kSuspiciousSkew) return CorrectClock();
  return nameless && failure_->status == 400 && !used_.session_token.empty() && refreshes_ == 0 && RefreshCredentials();
}

bool S3Exchange::RefreshCredentials() {
  if (refreshes_++ >= kMaxRefreshes) return false;
  client_->options_.credentials->Expired(used_);
  // The same again would be refused again. That none can be had is for the next attempt to tell.
  const Result<Credentials> others = client_->options_.credentials->Get();
  return !others.ok() || *others != used_;
}

bool S3Exchange::CorrectClock() {
  if (!failure_->server_time || clock_corrections_++ >= kMaxClockCorrections) return false;
  client_->SetClockOffset(*failure_->server_time - client_->clock_->Now());
  return true;
}

bool S3Exchange::FollowRedirect() {
  if (redirects_++ >= kMaxRedirects) return false;
  request_->expect_continue = !request_->body.empty();
  if (!failure_->region.empty()) return FollowRegion(failure_->region);
  std::string text = failure_->location;
  if (text.empty()) return false;
  if (text.find("://") == text.npos) text = "https://" + text;
  const Result<HttpUrl> location = HttpUrl::Parse(text);
  return location.ok() && FollowLocation(*location);
}

bool S3Exchange::FollowRegion(const std::string& region) {
  // The same region again would be refused again. Another thread may have learned it meanwhile.
  const bool sane = region.size() <= 64 && std::all_of(region.begin(), region.end(), [](char c) {
                      return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
                    });
  if (!sane || region == region_) return false;
  client_->SetRegion(region);
  moved_.reset();
  return true;
}

// Only to hosts of the same service: a signed request shows whom it is from.
bool S3Exchange::FollowLocation(const HttpUrl& location) {
  const S3Place& place = client_->place_;
  const std::string prefix = place.bucket + ".";
  const HttpUrl base = place.BaseUrl(region_);
  if (base.scheme == "https" && location.scheme != "https") return false;
  if (place.dialect == S3Dialect::kAws) {
    std::string_view host = location.host;
    if (host.starts_with(prefix)) host.remove_prefix(prefix.size());
    const std::optional<AwsHost> aws = ParseAwsHost(host);
    if (!aws) return false;
    if (!aws->region.empty() && aws->region != region_) return FollowRegion(aws->region);
  } else {
    std::string endpoint_host = base.host;
    if (place.virtual_host) endpoint_host.erase(0, prefix.size());
    if (location.host != endpoint_host && !location.host.ends_with("." + endpoint_host)) return false;
  }
  moved_ = location;
  return true;
}

bool S3Exchange::Wait(bool takes_budget) {
  const auto retry_after = failure_ ? failure_->retry_after : std::nullopt;
  const auto wait = schedule_.NextWait(retry_after, client_->options_.chance(), client_->clock_->Steady());
  if (!wait) {
    ended_ = schedule_.end() == RetrySchedule::End::kAttempts ? "max_attempts" : "retry_timeout";
    if (retry_after) ended_ += ", and the store asks to wait " + Seconds(*retry_after);
    return false;
  }
  if (takes_budget && !client_->budget_.TakeForRetry()) {
    ended_ = "too many requests to this store failed lately, so that none is repeated until some succeed";
    return false;
  }
  if (wait->count() > 0) client_->clock_->SleepFor(*wait);
  return client_->options_.cancel == nullptr || !client_->options_.cancel->cancelled();
}

// Servers repeat what they were sent.
std::string S3Exchange::Redact(std::string text) const {
  for (const std::string& secret : sent_secrets_) {
    if (secret.empty()) continue;
    for (size_t at = 0; (at = text.find(secret, at)) != text.npos;) text.replace(at, secret.size(), "***");
  }
  return text;
}

Status S3Exchange::Final(const Status& no_answer) const {
  std::string message =
      std::string(call_.name) + " of " + call_.subject + " in bucket '" + client_->place_.bucket + "'";
  message += ": " + Redact(failure_ ? Describe(*failure_) : no_answer.message());
  if (failure_ && RemedyFor(*failure_) == S3Remedy::kOtherRegion) {
    std::string named = failure_->region.empty() ? failure_->location : failure_->region;
    if (named == region_) named.clear();
    message +=
        "; it was signed for the region '" + region_ + "'" +
        (named.empty() ? ", and the answer names no other: set the region" : ", the answer names '" + named + "'");
  }
  if (attempts_ > 1 || !ended_.empty()) {
    message += "; gave up after " + std::to_string(attempts_) + (attempts_ == 1 ? " attempt in " : " attempts in ") +
               Seconds(client_->clock_->Steady() - begin_) + (ended_.empty() ? "" : " (" + ended_ + ")");
  }
  ErrorKind kind = failure_ ? KindOfFailure(*failure_) : KindOf(no_answer);
  if (call_.of_upload && failure_ && failure_->code == "NoSuchKey") kind = ErrorKind::kUploadGone;
  auto detail = std::make_shared<ErrorDetail>(kind);
  if (failure_) detail->part_number = failure_->part_number;
  detail->answer_lost = !failure_ && sent_ && kind == ErrorKind::kTransient;
  return MakeError(std::move(detail), std::move(message));
}

}  // namespace tailrace
