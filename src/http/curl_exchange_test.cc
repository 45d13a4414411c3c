// What goes over the wire, in both directions.
#include <gmock/gmock.h>

#include <mutex>

#include "http/transport_test.h"

namespace tailrace {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

bool Ok(ServerConnection& connection, ServerRequest& request) { return connection.Reply(&request, 200); }

TEST(CurlTransport, AnyStatusIsAGoodExchange) {
  ScriptedServer server([](ServerConnection& connection, ServerRequest& request) {
    return connection.Reply(&request, std::stoi(request.target.substr(1)), "body",
                            {{"Location", "http://127.0.0.1:1/elsewhere"}, {"x-amz-request-id", "R1"}});
  });
  const auto transport = MakeTestTransport();
  for (const int status : {200, 206, 301, 307, 400, 403, 404, 409, 412, 416, 429, 500, 503}) {
    ASSERT_OK_AND_ASSIGN(const HttpResponse response,
                         transport->Send(Get(server.Url("/" + std::to_string(status))), {}));
    EXPECT_EQ(response.status, status);
    EXPECT_EQ(response.body, "body");
    EXPECT_EQ(response.headers.Get("X-Amz-Request-Id"), "R1");
  }
  EXPECT_EQ(server.connections(), 1);
}

TEST(CurlTransport, SendsMethodPathQueryAndHeadersAsTheyStand) {
  ScriptedServer server(Ok);
  const auto transport = MakeTestTransport();
  HttpRequest request = Get(server.Url("/b/a%20%2B/./../x//y%C3%A4", "uploads=&a=%2F~"));
  request.headers = {{"x-amz-meta-name", "a  b"}, {"X-Empty", ""}, {"Range", "bytes=0-1"}};
  ASSERT_OK(transport->Send(request, {}));
  const ServerRequest seen = server.requests().at(0);
  EXPECT_EQ(seen.method, "GET");
  EXPECT_EQ(seen.target, "/b/a%20%2B/./../x//y%C3%A4?uploads=&a=%2F~");
  EXPECT_EQ(seen.Header("host"), "127.0.0.1:" + std::to_string(server.port()));
  EXPECT_EQ(seen.Header("x-amz-meta-name"), "a  b");
  EXPECT_EQ(seen.headers.Get("x-empty"), "");
  EXPECT_EQ(seen.Header("range"), "bytes=0-1");
  EXPECT_THAT(seen.Header("user-agent"), HasSubstr("tailrace/"));
  EXPECT_EQ(seen.headers.Get("content-length"), std::nullopt);
}

TEST(CurlTransport, EveryMethodHasItsBody) {
  std::mutex mutex;
  std::string body;
  ScriptedServer server([&](ServerConnection& connection, ServerRequest& request) {
    if (!connection.ReadBody(&request)) return false;
    std::lock_guard lock(mutex);
    body = request.body;
    return connection.SendReply(200, request.method == "HEAD" ? "" : "answer", {{"Content-Length", "6"}});
  });
  const auto transport = MakeTestTransport();
  for (const char* method : {"GET", "HEAD", "PUT", "POST", "DELETE"}) {
    for (const char* sent : {"", "some bytes"}) {
      if (std::string(method) == "HEAD" && *sent != 0) continue;
      HttpRequest request{.method = method, .url = server.Url()};
      request.body.Append(ByteSlice::Copy(sent));
      ASSERT_OK_AND_ASSIGN(const HttpResponse response, transport->Send(request, {}));
      EXPECT_EQ(response.body, std::string(method) == "HEAD" ? "" : "answer");
      const ServerRequest seen = server.requests().back();
      EXPECT_EQ(seen.method, method);
      std::lock_guard lock(mutex);
      EXPECT_EQ(body, sent) << method;
    }
  }
  for (const ServerRequest& seen : server.requests()) {
    const bool must_say = seen.method == "PUT" || seen.method == "POST";
    EXPECT_TRUE(!must_say || seen.headers.Get("content-length")) << seen.method;
    EXPECT_EQ(seen.headers.Get("transfer-encoding"), std::nullopt);
  }
  EXPECT_EQ(server.connections(), 1);
}

TEST(CurlTransport, ABodyOfManySlicesArrivesWhole) {
  std::mutex mutex;
  std::string received;
  ScriptedServer server([&](ServerConnection& connection, ServerRequest& request) {
    const bool keep = connection.ReadBody(&request);
    {
      std::lock_guard lock(mutex);
      received = request.body;
    }
    return keep && connection.SendReply(200);
  });
  const auto transport = MakeTestTransport();
  const std::string body = NumberedBytes(3'000'001);
  for (const size_t slice : {size_t{997}, size_t{65536}, size_t{1} << 20, body.size()}) {
    ASSERT_OK(transport->Send(Put(server.Url(), body, slice), {}));
    std::lock_guard lock(mutex);
    EXPECT_TRUE(received == body) << slice;
  }
  EXPECT_EQ(server.requests().at(0).headers.Get("expect"), std::nullopt);
}

TEST(CurlTransport, AnUploadIsSentFromItsSlicesTwiceWhereTheConnectionWasStale) {
  std::mutex mutex;
  std::vector<std::string> bodies;
  ScriptedServer server([&](ServerConnection& connection, ServerRequest& request) {
    if (request.target == "/first") return connection.Reply(&request, 200);
    if (connection.number() == 1) {
      connection.ReadBody(&request, 100'000);
      connection.Reset();
      return false;
    }
    const bool keep = connection.ReadBody(&request);
    {
      std::lock_guard lock(mutex);
      bodies.push_back(request.body);
    }
    return keep && connection.SendReply(200);
  });
  const auto transport = MakeTestTransport();
  ASSERT_OK(transport->Send(Get(server.Url("/first")), {}));
  HttpRequest request = Put(server.Url("/second"), NumberedBytes(500'000), 1000);
  request.resend_on_stale_connection = true;
  const auto result = transport->Send(request, {});
  // Bytes that went out before the reset was seen make it an error; what matters is that nothing is cut or doubled.
  std::lock_guard lock(mutex);
  if (result.ok()) {
    ASSERT_EQ(bodies.size(), 1u);
    EXPECT_TRUE(bodies[0] == NumberedBytes(500'000));
  } else {
    EXPECT_EQ(KindOf(result.status()), ErrorKind::kTransient) << result.status();
  }
}

// A server that closed a kept-alive connection just when the next request was on its way.
ScriptedServer::Script ClosesOnTheSecondRequest() {
  return [](ServerConnection& connection, ServerRequest& request) {
    if (connection.number() == 1 && request.target == "/second") return false;
    return connection.Reply(&request, 200);
  };
}

TEST(CurlTransport, AStaleConnectionIsAnErrorUnlessSendingAgainIsHarmless) {
  for (const char* method : {"GET", "POST", "PUT"}) {
    for (const bool resend : {false, true}) {
      ScriptedServer server(ClosesOnTheSecondRequest());
      const auto transport = MakeTestTransport();
      ASSERT_OK(transport->Send(Get(server.Url("/first")), {}));
      HttpRequest request{.method = method, .url = server.Url("/second"), .resend_on_stale_connection = resend};
      const auto result = transport->Send(request, {});
      if (resend) {
        EXPECT_OK(result);
        EXPECT_EQ(server.requests().size(), 3u) << method;
      } else {
        EXPECT_KIND(ErrorKind::kTransient, result);
        EXPECT_THAT(result.status().message(), HasSubstr("closed without an answer"));
        EXPECT_EQ(server.requests().size(), 2u) << method;
      }
    }
  }
}

TEST(CurlTransport, ASpeakingServerIsAskedBeforeTheBody) {
  ScriptedServer server([](ServerConnection& connection, ServerRequest& request) {
    if (request.Header("expect") != "100-continue") return false;
    return connection.Send("HTTP/1.1 100 Continue\r\n\r\n") && connection.Reply(&request, 200);
  });
  HttpRequest request = Put(server.Url(), NumberedBytes(300'000));
  request.expect_continue = true;
  const auto transport = MakeTestTransport();
  ASSERT_OK(transport->Send(request, {}));
  ASSERT_OK(transport->Send(request, {}));
  EXPECT_EQ(server.connections(), 1);
}

TEST(CurlTransport, ASilentServerGetsTheBodyAfterAWhile) {
  ScriptedServer server(Ok);
  HttpRequest request = Put(server.Url(), NumberedBytes(300'000));
  request.expect_continue = true;
  ASSERT_OK(MakeTestTransport()->Send(request, {}));
}

TEST(CurlTransport, ARefusalBeforeTheBodyEndsTheExchange) {
  std::mutex mutex;
  int64_t body_bytes = 0;
  ScriptedServer server([&](ServerConnection& connection, ServerRequest& request) {
    if (request.method == "GET") return connection.Reply(&request, 200);
    connection.SendReply(403, "<Error><Code>SignatureDoesNotMatch</Code></Error>");
    connection.ReadBody(&request);
    std::lock_guard lock(mutex);
    body_bytes = static_cast<int64_t>(request.body.size());
    return false;
  });
  HttpRequest request = Put(server.Url(), NumberedBytes(8 << 20));
  request.expect_continue = true;
  const auto transport = MakeTestTransport();
  ASSERT_OK_AND_ASSIGN(const HttpResponse response, transport->Send(request, {}));
  EXPECT_EQ(response.status, 403);
  EXPECT_THAT(response.body, HasSubstr("SignatureDoesNotMatch"));
  // The body was announced and not sent, so that connection is of no more use.
  ASSERT_OK(transport->Send(Get(server.Url()), {}));
  EXPECT_EQ(server.connections(), 2);
  std::lock_guard lock(mutex);
  EXPECT_EQ(body_bytes, 0);
}

TEST(CurlTransport, A417IsAnAnswerLikeOthers) {
  ScriptedServer server([](ServerConnection& connection, ServerRequest& request) {
    connection.SendReply(417);
    connection.ReadBody(&request);
    return false;
  });
  HttpRequest request = Put(server.Url(), NumberedBytes(300'000));
  request.expect_continue = true;
  ASSERT_OK_AND_ASSIGN(const HttpResponse response, MakeTestTransport()->Send(request, {}));
  EXPECT_EQ(response.status, 417);
}

TEST(CurlTransport, ALineEndInAHeaderIsRefused) {
  ScriptedServer server(Ok);
  const auto transport = MakeTestTransport();
  for (const auto& [name, value] : {std::pair<std::string, std::string>{"x-a", "b\r\nInjected: 1"},
                                    {"x-a", std::string("b\0c", 3)},
                                    {"x-a\r\nInjected", "1"},
                                    {"x:a", "1"},
                                    {"", "1"}}) {
    HttpRequest request = Get(server.Url());
    request.headers.Add(name, value);
    EXPECT_KIND(ErrorKind::kInvalid, transport->Send(request, {}));
  }
  EXPECT_EQ(server.connections(), 0);
}

TEST(CurlTransport, WhatCannotStandInAUrlIsRefused) {
  ScriptedServer server(Ok);
  const auto transport = MakeTestTransport();
  for (const char* path : {"/a b", "/\xc3\xa4", "/a\nb", "/a#b"}) {
    EXPECT_KIND(ErrorKind::kInvalid, transport->Send(Get(server.Url(path)), {}));
    EXPECT_KIND(ErrorKind::kInvalid, transport->Send(Get(server.Url("/", path)), {}));
  }
  EXPECT_EQ(server.connections(), 0);
}

TEST(CurlTransport, AnIpv6AddressWorks) {
  ScriptedServer server(Ok, {.address = "::1"});
  ASSERT_OK(MakeTestTransport()->Send(Get(server.Url()), {}));
  EXPECT_EQ(server.requests().at(0).Header("host"), "[::1]:" + std::to_string(server.port()));
}

TEST(CurlTransport, AnAnswerInChunksIsPutTogether) {
  ScriptedServer server([](ServerConnection& connection, ServerRequest&) {
    return connection.Send(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\nT: 1\r\n\r\n");
  });
  ASSERT_OK_AND_ASSIGN(const HttpResponse response, MakeTestTransport()->Send(Get(server.Url()), {}));
  EXPECT_EQ(response.body, "abcde");
  EXPECT_EQ(response.headers.Get("t"), std::nullopt);
}

}  // namespace
}  // namespace tailrace
