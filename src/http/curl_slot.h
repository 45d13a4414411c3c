// One place for a connection: what libcurl keeps between exchanges.
#pragma once

#include <curl/curl.h>

#include <array>
#include <memory>
#include <mutex>
#include <string>

#include <arrow/result.h>

#include "tailrace/error.h"

namespace tailrace {

// Initialises libcurl, once in the life of the process; it is never cleaned up, since others may use it too.
Status InitCurl();

// libcurl's handles are all void*, so what frees one is part of its type.
template <auto Free>
struct CurlDeleter {
  template <typename T>
  void operator()(T* handle) const {
    Free(handle);
  }
};
using CurlEasy = std::unique_ptr<CURL, CurlDeleter<&curl_easy_cleanup>>;
using CurlMulti = std::unique_ptr<CURLM, CurlDeleter<&curl_multi_cleanup>>;
using CurlHeaderList = std::unique_ptr<curl_slist, CurlDeleter<&curl_slist_free_all>>;

// What the connections of one transport share: resolved names and TLS sessions. Thread-safe. Outlives the slots.
class CurlShare {
 public:
  static arrow::Result<std::unique_ptr<CurlShare>> Make();
  CURLSH* get() const { return handle_.get(); }

 private:
  CurlShare() = default;
  static void Lock(CURL* handle, curl_lock_data data, curl_lock_access access, void* self);
  static void Unlock(CURL* handle, curl_lock_data data, void* self);

  std::array<std::mutex, CURL_LOCK_DATA_LAST> mutexes_;
  std::unique_ptr<CURLSH, CurlDeleter<&curl_share_cleanup>> handle_;
};

// A multi handle with one transfer and at most one kept-alive connection. Driven by hand instead of by
// curl_easy_perform, which looks up only once a second, and knows time-outs of other kinds than ours. Used by one
// thread at a time.
struct CurlSlot {
  static arrow::Result<std::unique_ptr<CurlSlot>> Make();

  // The order matters: the easy handle goes first.
  CurlMulti multi;
  CurlEasy easy;
  std::string peer;  // scheme and authority that the connection leads to; empty at first
};

}  // namespace tailrace
