#include "testing/s3_server/s3_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <string>

#include <gtest/gtest.h>

#include "testing/status_macros.h"

namespace tailrace {
namespace {

// A client that knows nothing: bytes there and back.
class RawClient {
 public:
  explicit RawClient(int port) : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{.sin_family = AF_INET, .sin_port = htons(static_cast<uint16_t>(port))};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    const timeval limit{.tv_sec = 10};
    ::setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  }
  ~RawClient() { ::close(fd_); }
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  void Send(const std::string& bytes) { ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL); }
  void Request(const std::string& method, const std::string& target, const std::string& body = "",
               const std::string& more_headers = "") {
    Send(method + " " + target + " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: " + std::to_string(body.size()) +
         "\r\n" + more_headers + "\r\n" + body);
  }
  // One whole answer by its Content-Length, which for HEAD counts what is not sent; what came before the end otherwise.
  std::string ReadReply(bool of_head = false) {
    size_t head;
    while ((head = got_.find("\r\n\r\n")) == got_.npos) {
      if (!Fill()) return std::move(got_);
    }
    const size_t length_at = got_.find("Content-Length: ");
    const size_t length = !of_head && length_at < head ? std::stoul(got_.substr(length_at + 16)) : 0;
    while (got_.size() < head + 4 + length) {
      if (!Fill()) return std::move(got_);
    }
    const std::string reply = got_.substr(0, head + 4 + length);
    got_.erase(0, reply.size());
    return reply;
  }
  // What comes until the server ends the connection; `reset` tells how it did.
  std::string ReadToEnd(bool* reset = nullptr) {
    while (Fill()) {
    }
    if (reset != nullptr) *reset = reset_;
    return std::move(got_);
  }

 private:
  bool Fill() {
    char bytes[4096];
    const ssize_t n = ::recv(fd_, bytes, sizeof bytes, 0);
    reset_ = n < 0 && errno == ECONNRESET;
    if (n > 0) got_.append(bytes, static_cast<size_t>(n));
    return n > 0;
  }

  const int fd_;
  bool reset_ = false;
  std::string got_;
};

std::string StatusLine(const std::string& reply) { return reply.substr(0, reply.find("\r\n")); }
std::string Body(const std::string& reply) { return reply.substr(std::min(reply.find("\r\n\r\n") + 4, reply.size())); }

class S3ServerTest : public ::testing::Test {
 protected:
  S3ServerTest() {
    server_.service().Change([](S3Rules* rules) { rules->signature.allow_anonymous = true; });
  }
  S3Server server_;
};

TEST_F(S3ServerTest, AnswersOneAfterTheOtherOnOneConnection) {
  RawClient client(server_.port());
  client.Request("PUT", "/bucket/k", "hello");
  EXPECT_EQ(StatusLine(client.ReadReply()), "HTTP/1.1 200 OK");
  client.Request("GET", "/bucket/k");
  EXPECT_EQ(Body(client.ReadReply()), "hello");
  client.Request("HEAD", "/bucket/none");
  const std::string head = client.ReadReply(true);
  EXPECT_EQ(StatusLine(head), "HTTP/1.1 404 Not Found");
  EXPECT_EQ(Body(head), "") << "HEAD has no body";
  EXPECT_EQ(server_.connections(), 1);
  EXPECT_EQ(server_.calls(), (S3Calls{{"PutObject", 1}, {"GetObject", 1}, {"HeadObject", 1}}));
  EXPECT_EQ(server_.Content("k"), "hello");
  EXPECT_EQ(server_.log()[0].body_bytes, 5);
  EXPECT_TRUE(server_.log()[0].applied);
  EXPECT_EQ(server_.log()[2].status, 404);
}

TEST_F(S3ServerTest, UnsignedIsRefusedAndSecretsStayOutOfTheLog) {
  server_.service().Change([](S3Rules* rules) { rules->signature.allow_anonymous = false; });
  RawClient client(server_.port());
  client.Request("PUT", "/bucket/k", "x");
  EXPECT_NE(client.ReadReply().find("<Code>AccessDenied</Code>"), std::string::npos);
  client.Request("PUT", "/bucket/k", "x", "Authorization: secret-signature\r\nx-amz-security-token: secret-token\r\n");
  client.ReadReply();
  EXPECT_EQ(server_.Content("k"), std::nullopt);
  EXPECT_EQ(server_.log()[0].code, "AccessDenied");
  for (const auto& [name, value] : server_.log()[1].headers.fields()) EXPECT_EQ(value.find("secret"), value.npos);
}

TEST_F(S3ServerTest, AsksForBodyWhereTheClientWaits) {
  RawClient client(server_.port());
  client.Send("PUT /bucket/k HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n");
  EXPECT_EQ(StatusLine(client.ReadReply()), "HTTP/1.1 100 Continue");
  client.Send("abc");
  EXPECT_EQ(StatusLine(client.ReadReply()), "HTTP/1.1 200 OK");
}

TEST_F(S3ServerTest, RefusesBeforeBodyWhereScripted) {
  server_.Use({{{.operation = "PutObject"}, {.read_body_bytes = 0, .status = 503, .code = "SlowDown"}}});
  RawClient client(server_.port());
  client.Send("PUT /bucket/k HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n");
  EXPECT_EQ(StatusLine(client.ReadReply()), "HTTP/1.1 503 Slow Down");
  EXPECT_EQ(client.ReadToEnd(), "") << "the connection cannot be used again";
  EXPECT_EQ(server_.Content("k"), std::nullopt);
}

TEST_F(S3ServerTest, AppliedButNotAnswered) {
  server_.Use({{{.operation = "PutObject"}, {.no_reply = true, .end = Fault::End::kClose}}});
  RawClient client(server_.port());
  client.Request("PUT", "/bucket/k", "x");
  bool reset = true;
  EXPECT_EQ(client.ReadToEnd(&reset), "");
  EXPECT_FALSE(reset);
  EXPECT_EQ(server_.Content("k"), "x");
  EXPECT_EQ(server_.log()[0].status, 0);
  EXPECT_TRUE(server_.log()[0].faulty);
  EXPECT_EQ(server_.faults_fired(), 1);
}

TEST_F(S3ServerTest, AnsweredButNotApplied) {
  server_.Use({{{.operation = "PutObject"}, {.apply = false, .status = 200}}});
  RawClient client(server_.port());
  client.Request("PUT", "/bucket/k", "x");
  EXPECT_EQ(StatusLine(client.ReadReply()), "HTTP/1.1 200 OK");
  EXPECT_EQ(server_.Content("k"), std::nullopt);
  EXPECT_FALSE(server_.log()[0].applied);
}

TEST_F(S3ServerTest, ResetsInsideTheBody) {
  server_.Use({{{.operation = "PutObject"}, {.read_body_bytes = 4, .no_reply = true, .end = Fault::End::kReset}}});
  RawClient client(server_.port());
  client.Request("PUT", "/bucket/k", std::string(100000, 'x'));
  bool reset = false;
  EXPECT_EQ(client.ReadToEnd(&reset), "");
  EXPECT_TRUE(reset);
  EXPECT_EQ(server_.log()[0].body_bytes, 4);
}

TEST_F(S3ServerTest, CutsAndDripsAnswers) {
  server_.service().PutForeign("bucket", "k", std::string(1000, 'k'));
  server_.Use({{{.operation = "GetObject"}, {.send_bytes = 600, .end = Fault::End::kClose}},
               {{.operation = "GetObject"}, {.drip_bytes = 100, .drip_pause = std::chrono::milliseconds(2)}}});
  RawClient cut(server_.port());
  cut.Request("GET", "/bucket/k");
  EXPECT_EQ(cut.ReadToEnd().size(), 600);
  RawClient drip(server_.port());
  const auto begin = std::chrono::steady_clock::now();
  drip.Request("GET", "/bucket/k");
  EXPECT_EQ(Body(drip.ReadReply()), std::string(1000, 'k'));
  EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(18));
}

TEST_F(S3ServerTest, HangsUntilTheClientGoes) {
  server_.Use({{{.operation = "GetObject"}, {.no_reply = true, .end = Fault::End::kHang}}});
  auto client = std::make_unique<RawClient>(server_.port());
  client->Request("GET", "/bucket/k");
  while (server_.faults_fired() == 0) ::usleep(1000);
  client.reset();
  RawClient next(server_.port());
  next.Request("GET", "/bucket/k");
  EXPECT_EQ(StatusLine(next.ReadReply()), "HTTP/1.1 404 Not Found");
}

TEST_F(S3ServerTest, DestructionEndsAllWaiting) {
  auto server = std::make_unique<S3Server>();
  server->Use({{{.operation = "*", .times = -1}, {.delay = std::chrono::seconds(600)}}});
  RawClient client(server->port());
  client.Request("GET", "/bucket/k");
  while (server->faults_fired() == 0) ::usleep(1000);
  const auto begin = std::chrono::steady_clock::now();
  server.reset();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
}

TEST_F(S3ServerTest, ChangesAnswers) {
  server_.service().PutForeign("bucket", "k", "0123456789");
  server_.Use({{{.operation = "GetObject"}, {.ignore_range = true}},
               {{.operation = "GetObject"}, {.shift_range_bytes = 1}},
               {{.operation = "HeadObject"}, {.headers = {{"ETag", std::nullopt}, {"x-more", "1 ${key}"}}}},
               {{.operation = "GetObject"}, {.body = "tag ${etag} of ${bucket}/${key}", .lead = "  "}}});
  RawClient client(server_.port());
  client.Request("GET", "/bucket/k", "", "Range: bytes=2-4\r\n");
  EXPECT_EQ(Body(client.ReadReply()), "0123456789");
  client.Request("GET", "/bucket/k", "", "Range: bytes=2-4\r\n");
  EXPECT_EQ(Body(client.ReadReply()), "342");
  client.Request("HEAD", "/bucket/k");
  const std::string head = client.ReadReply(true);
  EXPECT_EQ(head.find("ETag"), head.npos);
  EXPECT_NE(head.find("x-more: 1 k"), head.npos);
  client.Request("GET", "/bucket/k");
  EXPECT_EQ(Body(client.ReadReply()), "  tag \"781e5e245d69b566979b86e28d23f2c7\" of bucket/k");
}

TEST_F(S3ServerTest, ChangesTheStoreBehindTheClient) {
  server_.service().PutForeign("bucket", "k", "old");
  server_.Use({{{.operation = "GetObject"}, {.put_foreign = "new"}},
               {{.operation = "GetObject"}, {.delete_object = true}},
               {{.operation = "HeadBucket"}, {.clock_offset = std::chrono::hours(24 * 365), .region = "r"}}});
  RawClient client(server_.port());
  client.Request("GET", "/bucket/k");
  EXPECT_EQ(Body(client.ReadReply()), "new");
  client.Request("GET", "/bucket/k");
  EXPECT_EQ(StatusLine(client.ReadReply()), "HTTP/1.1 404 Not Found");
  client.Request("HEAD", "/bucket");
  client.ReadReply();
  EXPECT_EQ(server_.service().rules().signature.region, "r");
  EXPECT_GT(server_.service().Now(),
            Timestamp(std::chrono::duration_cast<std::chrono::microseconds>(
                (std::chrono::system_clock::now() + std::chrono::hours(24)).time_since_epoch())));
}

TEST_F(S3ServerTest, HooksSeeEachRequestBeforeAndAfterItIsApplied) {
  std::vector<std::string> seen;
  server_.SetHook([&](const S3Call& call) -> std::optional<Fault> {
    seen.push_back("before " + call.operation);
    if (call.operation == "DeleteObject") return Fault{.status = 500};
    return std::nullopt;
  });
  server_.SetAfterApply([&](const S3Call&) { seen.push_back("after " + server_.Content("k").value_or("-")); });
  RawClient client(server_.port());
  client.Request("PUT", "/bucket/k", "x");
  client.ReadReply();
  client.Request("DELETE", "/bucket/k");
  EXPECT_EQ(StatusLine(client.ReadReply()), "HTTP/1.1 500 Scripted");
  EXPECT_THAT(seen, ::testing::ElementsAre("before PutObject", "after x", "before DeleteObject", "after -"));
  EXPECT_EQ(server_.LogText(),
            "1 PutObject bucket/k -> 200, applied\n2 DeleteObject bucket/k -> 500, faulty, applied\n");
}

TEST_F(S3ServerTest, NonsenseIsAnsweredAndCounted) {
  RawClient client(server_.port());
  client.Request("PATCH", "/bucket/k");
  EXPECT_EQ(StatusLine(client.ReadReply()), "HTTP/1.1 405 Scripted");
  client.Request("GET", "/bucket/a+b");
  EXPECT_NE(client.ReadReply().find("InvalidURI"), std::string::npos);
  EXPECT_EQ(server_.calls(), (S3Calls{{"", 2}}));
}

TEST_F(S3ServerTest, TakesFaultsAndRulesFromFiles) {
  ASSERT_OK_AND_ASSIGN(const FaultFile file, ReadFaultFile(TAILRACE_FAULT_FOLDER "/store-few-parts.json"));
  server_.Use(file);
  EXPECT_EQ(server_.service().rules().max_parts, 12);
}

}  // namespace
}  // namespace tailrace
