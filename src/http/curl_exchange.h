// One exchange over one slot of the pool.
#pragma once

#include <curl/curl.h>

#include <chrono>
#include <cstdint>
#include <string>

#include "http/curl_slot.h"
#include "http/exchange_watch.h"
#include "http/proxy.h"
#include "http/response_reader.h"
#include "http/transport.h"

namespace tailrace {

// What is the same for all exchanges of a transport. Constant after construction.
struct CurlSettings {
  CurlOptions options;
  ProxySettings proxies;
  std::string ca_file;  // empty: libcurl's own default
  std::string user_agent;
  CURLSH* share = nullptr;
};

// Lives for one call of Send, in one thread. The slot is as good as new afterwards, whatever happened: a connection
// whose exchange did not end well is closed.
class CurlExchange {
 public:
  using Time = std::chrono::steady_clock::time_point;
  // REQUIRES: all arguments outlive it.
  CurlExchange(const CurlSettings& settings, CurlSlot* slot, const HttpRequest& request, const HttpSendOptions& options,
               Time asked);
  ~CurlExchange();
  CurlExchange(const CurlExchange&) = delete;
  CurlExchange& operator=(const CurlExchange&) = delete;

  Result<HttpResponse> Run();

 private:
  Status SetUp();
  Status SetHeaders();
  void SetMethod();
  void SetConnection();
  void SetTls();
  void SetCallbacks();
  // Until libcurl is done, or a limit or the caller ends it.
  Result<CURLcode> Perform();
  Status FailureOf(CURLcode code);
  ExchangeProgress Progress();
  template <typename T>
  void Set(CURLoption option, T value);

  static size_t OnRead(char* buffer, size_t size, size_t count, void* self);
  static int OnSeek(void* self, curl_off_t offset, int origin);
  static size_t OnHeader(char* bytes, size_t size, size_t count, void* self);
  static size_t OnBody(char* bytes, size_t size, size_t count, void* self);
  static int OnRequestStart(void* self, char* remote, char* local, int remote_port, int local_port);

  const CurlSettings& settings_;
  CurlSlot* const slot_;
  CURL* const easy_;
  const HttpRequest& request_;
  const HttpSendOptions& options_;
  const std::string target_;  // names the exchange in messages
  std::string proxy_;         // empty: none
  ResponseReader reader_;
  ExchangeWatch watch_;
  CurlHeaderList headers_;
  CURLcode set_up_ = CURLE_OK;
  bool added_ = false;  // to the multi handle
  // Where the next byte of the body is.
  size_t slice_ = 0;
  int64_t offset_ = 0;
  int starts_ = 0;  // how often the request was begun to be sent
  char error_text_[CURL_ERROR_SIZE] = {};
};

}  // namespace tailrace
