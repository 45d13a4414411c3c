// What an answer that is no success means, and what may help. Pure.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "http/transport.h"
#include "tailrace/error.h"
#include "tailrace/object.h"

namespace tailrace {

// A failed answer in one piece: headers and body together.
struct S3Failure {
  int status = 0;
  std::string code;  // "NoSuchUpload"; empty where the answer holds none (HEAD, proxies)
  std::string message;
  std::string region;      // that the store names as the right one
  std::string location;    // where a redirect points: a URL, or a host alone
  std::string request_id;  // for whoever looks after the store
  std::optional<int> part_number;
  std::optional<std::chrono::milliseconds> retry_after;
  std::optional<Timestamp> server_time;
};

// nullopt for a success. A 2xx with an error document in its body is a failure where `body_may_be_error`: S3 answers
// some calls before it knows how they end.
std::optional<S3Failure> ReadFailure(const HttpResponse& response, bool body_may_be_error, Timestamp now);

// What to do before the request is sent again.
enum class S3Remedy {
  kNone,                // it can't change
  kRepeat,              // wait
  kSlowDown,            // wait; the store is alive and busy
  kRefreshCredentials,  // fetch others
  kCorrectClock,        // sign with the server's time
  kOtherRegion,         // sign for the region, or go to the host, that the answer names
};
S3Remedy RemedyFor(const S3Failure& failure);

// For the caller, once no remedy is left.
ErrorKind KindOfFailure(const S3Failure& failure);

// "503 SlowDown: Please reduce your request rate (request 4442587FB7D0A2F9)"
std::string Describe(const S3Failure& failure);

}  // namespace tailrace
