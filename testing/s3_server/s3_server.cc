#include "testing/s3_server/s3_server.h"

#include <algorithm>
#include <cstdlib>

#include "testing/s3_server/s3_xml.h"
#include "testing/s3_server/wire_reply.h"

namespace tailrace {
namespace {

std::string CodeOf(const S3Reply& reply) {
  const size_t at = reply.body.find("<Code>");
  if (at == reply.body.npos) return {};
  return reply.body.substr(at + 6, reply.body.find("</Code>", at) - at - 6);
}

S3LogEntry EntryOf(const S3Call& call, int connection) {
  S3LogEntry entry{.number = call.number,
                   .operation = call.operation,
                   .bucket = call.bucket,
                   .key = call.key,
                   .part_number = call.part_number(),
                   .query = call.query,
                   .headers = call.headers,
                   .connection = connection};
  entry.headers.Remove("authorization");
  entry.headers.Remove("x-amz-security-token");
  entry.query.erase("X-Amz-Signature");
  entry.query.erase("X-Amz-Security-Token");
  return entry;
}

}  // namespace

S3Server::S3Server(S3ServerOptions options) : service_(std::move(options.rules)), tls_(options.tls.has_value()) {
  server_ = std::make_unique<ScriptedServer>(
      [this](ServerConnection& connection, ServerRequest& request) { return Serve(connection, request); },
      ServerOptions{.address = options.address, .tls = options.tls});
}

S3Server::~S3Server() = default;

std::string S3Server::endpoint() const {
  return std::string(tls_ ? "https" : "http") + "://" + server_->Url().host + ":" + std::to_string(port());
}

void S3Server::Use(std::shared_ptr<FaultPlan> plan) {
  MutexLock lock(&mutex_);
  plan_ = std::move(plan);
}

void S3Server::Use(const FaultFile& file) {
  service_.Change(file.change_rules);
  Use(file.rules);
}

int S3Server::faults_fired() const {
  MutexLock lock(&mutex_);
  return plan_ == nullptr ? 0 : plan_->fired();
}

void S3Server::SetHook(Hook hook) {
  MutexLock lock(&mutex_);
  hook_ = std::move(hook);
}

void S3Server::SetAfterApply(std::function<void(const S3Call&)> hook) {
  MutexLock lock(&mutex_);
  after_apply_ = std::move(hook);
}

std::optional<Fault> S3Server::FaultFor(const S3Call& call) {
  Hook hook;
  std::shared_ptr<FaultPlan> plan;
  {
    MutexLock lock(&mutex_);
    hook = hook_;
    plan = plan_;
  }
  std::optional<Fault> fault;
  if (hook) fault = hook(call);
  if (!fault && plan != nullptr) fault = plan->Next(call);
  return fault;
}

void S3Server::ChangeStore(const S3Call& call, const Fault& fault) {
  if (fault.expire_upload) service_.ExpireUpload(call.Query("uploadId"));
  if (fault.delete_object) service_.DeleteForeign(call.bucket, call.key);
  if (fault.put_foreign) service_.PutForeign(call.bucket, call.key, *fault.put_foreign);
  if (!fault.expire_keys && !fault.clock_offset && !fault.region) return;
  service_.Change([&](S3Rules* rules) {
    for (S3Key& key : rules->signature.keys) key.expired = key.expired || fault.expire_keys;
    if (fault.clock_offset) rules->clock_offset = *fault.clock_offset;
    if (fault.region) rules->signature.region = *fault.region;
  });
}

S3Reply S3Server::Apply(const S3Call& call, const Fault& fault, bool* applied) {
  if (fault.check_signature) {
    if (auto refused = service_.Authorise(call)) return *std::move(refused);
  }
  if (!fault.apply || fault.read_body_bytes) return {};
  S3Reply reply;
  if (fault.ignore_range) {
    S3Call whole = call;
    whole.headers.Remove("range");
    reply = service_.Handle(whole);
  } else {
    reply = service_.Handle(call);
  }
  *applied = reply.status < 300;
  std::function<void(const S3Call&)> after;
  {
    MutexLock lock(&mutex_);
    after = after_apply_;
  }
  if (after) after(call);
  return reply;
}

bool S3Server::Serve(ServerConnection& connection, ServerRequest& request) {
  auto parsed = ParseS3Call(request, service_.rules().host_domain);
  S3Call call;
  if (auto* const good = std::get_if<S3Call>(&parsed)) call = std::move(*good);
  S3LogEntry entry;
  {
    MutexLock lock(&mutex_);
    call.number = next_number_++;
    entry = EntryOf(call, connection.number());
    log_.push_back(entry);
  }
  const std::optional<Fault> scripted = FaultFor(call);
  const Fault fault = scripted.value_or(Fault{});
  entry.faulty = scripted.has_value();
  ChangeStore(call, fault);
  const bool waits = request.Header("expect") == "100-continue";
  if (waits && !fault.read_body_bytes && !connection.Send("HTTP/1.1 100 Continue\r\n\r\n")) return false;
  const bool read = connection.ReadBody(&request, fault.read_body_bytes.value_or(INT64_MAX));
  entry.body_bytes = static_cast<int64_t>(request.body.size());
  call.body = std::move(request.body);
  request.body.clear();
  if (!read) {
    Complete(entry);
    return false;
  }
  S3Reply reply;
  if (const auto* const error = std::get_if<S3Error>(&parsed)) {
    reply = S3Service::ErrorReply(call, *error);
  } else {
    reply = Apply(call, fault, &entry.applied);
  }
  if (fault.delay.count() > 0) connection.WaitForClose(fault.delay);
  reply = ChangedReply(call, reply, fault);
  reply.headers.Set("Date", HttpTime(service_.Now()));
  reply.headers.Set("x-amz-request-id", "TAILRACE" + std::to_string(call.number));
  for (const auto& [name, value] : service_.rules().reply_headers) reply.headers.Set(name, value);
  if (!fault.no_reply) {
    entry.status = reply.status;
    entry.code = CodeOf(reply);
  }
  // Before the client can know, so that a test that has its answer finds the log complete.
  Complete(entry);
  return SendReply(connection, call, reply, fault);
}

void S3Server::Complete(const S3LogEntry& entry) {
  MutexLock lock(&mutex_);
  const auto logged =
      std::find_if(log_.rbegin(), log_.rend(), [&](const S3LogEntry& one) { return one.number == entry.number; });
  if (logged != log_.rend()) *logged = entry;  // else the log was reset meanwhile
}

std::vector<S3LogEntry> S3Server::log() const {
  MutexLock lock(&mutex_);
  return log_;
}

S3Calls S3Server::calls() const {
  S3Calls calls;
  for (const S3LogEntry& entry : log()) ++calls[entry.operation];
  return calls;
}

std::string S3Server::LogText() const {
  std::string text;
  for (const S3LogEntry& entry : log()) {
    text += std::to_string(entry.number) + " " + entry.operation + " " + entry.bucket + "/" + entry.key;
    if (entry.part_number > 0) text += " part " + std::to_string(entry.part_number);
    text += " -> " + std::to_string(entry.status) + (entry.code.empty() ? "" : " " + entry.code);
    text += std::string(entry.faulty ? ", faulty" : "") + (entry.applied ? ", applied\n" : "\n");
  }
  return text;
}

void S3Server::ResetLog() {
  MutexLock lock(&mutex_);
  log_.clear();
}

std::optional<std::string> S3Server::Content(const std::string& key) const {
  const auto objects = service_.Objects();
  const auto found = objects.find({"bucket", key});
  return found == objects.end() ? std::nullopt : std::optional(found->second.bytes);
}

}  // namespace tailrace
