#include "http/curl_exchange.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "http/curl_error.h"

namespace tailrace {
namespace {

// How late a stop or a time-out may be noticed while nothing moves.
constexpr int kLookAgainMs = 100;
// With 64 KiB, libcurl's default, an upload costs half as much CPU again; beyond 512 KiB nothing is gained.
constexpr int64_t kUploadBuffer = 512 << 10, kSmallestUploadBuffer = 16 << 10;

bool IsSendable(std::string_view text) { return text.find_first_of(std::string_view("\r\n\0", 3)) == text.npos; }

bool IsVisible(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < '\x7f' && c != '#'; });
}

}  // namespace

CurlExchange::CurlExchange(const CurlSettings& settings, CurlSlot* slot, const HttpRequest& request,
                           const HttpSendOptions& options, Time asked)
    : settings_(settings),
      slot_(slot),
      easy_(slot->easy.get()),
      request_(request),
      options_(options),
      target_(request.method + " " + request.url.WithoutQuery()),
      reader_(target_, options.max_body_bytes),
      watch_(options.timeouts, {settings.options.low_speed_bytes_per_second, settings.options.low_speed_time},
             request.body.size(), asked, std::chrono::steady_clock::now()) {}

CurlExchange::~CurlExchange() {
  if (added_) curl_multi_remove_handle(slot_->multi.get(), easy_);
  curl_easy_reset(easy_);
}

Result<HttpResponse> CurlExchange::Run() {
  ARROW_RETURN_NOT_OK(SetUp());
  ARROW_ASSIGN_OR_RAISE(const CURLcode code, Perform());
  if (!reader_.failure().ok()) return reader_.failure();
  const bool answered_417 = code == CURLE_ABORTED_BY_CALLBACK && reader_.started();
  if (code != CURLE_OK && !answered_417) return FailureOf(code);
  // libcurl takes the end of the connection for the end of the headers.
  if (!reader_.head_complete()) return FailureOf(CURLE_PARTIAL_FILE);
  return reader_.Take();
}

template <typename T>
void CurlExchange::Set(CURLoption option, T value) {
  if (set_up_ == CURLE_OK) set_up_ = curl_easy_setopt(easy_, option, value);
}

Status CurlExchange::SetUp() {
  if (!IsVisible(request_.url.path) || !IsVisible(request_.url.query) || !IsVisible(request_.url.host) ||
      !IsVisible(request_.method)) {
    return MakeError(ErrorKind::kInvalid, "malformed URL: a character in it must be percent-encoded");
  }
  curl_easy_reset(easy_);
  SetCallbacks();
  ARROW_RETURN_NOT_OK(SetHeaders());
  SetMethod();
  SetConnection();
  SetTls();
  if (set_up_ == CURLE_OK) return Status::OK();
  return MakeError(ErrorKind::kInternal, target_ + ": libcurl refuses an option: " + curl_easy_strerror(set_up_));
}

void CurlExchange::SetCallbacks() {
  Set(CURLOPT_ERRORBUFFER, error_text_);
  Set(CURLOPT_READFUNCTION, &CurlExchange::OnRead);
  Set(CURLOPT_READDATA, this);
  Set(CURLOPT_SEEKFUNCTION, &CurlExchange::OnSeek);
  Set(CURLOPT_SEEKDATA, this);
  Set(CURLOPT_HEADERFUNCTION, &CurlExchange::OnHeader);
  Set(CURLOPT_HEADERDATA, this);
  Set(CURLOPT_WRITEFUNCTION, &CurlExchange::OnBody);
  Set(CURLOPT_WRITEDATA, this);
  Set(CURLOPT_PREREQFUNCTION, &CurlExchange::OnRequestStart);
  Set(CURLOPT_PREREQDATA, this);
}

Status CurlExchange::SetHeaders() {
  std::vector<std::string> lines;
  for (const auto& [name, value] : request_.headers.fields()) {
    if (name.empty() || !IsSendable(name) || name.find(':') != name.npos || !IsSendable(value)) {
      return MakeError(ErrorKind::kInvalid, target_ + ": a line end or NUL in the header '" +
                                                name.substr(0, name.find_first_of("\r\n:")) + "'");
    }
    // libcurl's form for a header without a value.
    lines.push_back(value.empty() ? name + ";" : name + ": " + value);
  }
  // libcurl would ask by itself from 1 MiB on, which costs a round trip, or a second where the server keeps silent.
  lines.push_back(request_.expect_continue ? "Expect: 100-continue" : "Expect:");
  for (const std::string& line : lines) {
    curl_slist* const longer = curl_slist_append(headers_.get(), line.c_str());
    if (longer == nullptr) return MakeError(ErrorKind::kTransient, target_ + ": out of memory");
    headers_.release();
    headers_.reset(longer);
  }
  Set(CURLOPT_HTTPHEADER, headers_.get());
  if (!request_.headers.Get("user-agent")) Set(CURLOPT_USERAGENT, settings_.user_agent.c_str());
  return Status::OK();
}

void CurlExchange::SetMethod() {
  const bool has_body = !request_.body.empty() || request_.method == "PUT" || request_.method == "POST";
  if (request_.method == "HEAD") {
    Set(CURLOPT_NOBODY, 1L);
  } else if (has_body) {
    Set(CURLOPT_UPLOAD, 1L);
    Set(CURLOPT_INFILESIZE_LARGE, static_cast<curl_off_t>(request_.body.size()));
    const int64_t buffer = std::clamp(request_.body.size(), kSmallestUploadBuffer, kUploadBuffer);
    Set(CURLOPT_UPLOAD_BUFFERSIZE, static_cast<long>(buffer));
    if (request_.method != "PUT") Set(CURLOPT_CUSTOMREQUEST, request_.method.c_str());
  } else if (request_.method != "GET") {
    Set(CURLOPT_CUSTOMREQUEST, request_.method.c_str());
  }
}

void CurlExchange::SetConnection() {
  const CurlOptions& options = settings_.options;
  Set(CURLOPT_URL, request_.url.ToString().c_str());
  Set(CURLOPT_PATH_AS_IS, 1L);  // "." and ".." may be in keys, and are signed
  Set(CURLOPT_PROTOCOLS_STR, "http,https");
  Set(CURLOPT_HTTP_VERSION, static_cast<long>(options.http2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1));
  Set(CURLOPT_NOSIGNAL, 1L);
  Set(CURLOPT_TCP_KEEPALIVE, 1L);
  Set(CURLOPT_SHARE, settings_.share);
  Set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(options_.timeouts.connect.count()));
  // Else a stop waits for the resolver's thread, which may take as long as DNS does.
  Set(CURLOPT_QUICK_EXIT, 1L);
  if (!options_.direct) {
    proxy_ = !options.proxy.empty()           ? options.proxy
             : request_.url.scheme == "https" ? settings_.proxies.https
                                              : settings_.proxies.http;
  }
  // Both are always set, so that libcurl does not look into the environment.
  Set(CURLOPT_PROXY, proxy_.c_str());
  Set(CURLOPT_NOPROXY, (options.no_proxy.empty() ? settings_.proxies.no_proxy : options.no_proxy).c_str());
  Set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
}

void CurlExchange::SetTls() {
  Set(CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
  Set(CURLOPT_SSL_VERIFYPEER, settings_.options.verify_tls ? 1L : 0L);
  Set(CURLOPT_SSL_VERIFYHOST, settings_.options.verify_tls ? 2L : 0L);
  if (settings_.ca_file.empty()) return;
  // The file alone decides: a folder that libcurl was compiled with would trust more than was asked for.
  Set(CURLOPT_CAINFO, settings_.ca_file.c_str());
  Set(CURLOPT_CAPATH, static_cast<const char*>(nullptr));
  Set(CURLOPT_PROXY_CAINFO, settings_.ca_file.c_str());
  Set(CURLOPT_PROXY_CAPATH, static_cast<const char*>(nullptr));
}

Result<CURLcode> CurlExchange::Perform() {
  CURLM* const multi = slot_->multi.get();
  if (const CURLMcode code = curl_multi_add_handle(multi, easy_); code != CURLM_OK) {
    return MakeError(ErrorKind::kInternal, target_ + ": libcurl: " + curl_multi_strerror(code));
  }
  added_ = true;
  while (true) {
    int running = 0, left = 0;
    const CURLMcode code = curl_multi_perform(multi, &running);
    if (code != CURLM_OK) {
      return MakeError(ErrorKind::kInternal, target_ + ": libcurl: " + curl_multi_strerror(code));
    }
    if (const CURLMsg* const message = curl_multi_info_read(multi, &left); message != nullptr) {
      return message->data.result;
    }
    if (options_.cancel != nullptr && options_.cancel->cancelled()) {
      return MakeError(ErrorKind::kCancelled, target_ + ": cancelled " + watch_.phase());
    }
    const std::string ran_out = watch_.Look(Progress(), std::chrono::steady_clock::now());
    if (!ran_out.empty()) {
      return MakeError(ErrorKind::kTransient, target_ + ": time-out " + watch_.phase() + ": " + ran_out);
    }
    curl_multi_poll(multi, nullptr, 0, kLookAgainMs, nullptr);
  }
}

ExchangeProgress CurlExchange::Progress() {
  curl_off_t sent = 0;
  curl_easy_getinfo(easy_, CURLINFO_SIZE_UPLOAD_T, &sent);
  return {.connected = starts_ > 0,
          .sent_bytes = sent,
          .answer_started = reader_.started(),
          .received_bytes = reader_.received_bytes()};
}

Status CurlExchange::FailureOf(CURLcode code) {
  long proxy_status = 0;
  curl_easy_getinfo(easy_, CURLINFO_HTTP_CONNECTCODE, &proxy_status);
  const ExchangeProgress progress = Progress();
  watch_.Look(progress, std::chrono::steady_clock::now());
  return CurlError(target_, {.code = code,
                             .detail = error_text_,
                             .proxy_status = static_cast<int>(proxy_status),
                             .phase = watch_.phase(),
                             .proxy = ProxyName(proxy_),
                             .sent_bytes = progress.sent_bytes,
                             .body_bytes = request_.body.size()});
}

size_t CurlExchange::OnRead(char* buffer, size_t size, size_t count, void* self) {
  auto* const exchange = static_cast<CurlExchange*>(self);
  const std::vector<ByteSlice>& slices = exchange->request_.body.slices();
  size_t room = size * count, done = 0;
  while (room > 0 && exchange->slice_ < slices.size()) {
    const ByteSlice& slice = slices[exchange->slice_];
    const size_t take = std::min(room, static_cast<size_t>(slice.size() - exchange->offset_));
    std::memcpy(buffer + done, slice.data() + exchange->offset_, take);
    done += take;
    room -= take;
    exchange->offset_ += static_cast<int64_t>(take);
    if (exchange->offset_ == slice.size()) {
      ++exchange->slice_;
      exchange->offset_ = 0;
    }
  }
  return done;
}

int CurlExchange::OnSeek(void* self, curl_off_t offset, int origin) {
  auto* const exchange = static_cast<CurlExchange*>(self);
  if (origin != SEEK_SET || offset < 0 || offset > exchange->request_.body.size()) return CURL_SEEKFUNC_FAIL;
  const std::vector<ByteSlice>& slices = exchange->request_.body.slices();
  exchange->slice_ = 0;
  exchange->offset_ = offset;
  while (exchange->slice_ < slices.size() && exchange->offset_ >= slices[exchange->slice_].size()) {
    exchange->offset_ -= slices[exchange->slice_++].size();
  }
  return CURL_SEEKFUNC_OK;
}

size_t CurlExchange::OnHeader(char* bytes, size_t size, size_t count, void* self) {
  const bool ok = static_cast<CurlExchange*>(self)->reader_.AddHeaderLine({bytes, size * count});
  return ok ? size * count : 0;
}

size_t CurlExchange::OnBody(char* bytes, size_t size, size_t count, void* self) {
  const bool ok = static_cast<CurlExchange*>(self)->reader_.AddBody({bytes, size * count});
  return ok ? size * count : 0;
}

// libcurl sends again by itself what went over a kept-alive connection that gave no answer, and what was answered with
// 417 (Expectation Failed), which is an answer like others here.
int CurlExchange::OnRequestStart(void* self, char*, char*, int, int) {
  auto* const exchange = static_cast<CurlExchange*>(self);
  const bool again = exchange->starts_++ > 0;
  const bool allowed = exchange->request_.resend_on_stale_connection && !exchange->reader_.started();
  return again && !allowed ? CURL_PREREQFUNC_ABORT : CURL_PREREQFUNC_OK;
}

}  // namespace tailrace
