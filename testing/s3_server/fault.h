// What may go wrong with one exchange, as data; and files of it: tests/fault/*.json.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <arrow/result.h>

#include "base/mutex.h"
#include "testing/s3_server/s3_call.h"
#include "testing/s3_server/s3_service.h"

namespace tailrace {

// The default is an exchange that works. The steps happen in the order of the members.
struct Fault {
  // Read no more of the request's body than this, then answer (or end) without the rest. Never applied.
  std::optional<int64_t> read_body_bytes;
  bool apply = true;  // does the store do what the request asks?
  bool check_signature = true;
  std::chrono::milliseconds delay{0};  // after applying, before the answer

  // The answer: the store's own, with these replaced. `code` makes an error document as S3 does.
  std::optional<int> status;
  std::string code;
  std::string message = "scripted";
  std::optional<std::string> body;  // may hold ${bucket}, ${key}, ${upload_id}, ${etag} (of the own answer)
  std::map<std::string, std::optional<std::string>> headers;  // nullopt: taken out
  bool ignore_range = false;                                  // 200 and the whole object
  int64_t shift_range_bytes = 0;                              // other bytes than the answer says
  std::optional<int64_t> keep_body_bytes;                     // shorter body with a Content-Length that fits

  // On the wire. Without Content-Length where not plain, also to HEAD; kHttp10 ends with the connection.
  enum class Framing { kPlain, kChunked, kHttp10 } framing = Framing::kPlain;
  bool upper_case_headers = false;
  std::string lead;                         // bytes of the body sent first, before the answer's own body
  std::chrono::milliseconds lead_pause{0};  // between two bytes of `lead`
  std::optional<int64_t> send_bytes;        // of head and body together; then the end
  int64_t drip_bytes = 0;                   // so many at a time; 0: at once
  std::chrono::milliseconds drip_pause{0};
  bool no_reply = false;
  enum class End { kKeep, kClose, kReset, kHang } end = End::kKeep;  // kHang: silent until the peer closes

  // Changes to the server, before the request is applied: what happens to a store behind the client's back.
  bool expire_upload = false;              // the upload of this request
  bool delete_object = false;              // the object under the key
  bool expire_keys = false;                // all credentials
  std::optional<std::string> put_foreign;  // an object of somebody else under the key
  std::optional<std::chrono::seconds> clock_offset;
  std::optional<std::string> region;
};

// Which calls a rule is for. All that is set has to fit.
struct FaultWhen {
  std::string operation;  // "*": any
  std::optional<int> part_number;
  std::string key;
  int skip = 0;   // the first so many that fit are left alone
  int times = 1;  // then it holds for so many; -1: for ever
  // Of those so many in 100, drawn from the plan's seed.
  int percent = 100;
};

struct FaultRule {
  FaultWhen when;
  Fault fault;
};

struct FaultFile {
  std::string name;
  std::string about;                           // what it stands for
  std::vector<std::string> cases;              // rows of the list of reported failures, "C05"
  std::function<void(S3Rules*)> change_rules;  // how the store differs
  std::vector<FaultRule> rules;
};
// Strict: unknown names are refused.
arrow::Result<FaultFile> ParseFaultFile(const std::string& name, const std::string& json);
arrow::Result<FaultFile> ReadFaultFile(const std::string& path);
// Sets the rules that a JSON object names ("min_part_bytes": 1).
arrow::Result<std::function<void(S3Rules*)>> ParseS3Rules(const std::string& json);

// Rules in order; the first that fits a call is used. Thread-safe.
class FaultPlan {
 public:
  explicit FaultPlan(std::vector<FaultRule> rules, uint64_t seed = 1) : state_(seed) {
    for (FaultRule& rule : rules) rules_.push_back({std::move(rule)});
  }
  // nullopt: nothing is wrong.
  std::optional<Fault> Next(const S3Call& call) TAILRACE_EXCLUDES(mutex_);
  int fired() const TAILRACE_EXCLUDES(mutex_);

 private:
  struct Counted {
    FaultRule rule;
    int seen = 0;
  };
  int DrawPercent() TAILRACE_REQUIRES(mutex_);

  mutable Mutex mutex_;
  std::vector<Counted> rules_ TAILRACE_GUARDED_BY(mutex_);
  uint64_t state_ TAILRACE_GUARDED_BY(mutex_);
  int fired_ TAILRACE_GUARDED_BY(mutex_) = 0;
};

}  // namespace tailrace
