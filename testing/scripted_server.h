// A small HTTP/1.1 server on a loopback port, inside the test, that does what the test says.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/mutex.h"
#include "http/transport.h"
#include "testing/server_connection.h"
#include "testing/tls_certificate.h"

namespace tailrace {

struct ServerOptions {
  std::string address = "127.0.0.1";  // or "::1"
  std::optional<TlsCertificate> tls;  // every connection begins with TLS
  // ... or only after a CONNECT that the script has answered well, as behind a proxy.
  bool tls_after_connect = false;
};

// Each connection has a thread of its own.
class ScriptedServer {
 public:
  // Called with each request's head; false closes the connection.
  using Script = std::function<bool(ServerConnection& connection, ServerRequest& request)>;

  explicit ScriptedServer(Script script, ServerOptions options = {});
  // Ends all scripts' waiting and joins their threads.
  ~ScriptedServer();
  ScriptedServer(const ScriptedServer&) = delete;
  ScriptedServer& operator=(const ScriptedServer&) = delete;

  int port() const { return port_; }
  HttpUrl Url(const std::string& path = "/", const std::string& query = "") const;
  // Accepted so far.
  int connections() const;
  // All requests so far, as their heads came in. The body is there once the script has ended, which may be after its
  // answer has arrived.
  std::vector<ServerRequest> requests() const;

 private:
  void Accept();
  void Serve(ServerConnection* connection);

  const Script script_;
  const ServerOptions options_;
  std::unique_ptr<SSL_CTX, void (*)(SSL_CTX*)> tls_{nullptr, &SSL_CTX_free};
  int listener_ = -1;
  int port_ = 0;
  mutable Mutex mutex_;
  bool stopping_ TAILRACE_GUARDED_BY(mutex_) = false;
  std::vector<ServerRequest> requests_ TAILRACE_GUARDED_BY(mutex_);
  std::vector<std::unique_ptr<ServerConnection>> connections_ TAILRACE_GUARDED_BY(mutex_);
  std::vector<std::thread> threads_ TAILRACE_GUARDED_BY(mutex_);
  std::thread acceptor_;
};

}  // namespace tailrace
