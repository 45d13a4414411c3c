#include "tests/s3/fault_kinds.h"

namespace tailrace::sim {
namespace {

const std::vector<std::string> kWithBody = {"CreateMultipartUpload", "UploadPart", "ListParts", "PutObject",
                                            "CompleteMultipartUpload"};
const std::vector<std::string> kConditional = {"PutObject", "CompleteMultipartUpload"};

FaultKind Answered(const std::string& name, int status, const std::string& code, ErrorKind kind) {
  return {.name = name,
          .fault = {.apply = false, .status = status, .code = code},
          .kinds = {kind},
          .cause = std::to_string(status) + " " + code};
}

FaultKind Unanswered(const std::string& name, bool applied) {
  return {.name = name,
          .fault = {.apply = applied, .no_reply = true, .end = Fault::End::kReset},
          .kinds = {ErrorKind::kTransient},
          .cause = "scripted reset"};
}

FaultKind Only(std::vector<std::string> operations, FaultKind kind) {
  kind.operations = std::move(operations);
  return kind;
}

FaultKind Final(FaultKind kind) {
  kind.mended = false;
  return kind;
}

FaultKind Changed(FaultKind kind, void (*change)(Fault*)) {
  change(&kind.fault);
  return kind;
}

}  // namespace

std::vector<FaultKind> FaultKinds() {
  std::vector<FaultKind> kinds = {
      Answered("InternalError", 500, "InternalError", ErrorKind::kTransient),
      Changed(Answered("InternalErrorYetDone", 500, "InternalError", ErrorKind::kTransient),
              [](Fault* fault) { fault->apply = true; }),
      Answered("SlowDown", 503, "SlowDown", ErrorKind::kThrottled),
      Changed(Answered("TooManyRequests", 429, "TooManyRequests", ErrorKind::kThrottled),
              [](Fault* fault) { fault->headers["Retry-After"] = "2"; }),
      Answered("RequestTimeout", 400, "RequestTimeout", ErrorKind::kTransient),
      Unanswered("NeverArrived", false),
      Unanswered("AnswerLost", true),
      Answered("ExpiredToken", 400, "ExpiredToken", ErrorKind::kDenied),
      // To HEAD, without a body, the answer's Date says so, which here is the right time.
      Only(kWithBody, Answered("RequestTimeTooSkewed", 403, "RequestTimeTooSkewed", ErrorKind::kDenied)),
      Final(Answered("AccessDenied", 403, "AccessDenied", ErrorKind::kDenied)),
      Final(Answered("NoSuchUpload", 404, "NoSuchUpload", ErrorKind::kUploadGone)),
      Only(kWithBody, Answered("ErrorInA200", 200, "InternalError", ErrorKind::kTransient)),
      // No store answers a look with it, and a 409 without a body names nothing that may go away.
      Only(kWithBody, Answered("OperationAborted", 409, "OperationAborted", ErrorKind::kTransient)),
      Only(kConditional,
           Answered("ConditionalRequestConflict", 409, "ConditionalRequestConflict", ErrorKind::kPrecondition)),
      Only({"UploadPart", "PutObject"}, Answered("BadDigest", 400, "BadDigest", ErrorKind::kTransient)),
  };
  kinds.push_back({.name = "NoCodeIn408",
                   .fault = {.apply = false, .status = 408, .body = "<html>Request Time-out</html>"},
                   .kinds = {ErrorKind::kTransient},
                   .cause = "408"});
  kinds.push_back({.name = "BadGateway",
                   .fault = {.apply = false, .status = 502, .body = "<html>Bad Gateway</html>"},
                   .kinds = {ErrorKind::kTransient},
                   .cause = "502"});
  return kinds;
}

}  // namespace tailrace::sim
