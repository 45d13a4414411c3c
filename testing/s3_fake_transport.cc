#include "testing/s3_fake_transport.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "testing/s3_server/s3_xml.h"
#include "testing/s3_server/wire_reply.h"
#include "testing/server_connection.h"

namespace tailrace {
namespace {

// As the request would come off the wire.
ServerRequest OnTheWire(const HttpRequest& request) {
  ServerRequest wire{.method = request.method,
                     .target = request.url.path + (request.url.query.empty() ? "" : "?" + request.url.query),
                     .headers = request.headers,
                     .body = request.body.ToString()};
  wire.headers.Set("Host", request.url.Authority());
  const bool has_body = request.method == "PUT" || request.method == "POST";
  if (has_body) wire.headers.Set("Content-Length", std::to_string(wire.body.size()));
  return wire;
}

// How long the client waits for the answer.
std::chrono::milliseconds WaitFor(const Fault& fault, const HttpSendOptions& options) {
  const auto longest = options.timeouts.first_answer;
  return longest.count() == 0 ? fault.delay : std::min(fault.delay, longest);
}

bool Completes(const Fault& fault, const HttpSendOptions& options) {
  return WaitFor(fault, options) == fault.delay && !fault.no_reply && !fault.send_bytes && !fault.read_body_bytes &&
         fault.end == Fault::End::kKeep;
}

}  // namespace

S3FakeTransport::S3FakeTransport(Clock* clock, S3Rules rules) : clock_(clock), service_(std::move(rules)) {
  SetServiceClock();
}

void S3FakeTransport::SetServiceClock() {
  std::chrono::seconds skew;
  {
    MutexLock lock(&mutex_);
    skew = skew_;
  }
  const auto offset = std::chrono::round<std::chrono::seconds>(clock_->Now() - Clock::System()->Now()) + skew;
  service_.Change([&](S3Rules* rules) { rules->clock_offset = offset; });
}

void S3FakeTransport::SetSkew(std::chrono::seconds skew) {
  MutexLock lock(&mutex_);
  skew_ = skew;
}

void S3FakeTransport::SetHook(Hook hook) {
  MutexLock lock(&mutex_);
  hook_ = std::move(hook);
}

void S3FakeTransport::Use(std::vector<FaultRule> rules, uint64_t seed) {
  MutexLock lock(&mutex_);
  plan_ = std::make_shared<FaultPlan>(std::move(rules), seed);
}

int S3FakeTransport::faults_fired() const {
  MutexLock lock(&mutex_);
  return plan_ == nullptr ? 0 : plan_->fired();
}

void S3FakeTransport::ChangeStore(const S3Call& call, const Fault& fault) {
  if (fault.expire_upload) service_.ExpireUpload(call.Query("uploadId"));
  if (fault.delete_object) service_.DeleteForeign(call.bucket, call.key);
  if (fault.put_foreign) service_.PutForeign(call.bucket, call.key, *fault.put_foreign);
  service_.Change([&](S3Rules* rules) {
    for (S3Key& key : rules->signature.keys) key.expired = key.expired || fault.expire_keys;
    if (fault.region) rules->signature.region = *fault.region;
  });
}

S3Reply S3FakeTransport::Answer(const S3Call& call, const Fault& fault) {
  if (fault.check_signature) {
    if (auto refused = service_.Authorise(call)) return *std::move(refused);
  }
  if (!fault.apply) return {};
  S3Call seen = call;
  if (fault.ignore_range) seen.headers.Remove("range");
  return service_.Handle(seen);
}

Result<HttpResponse> S3FakeTransport::Send(const HttpRequest& request, const HttpSendOptions& options) {
  SetServiceClock();
  ServerRequest wire = OnTheWire(request);
  auto parsed = ParseS3Call(wire, service_.rules().host_domain);
  S3Call call;
  if (auto* const good = std::get_if<S3Call>(&parsed)) call = std::move(*good);
  call.body = std::move(wire.body);
  Fault fault;
  Hook hook;
  size_t place = 0;
  {
    MutexLock lock(&mutex_);
    call.number = static_cast<int>(log_.size()) + 1;
    if (plan_ != nullptr) fault = plan_->Next(call).value_or(Fault{});
    hook = hook_;
    place = log_.size();
    log_.push_back({call.operation, call, request.url, request.expect_continue, options});
  }
  if (hook) hook(call);
  ChangeStore(call, fault);
  S3Reply reply;
  if (const auto* const error = std::get_if<S3Error>(&parsed)) {
    reply = S3Service::ErrorReply(call, *error);
  } else {
    reply = Answer(call, fault);
  }
  if (fault.delay.count() > 0) clock_->SleepFor(WaitFor(fault, options));
  if (!Completes(fault, options)) {
    return MakeError(ErrorKind::kTransient, request.method + " " + request.url.WithoutQuery() + ": scripted reset");
  }
  reply = ChangedReply(call, reply, fault);
  if (!reply.headers.Get("Date")) reply.headers.Set("Date", HttpTime(service_.Now()));
  if (call.method == "HEAD") reply.body.clear();
  if (!reply.headers.Get("Content-Length")) {
    reply.headers.Set("Content-Length", std::to_string(reply.body.size()));
  }
  if (static_cast<int64_t>(reply.body.size()) > options.max_body_bytes) {
    return MakeError(ErrorKind::kLimit, "the answer is larger than " + std::to_string(options.max_body_bytes));
  }
  MutexLock lock(&mutex_);
  if (place < log_.size()) log_[place].status = reply.status;
  return HttpResponse{.status = reply.status, .headers = reply.headers, .body = reply.body};
}

std::map<std::string, int> S3FakeTransport::calls() const {
  std::map<std::string, int> calls;
  for (const Logged& one : log()) ++calls[one.operation];
  return calls;
}

std::vector<S3FakeTransport::Logged> S3FakeTransport::log() const {
  MutexLock lock(&mutex_);
  return log_;
}

std::vector<S3FakeTransport::Logged> S3FakeTransport::log(const std::string& operation) const {
  std::vector<Logged> some;
  for (Logged& one : log()) {
    if (one.operation == operation) some.push_back(std::move(one));
  }
  return some;
}

void S3FakeTransport::ResetLog() {
  MutexLock lock(&mutex_);
  log_.clear();
}

}  // namespace tailrace
