// The server's side of one connection in a test: what a script does with it.
#pragma once

#include <openssl/ssl.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "http/transport.h"

namespace tailrace {

struct ServerRequest {
  std::string method;
  std::string target;  // as on the request line
  HttpHeaders headers;
  std::string body;    // empty until it is read
  int connection = 0;  // counted from 1
  std::string Header(const std::string& name) const { return headers.Get(name).value_or(""); }
};

// Used by one thread; Stop alone may come from another.
class ServerConnection {
 public:
  // Takes the descriptor.
  ServerConnection(int fd, int number) : fd_(fd), number_(number) {}
  ~ServerConnection();
  ServerConnection(const ServerConnection&) = delete;
  ServerConnection& operator=(const ServerConnection&) = delete;

  // All of these return false once the peer is gone.
  bool StartTls(SSL_CTX* context);
  bool ReadHead(ServerRequest* request);
  // As long as Content-Length says, or at most `limit` bytes of it.
  bool ReadBody(ServerRequest* request, int64_t limit = INT64_MAX);
  // Reads `size` bytes of the body and drops them, in the kernel where there is no TLS. `after_each` is told how many
  // came at once.
  bool DiscardBody(int64_t size, const std::function<void(int64_t)>& after_each);
  // The same for a body in chunks.
  bool DiscardChunks(const std::function<void(int64_t)>& after_each);
  bool Send(std::string_view bytes);
  // Reads the body, then sends an answer with Content-Length.
  bool Reply(ServerRequest* request, int status, const std::string& body = "", const HttpHeaders& headers = {});
  // Sends what Reply would send, but reads nothing.
  bool SendReply(int status, const std::string& body = "", const HttpHeaders& headers = {});
  // Until the peer closes, the server stops, or the time is over; bytes that come are left unread.
  void WaitForClose(std::chrono::milliseconds at_most = std::chrono::seconds(30));
  // The next close sends RST instead of FIN: what was not yet read by the peer is lost.
  void Reset();
  // Ends all waiting, from any thread.
  void Stop();
  int number() const { return number_; }

 private:
  // Up to `size` bytes; 0 at the end.
  size_t Read(char* bytes, size_t size);
  bool Fill();
  // Up to and with the line's end, which is cut off.
  bool ReadLine(std::string* line);

  const int fd_;
  const int number_;
  std::atomic<bool> stopped_ = false;
  SSL* tls_ = nullptr;
  std::string read_;  // read but not yet used
};

}  // namespace tailrace
