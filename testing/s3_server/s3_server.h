// An S3 server inside the test: a real socket, stricter rules than S3's, scripted faults, a log of all calls.
//
//   S3Server server;                                          // knows one key pair and the bucket "bucket"
//   server.Use(FaultPlan({{{.operation = "UploadPart", .part_number = 2}, {.status = 503, .code = "SlowDown"}}}));
//   ... a client of server.endpoint() with server.key() ...
//   EXPECT_EQ(server.calls(), (S3Calls{{"CreateMultipartUpload", 1}, {"UploadPart", 4}, ...}));
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "testing/s3_server/fault.h"
#include "testing/s3_server/s3_service.h"
#include "testing/scripted_server.h"

namespace tailrace {

// Operation -> how often; those that never were called are absent. "" counts what is no call of S3.
using S3Calls = std::map<std::string, int>;

// One line of the log; written when the head of the request is in, completed when the answer is out.
struct S3LogEntry {
  int number = 0;
  std::string operation;
  std::string bucket;
  std::string key;
  int part_number = 0;
  std::map<std::string, std::string> query;
  HttpHeaders headers;     // of the request, Authorization and session token taken out
  int64_t body_bytes = 0;  // of the request, as read
  int status = 0;          // of the answer; 0 where none was sent
  std::string code;        // of an error
  bool faulty = false;     // a fault was in play
  bool applied = false;
  int connection = 0;
};

struct S3ServerOptions {
  S3Rules rules = {.signature = {.keys = {S3Key{}}}};
  std::optional<TlsCertificate> tls;
  std::string address = "127.0.0.1";
};

// Thread-safe. All waits end when it is destroyed.
class S3Server {
 public:
  explicit S3Server(S3ServerOptions options = {});
  ~S3Server();

  int port() const { return server_->port(); }
  std::string endpoint() const;  // "http://127.0.0.1:1234"
  // The first key pair that it knows.
  S3Key key() const { return service_.rules().signature.keys.at(0); }
  S3Service& service() { return service_; }

  // From now on; the counters of the plan begin anew.
  void Use(std::shared_ptr<FaultPlan> plan);
  void Use(std::vector<FaultRule> rules, uint64_t seed = 1) {
    Use(std::make_shared<FaultPlan>(std::move(rules), seed));
  }
  void Use(const FaultFile& file);
  int faults_fired() const;
  // Called with each request before anything else is done with it, by the connection's thread; may say what goes wrong.
  using Hook = std::function<std::optional<Fault>(const S3Call& call)>;
  void SetHook(Hook hook);
  // Called when a request has been applied and its answer not yet been sent: the moment to kill a client.
  void SetAfterApply(std::function<void(const S3Call& call)> hook);

  std::vector<S3LogEntry> log() const;
  S3Calls calls() const;
  // "PutObject bucket/key -> 200" a line, for messages of tests.
  std::string LogText() const;
  void ResetLog();
  int connections() const { return server_->connections(); }

  // The bytes under the key of the bucket "bucket".
  std::optional<std::string> Content(const std::string& key) const;

 private:
  bool Serve(ServerConnection& connection, ServerRequest& request);
  std::optional<Fault> FaultFor(const S3Call& call);
  void ChangeStore(const S3Call& call, const Fault& fault);
  S3Reply Apply(const S3Call& call, const Fault& fault, bool* applied);
  void Complete(const S3LogEntry& entry);

  S3Service service_;
  const bool tls_;
  mutable Mutex mutex_;
  std::shared_ptr<FaultPlan> plan_ TAILRACE_GUARDED_BY(mutex_);
  Hook hook_ TAILRACE_GUARDED_BY(mutex_);
  std::function<void(const S3Call&)> after_apply_ TAILRACE_GUARDED_BY(mutex_);
  std::vector<S3LogEntry> log_ TAILRACE_GUARDED_BY(mutex_);
  int next_number_ TAILRACE_GUARDED_BY(mutex_) = 1;
  std::unique_ptr<ScriptedServer> server_;  // last: its threads use the rest
};

}  // namespace tailrace
