// What the tests of the curl transport share.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "http/transport.h"
#include "testing/fake_environment.h"
#include "testing/scripted_server.h"
#include "testing/status_macros.h"

namespace tailrace {

// Knows nothing of the environment that the tests run in.
inline std::shared_ptr<HttpTransport> MakeTestTransport(CurlOptions options = {},
                                                        std::map<std::string, std::string> environment = {}) {
  options.environment = FakeEnvironment(std::move(environment));
  auto transport = MakeCurlTransport(options);
  EXPECT_TRUE(transport.ok()) << transport.status();
  return *transport;
}

inline HttpRequest Get(HttpUrl url) { return {.method = "GET", .url = std::move(url)}; }

// In slices of `slice_bytes`, so that the body is sent from many.
inline HttpRequest Put(HttpUrl url, const std::string& body, size_t slice_bytes = 1 << 20) {
  HttpRequest request{.method = "PUT", .url = std::move(url)};
  for (size_t at = 0; at < body.size(); at += slice_bytes) {
    request.body.Append(ByteSlice::Copy(body.substr(at, slice_bytes)));
  }
  return request;
}

// Bytes that show where one is missing or out of place.
inline std::string NumberedBytes(size_t size) {
  std::string bytes;
  for (uint32_t i = 0; bytes.size() < size; ++i) bytes.append(reinterpret_cast<const char*>(&i), sizeof i);
  bytes.resize(size);
  return bytes;
}

class Stopwatch {
 public:
  std::chrono::milliseconds Elapsed() const {
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - start_);
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace tailrace
