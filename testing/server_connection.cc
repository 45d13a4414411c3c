#include "testing/server_connection.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace tailrace {

ServerConnection::~ServerConnection() {
  if (tls_ != nullptr) SSL_free(tls_);
  ::close(fd_);
}

bool ServerConnection::StartTls(SSL_CTX* context) {
  tls_ = SSL_new(context);
  SSL_set_fd(tls_, fd_);
  return SSL_accept(tls_) == 1;
}

size_t ServerConnection::Read(char* bytes, size_t size) {
  const auto wanted = static_cast<int>(std::min(size, size_t{1} << 20));
  const ssize_t got = tls_ != nullptr ? SSL_read(tls_, bytes, wanted) : ::recv(fd_, bytes, wanted, 0);
  return got > 0 ? static_cast<size_t>(got) : 0;
}

bool ServerConnection::Fill() {
  char bytes[16 << 10];
  const size_t got = Read(bytes, sizeof bytes);
  read_.append(bytes, got);
  return got > 0;
}

bool ServerConnection::ReadHead(ServerRequest* request) {
  size_t end;
  while ((end = read_.find("\r\n\r\n")) == read_.npos) {
    if (!Fill()) return false;
  }
  const std::string head = read_.substr(0, end + 2);
  read_.erase(0, end + 4);
  *request = {.connection = number_};
  const size_t line_end = head.find("\r\n");
  const size_t first = head.find(' '), second = head.find(' ', first + 1);
  request->method = head.substr(0, first);
  request->target = head.substr(first + 1, second - first - 1);
  for (size_t at = line_end + 2; at < head.size();) {
    const size_t next = head.find("\r\n", at), colon = head.find(':', at);
    const size_t value = head.find_first_not_of(" \t", colon + 1);
    request->headers.Add(head.substr(at, colon - at), value < next ? head.substr(value, next - value) : "");
    at = next + 2;
  }
  return true;
}

bool ServerConnection::ReadBody(ServerRequest* request, int64_t limit) {
  const int64_t length = std::atoll(request->Header("content-length").c_str());
  const auto wanted = static_cast<size_t>(std::min(length, limit));
  request->body.reserve(wanted);
  while (request->body.size() < wanted) {
    if (read_.empty() && !Fill()) return false;
    const size_t take = std::min(read_.size(), wanted - request->body.size());
    request->body.append(read_, 0, take);
    read_.erase(0, take);
  }
  return true;
}

bool ServerConnection::DiscardBody(int64_t size, const std::function<void(int64_t)>& after_each) {
  const auto early = static_cast<size_t>(std::min<int64_t>(size, static_cast<int64_t>(read_.size())));
  read_.erase(0, early);
  size -= static_cast<int64_t>(early);
  // With TLS the bytes have to be decrypted somewhere.
  static thread_local char sink[64 << 10];
  while (size > 0) {
    const int64_t wanted = std::min<int64_t>(size, tls_ != nullptr ? sizeof sink : 1 << 20);
    const ssize_t got = tls_ != nullptr ? SSL_read(tls_, sink, static_cast<int>(wanted))
                                        : ::recv(fd_, nullptr, static_cast<size_t>(wanted), MSG_TRUNC);
    if (got <= 0) return false;
    size -= got;
    after_each(got);
  }
  return true;
}

bool ServerConnection::ReadLine(std::string* line) {
  size_t end;
  while ((end = read_.find("\r\n")) == read_.npos) {
    if (!Fill()) return false;
  }
  *line = read_.substr(0, end);
  read_.erase(0, end + 2);
  return true;
}

bool ServerConnection::DiscardChunks(const std::function<void(int64_t)>& after_each) {
  std::string line;
  while (ReadLine(&line)) {
    const int64_t size = std::strtoll(line.c_str(), nullptr, 16);
    if (size > 0) {
      if (!DiscardBody(size, after_each) || !ReadLine(&line)) return false;
      continue;
    }
    // Trailers, up to an empty line.
    do {
      if (!ReadLine(&line)) return false;
    } while (!line.empty());
    return true;
  }
  return false;
}

bool ServerConnection::Send(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto size = static_cast<int>(std::min(bytes.size(), size_t{1} << 20));
    const ssize_t sent =
        tls_ != nullptr ? SSL_write(tls_, bytes.data(), size) : ::send(fd_, bytes.data(), size, MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(sent));
  }
  return true;
}

bool ServerConnection::Reply(ServerRequest* request, int status, const std::string& body, const HttpHeaders& headers) {
  if (!ReadBody(request)) return false;
  const bool has_body = request->method != "HEAD";
  return SendReply(status, has_body ? body : "", headers);
}

bool ServerConnection::SendReply(int status, const std::string& body, const HttpHeaders& headers) {
  std::string text = "HTTP/1.1 " + std::to_string(status) + " Scripted\r\n";
  for (const auto& [name, value] : headers.fields()) text += name + ": " + value + "\r\n";
  if (!headers.Get("content-length")) text += "Content-Length: " + std::to_string(body.size()) + "\r\n";
  return Send(text + "\r\n" + body);
}

void ServerConnection::WaitForClose(std::chrono::milliseconds at_most) {
  const auto end = std::chrono::steady_clock::now() + at_most;
  while (!stopped_ && std::chrono::steady_clock::now() < end) {
    // Only hang-ups: readable bytes must not wake it.
    pollfd waited{.fd = fd_, .events = POLLRDHUP, .revents = 0};
    if (::poll(&waited, 1, 20) > 0) return;
  }
}

void ServerConnection::Reset() {
  const linger now{.l_onoff = 1, .l_linger = 0};
  ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &now, sizeof now);
}

void ServerConnection::Stop() {
  stopped_ = true;
  ::shutdown(fd_, SHUT_RDWR);
}

}  // namespace tailrace
