#include "testing/scripted_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <openssl/pem.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace tailrace {
namespace {

void Check(bool ok, const char* what) {
  if (ok) return;
  std::perror(what);
  std::abort();
}

// Binds to a free port; returns the listening socket.
int Listen(const std::string& address, int* port) {
  sockaddr_storage storage{};
  socklen_t size = sizeof(sockaddr_in);
  if (address.find(':') != address.npos) {
    auto* const v6 = reinterpret_cast<sockaddr_in6*>(&storage);
    v6->sin6_family = AF_INET6;
    Check(::inet_pton(AF_INET6, address.c_str(), &v6->sin6_addr) == 1, "inet_pton");
    size = sizeof(sockaddr_in6);
  } else {
    auto* const v4 = reinterpret_cast<sockaddr_in*>(&storage);
    v4->sin_family = AF_INET;
    Check(::inet_pton(AF_INET, address.c_str(), &v4->sin_addr) == 1, "inet_pton");
  }
  const int fd = ::socket(storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  Check(fd >= 0, "socket");
  Check(::bind(fd, reinterpret_cast<sockaddr*>(&storage), size) == 0, "bind");
  Check(::listen(fd, 64) == 0, "listen");
  Check(::getsockname(fd, reinterpret_cast<sockaddr*>(&storage), &size) == 0, "getsockname");
  // sin_port and sin6_port stand at the same place.
  *port = ntohs(reinterpret_cast<sockaddr_in*>(&storage)->sin_port);
  return fd;
}

SSL_CTX* MakeTls(const TlsCertificate& own) {
  SSL_CTX* const context = SSL_CTX_new(TLS_server_method());
  BIO* const certificate_pem = BIO_new_mem_buf(own.certificate.data(), static_cast<int>(own.certificate.size()));
  BIO* const key_pem = BIO_new_mem_buf(own.key.data(), static_cast<int>(own.key.size()));
  X509* const certificate = PEM_read_bio_X509(certificate_pem, nullptr, nullptr, nullptr);
  EVP_PKEY* const key = PEM_read_bio_PrivateKey(key_pem, nullptr, nullptr, nullptr);
  Check(SSL_CTX_use_certificate(context, certificate) == 1 && SSL_CTX_use_PrivateKey(context, key) == 1, "certificate");
  X509_free(certificate);
  EVP_PKEY_free(key);
  BIO_free(certificate_pem);
  BIO_free(key_pem);
  return context;
}

}  // namespace

ScriptedServer::ScriptedServer(Script script, ServerOptions options)
    : script_(std::move(script)), options_(std::move(options)) {
  if (options_.tls) tls_.reset(MakeTls(*options_.tls));
  listener_ = Listen(options_.address, &port_);
  acceptor_ = std::thread([this] { Accept(); });
}

ScriptedServer::~ScriptedServer() {
  {
    MutexLock lock(&mutex_);
    stopping_ = true;
  }
  ::shutdown(listener_, SHUT_RDWR);
  acceptor_.join();
  ::close(listener_);
  std::vector<std::thread> threads;
  {
    MutexLock lock(&mutex_);
    for (const auto& connection : connections_) {
      if (connection != nullptr) connection->Stop();
    }
    threads.swap(threads_);
  }
  for (std::thread& thread : threads) thread.join();
}

void ScriptedServer::Accept() {
  while (true) {
    const int fd = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (fd < 0) return;
    MutexLock lock(&mutex_);
    auto connection = std::make_unique<ServerConnection>(fd, static_cast<int>(connections_.size()) + 1);
    if (stopping_) return;
    threads_.emplace_back([this, raw = connection.get()] { Serve(raw); });
    connections_.push_back(std::move(connection));
  }
}

void ScriptedServer::Serve(ServerConnection* connection) {
  // OpenSSL writes to sockets without MSG_NOSIGNAL. Blocked in this thread alone: the client must do without.
  sigset_t broken_pipe;
  sigemptyset(&broken_pipe);
  sigaddset(&broken_pipe, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &broken_pipe, nullptr);
  bool keep = tls_ == nullptr || options_.tls_after_connect || connection->StartTls(tls_.get());
  ServerRequest request;
  while (keep && connection->ReadHead(&request)) {
    size_t place;
    {
      MutexLock lock(&mutex_);
      place = requests_.size();
      requests_.push_back(request);
    }
    keep = script_(*connection, request);
    const bool tunnel = keep && request.method == "CONNECT" && options_.tls_after_connect;
    {
      MutexLock lock(&mutex_);
      requests_[place] = request;
    }
    if (tunnel) keep = connection->StartTls(tls_.get());
  }
  MutexLock lock(&mutex_);
  // Closes it; the entry stays, since its place is its number.
  connections_[static_cast<size_t>(connection->number()) - 1].reset();
}

HttpUrl ScriptedServer::Url(const std::string& path, const std::string& query) const {
  return {.scheme = options_.tls && !options_.tls_after_connect ? "https" : "http",
          .host = options_.address,
          .port = port_,
          .path = path,
          .query = query};
}

int ScriptedServer::connections() const {
  MutexLock lock(&mutex_);
  return static_cast<int>(connections_.size());
}

std::vector<ServerRequest> ScriptedServer::requests() const {
  MutexLock lock(&mutex_);
  return requests_;
}

}  // namespace tailrace
