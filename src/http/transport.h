// HTTP exchanges. Transport does not judge: a 404 is a good exchange, and only an exchange that did not complete is an
// error. It neither retries nor follows redirects.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <arrow/result.h>

#include "base/environment.h"
#include "tailrace/bytes.h"
#include "tailrace/error.h"

namespace tailrace {

using arrow::Result;

// Names compare without case; order and repetitions are kept.
class HttpHeaders {
 public:
  HttpHeaders() = default;
  HttpHeaders(std::initializer_list<std::pair<std::string, std::string>> fields) : fields_(fields) {}

  void Add(std::string name, std::string value) { fields_.emplace_back(std::move(name), std::move(value)); }
  // Replaces all of that name.
  void Set(std::string_view name, std::string value);
  void Remove(std::string_view name);
  // The first of that name; nullopt where there is none.
  std::optional<std::string> Get(std::string_view name) const;
  const std::vector<std::pair<std::string, std::string>>& fields() const { return fields_; }

 private:
  std::vector<std::pair<std::string, std::string>> fields_;
};

// Where a request goes. Path and query are what stands on the wire: percent-encoded already.
struct HttpUrl {
  std::string scheme;  // "http" or "https"
  std::string host;    // name or address; an IPv6 address without brackets
  int port = 0;        // 0: the scheme's own
  std::string path = "/";
  std::string query;  // without '?'
  // An absolute URL with scheme http or https; the path may be missing. User names and fragments are refused, bytes
  // that cannot stand on the wire too. The message of kInvalid holds nothing of the query.
  static Result<HttpUrl> Parse(std::string_view text);
  // As in a Host header: with the port unless it is the scheme's own.
  std::string Authority() const;
  // Query and all: never for a message.
  std::string ToString() const;
  // "https://host/path", for messages.
  std::string WithoutQuery() const;
  friend bool operator==(const HttpUrl&, const HttpUrl&) = default;
};

struct HttpRequest {
  std::string method;
  HttpUrl url;
  HttpHeaders headers;
  ByteSlices body;  // sent from its slices, without a copy of ours
  // Ask the server before the body is sent; a final answer to the headers ends the exchange then.
  bool expect_continue = false;
  // A kept-alive connection may turn out to be closed only when the request is on its way, and nobody knows whether
  // the server saw it. Where seeing it twice does no harm it is sent again on a new connection; else that is an error.
  bool resend_on_stale_connection = false;
};

struct HttpResponse {
  int status = 0;
  HttpHeaders headers;
  std::string body;
  int attempts = 1;  // requests that it took
};

// A request that stands for a stop from outside. Thread-safe.
class CancelToken {
 public:
  void Cancel() { cancelled_.store(true); }
  bool cancelled() const { return cancelled_.load(); }

 private:
  std::atomic<bool> cancelled_ = false;
};

struct HttpTimeouts {
  // None where 0.
  std::chrono::milliseconds connect{10'000};       // name, connection and TLS
  std::chrono::milliseconds idle{30'000};          // no byte either way, the wait for the answer apart
  std::chrono::milliseconds first_answer{60'000};  // from the last byte sent to the first byte of the answer
  std::chrono::milliseconds total{0};              // with the wait for a free connection
};

struct HttpSendOptions {
  HttpTimeouts timeouts;
  int64_t max_body_bytes = int64_t{64} << 20;  // of the answer; more is kLimit
  const CancelToken* cancel = nullptr;         // looked at at least once a second
  bool direct = false;                         // never through a proxy: link-local services hand out credentials
  int attempt = 1;                             // how often the caller has sent it, this time included; for the trace
};

// Thread-safe. Send blocks; at most `max_connections` exchanges run at once, the others wait for their turn.
class HttpTransport {
 public:
  virtual ~HttpTransport() = default;
  // Kinds: kTransient (DNS failure, refused, reset, cut body, time-out; the message says which), kDenied (TLS
  // verification failed, proxy refused), kInvalid (malformed answer or URL), kLimit, kCancelled. The message names
  // method, host and path, never a header or query value.
  virtual Result<HttpResponse> Send(const HttpRequest& request, const HttpSendOptions& options) = 0;
};

struct CurlOptions {
  int max_connections = 16;
  bool http2 = false;
  std::string ca_file;  // empty: AWS_CA_BUNDLE, SSL_CERT_FILE, then the known system paths
  bool verify_tls = true;
  // Empty: from the environment, as curl reads it: http_proxy (not HTTP_PROXY, which a CGI client can set),
  // https_proxy, all_proxy, no_proxy; but for http_proxy in upper case too.
  std::string proxy;
  std::string no_proxy;
  Environment environment = ProcessEnvironment();  // read once, when the transport is made
  // Slower than this for `low_speed_time` while bytes should flow is a time-out; 0: no limit.
  int64_t low_speed_bytes_per_second = 1024;
  std::chrono::seconds low_speed_time{30};
  std::string user_agent;  // empty: "tailrace/VERSION"
};
// kInvalid where the CA file cannot be read or an option makes no sense; names the setting.
Result<std::shared_ptr<HttpTransport>> MakeCurlTransport(const CurlOptions& options);

}  // namespace tailrace
