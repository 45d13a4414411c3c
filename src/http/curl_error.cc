#include "http/curl_error.h"

namespace tailrace {
namespace {

struct Meaning {
  ErrorKind kind;
  std::string_view text;
  bool with_detail = false;
};

Meaning MeaningOf(CURLcode code) {
  switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
      return {ErrorKind::kTransient, "the name of the host cannot be resolved: check it, and DNS"};
    case CURLE_COULDNT_RESOLVE_PROXY:
      return {ErrorKind::kTransient, "the name of the proxy cannot be resolved"};
    case CURLE_COULDNT_CONNECT:
    case CURLE_INTERFACE_FAILED:
      return {ErrorKind::kTransient, "no connection: refused or unreachable", true};
    case CURLE_OPERATION_TIMEDOUT:
      return {ErrorKind::kTransient, "time-out", true};
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
      return {ErrorKind::kTransient, "the connection was reset"};
    case CURLE_GOT_NOTHING:
      return {ErrorKind::kTransient, "the connection was closed without an answer"};
    case CURLE_PARTIAL_FILE:
      return {ErrorKind::kTransient, "the answer was cut"};
    case CURLE_SEND_FAIL_REWIND:
    case CURLE_ABORTED_BY_CALLBACK:
      return {ErrorKind::kTransient, "the kept-alive connection was closed without an answer"};
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_ISSUER_ERROR:
      return {ErrorKind::kDenied, "the server's TLS certificate was refused (CA file option, AWS_CA_BUNDLE)", true};
    case CURLE_SSL_CACERT_BADFILE:
      return {ErrorKind::kInvalid, "the file of trusted certificates is damaged (CA file option, AWS_CA_BUNDLE)"};
    case CURLE_SSL_CONNECT_ERROR:
      return {ErrorKind::kTransient, "the TLS handshake failed", true};
    case CURLE_PROXY:
      return {ErrorKind::kTransient, "the proxy failed"};
    case CURLE_WEIRD_SERVER_REPLY:
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_BAD_CONTENT_ENCODING:
      return {ErrorKind::kInvalid, "malformed answer: this is no HTTP server"};
    case CURLE_URL_MALFORMAT:
      return {ErrorKind::kInvalid, "malformed URL"};
    case CURLE_OUT_OF_MEMORY:
      return {ErrorKind::kTransient, "out of memory"};
    default:
      return {ErrorKind::kInternal, "libcurl failed"};
  }
}

// A proxy that answers CONNECT with an error refuses by rights (401, 403, 407), or could not reach the server.
Status ProxyError(const std::string& target, const CurlFailure& failure) {
  const bool denied = failure.proxy_status >= 400 && failure.proxy_status < 500 && failure.proxy_status != 408 &&
                      failure.proxy_status != 429;
  return MakeError(denied ? ErrorKind::kDenied : ErrorKind::kTransient,
                   target + ": the proxy " + failure.proxy + " answered " + std::to_string(failure.proxy_status) +
                       (denied ? "; check its user name and rules, or set NO_PROXY" : ""));
}

}  // namespace

Status CurlError(const std::string& target, const CurlFailure& failure) {
  if (failure.proxy_status >= 300) return ProxyError(target, failure);
  const Meaning meaning = MeaningOf(failure.code);
  std::string message = target + ": " + std::string(meaning.text);
  if (meaning.with_detail && !failure.detail.empty()) message += " (" + failure.detail + ")";
  if (meaning.kind == ErrorKind::kInternal) message += " with code " + std::to_string(failure.code);
  if (meaning.kind == ErrorKind::kTransient) {
    message += ", " + std::string(failure.phase);
    if (failure.body_bytes > 0) {
      message += ", " + std::to_string(failure.sent_bytes) + " of " + std::to_string(failure.body_bytes) +
                 " bytes of the body sent";
    }
  }
  return MakeError(meaning.kind, std::move(message));
}

}  // namespace tailrace
