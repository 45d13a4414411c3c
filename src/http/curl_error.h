// What a failed exchange of libcurl means.
#pragma once

#include <curl/curl.h>

#include <string>
#include <string_view>

#include "tailrace/error.h"

namespace tailrace {

struct CurlFailure {
  CURLcode code = CURLE_OK;
  std::string detail;      // libcurl's own words; used only where they cannot hold anything of the request
  int proxy_status = 0;    // the proxy's answer to CONNECT; 0 where it gave none
  std::string_view phase;  // "while connecting"
  std::string proxy;       // its name, without credentials; empty where none is set
  int64_t sent_bytes = 0;  // of the body
  int64_t body_bytes = 0;  // of the request
};

// `target` names the exchange: "PUT https://host/path".
Status CurlError(const std::string& target, const CurlFailure& failure);

}  // namespace tailrace
