// A line for each exchange, for whoever looks for what goes wrong between a program and a store.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/environment.h"
#include "http/transport.h"

namespace tailrace {

using TraceSink = std::function<void(const std::string& line)>;

// Tells `sink`, from whichever thread, once an exchange is over: method, URL, attempt, status or failure, bytes each
// way, time, the server's number of the request.
//   "PUT https://host/bucket/k?partNumber=3&uploadId attempt 2: 503 in 12 ms, 16384 bytes sent, 230 received, request
//   7A"
// Never a header, a body, or the value of a query parameter that could be a signature or token; of local services that
// hand out credentials not even the path.
std::shared_ptr<HttpTransport> MakeTracingTransport(std::shared_ptr<HttpTransport> inner, TraceSink sink);

// With lines on standard error where the variable TAILRACE_LOG is "trace"; else `transport` itself.
std::shared_ptr<HttpTransport> TraceIfAsked(std::shared_ptr<HttpTransport> transport, const Environment& environment);

}  // namespace tailrace
