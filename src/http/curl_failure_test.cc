// Exchanges that fail: which kind it is, and how soon.
#include <gmock/gmock.h>

#include <algorithm>
#include <optional>
#include <thread>

#include "http/transport_test.h"

namespace tailrace {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::HasSubstr;
using testing::Not;

constexpr char kSecret[] = "feedfacecafe";

// Every failure must name method, host and path, and nothing secret.
void ExpectFailure(const Result<HttpResponse>& result, ErrorKind kind, const std::string& words) {
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(KindOf(result.status()), kind) << result.status();
  EXPECT_THAT(result.status().message(), HasSubstr(words));
  EXPECT_THAT(result.status().message(), HasSubstr("PUT http://127.0.0.1:"));
  EXPECT_THAT(result.status().message(), HasSubstr("/b/key: "));
  EXPECT_THAT(result.status().ToString(), Not(HasSubstr(kSecret)));
}

HttpRequest SecretPut(const ScriptedServer& server, size_t size) {
  HttpRequest request =
      Put(server.Url("/b/key", std::string("X-Amz-Signature=") + kSecret), NumberedBytes(size), 100'000);
  request.headers.Add("Authorization", std::string("AWS4-HMAC-SHA256 Signature=") + kSecret);
  request.headers.Add("x-amz-security-token", kSecret);
  return request;
}

const HttpSendOptions kShort{
    .timeouts = {.connect = milliseconds(500), .idle = milliseconds(300), .first_answer = milliseconds(400)}};

struct Fault {
  const char* name;
  ScriptedServer::Script script;
  ErrorKind kind;
  const char* words;
  size_t body_bytes = 4 << 20;
};

std::vector<Fault> FaultsBeforeTheAnswer() {
  return {
      {"reset before the body",
       [](ServerConnection& connection, ServerRequest&) {
         connection.Reset();
         return false;
       },
       ErrorKind::kTransient, "reset"},
      {"reset within the body",
       [](ServerConnection& connection, ServerRequest& request) {
         connection.ReadBody(&request, 1 << 20);
         connection.Reset();
         return false;
       },
       ErrorKind::kTransient, "reset"},
      {"reset after the body",
       [](ServerConnection& connection, ServerRequest& request) {
         connection.ReadBody(&request);
         connection.Reset();
         return false;
       },
       ErrorKind::kTransient, "while waiting for the answer, 1000 of 1000 bytes", 1000},
      {"closed after the body",
       [](ServerConnection& connection, ServerRequest& request) {
         connection.ReadBody(&request);
         return false;
       },
       ErrorKind::kTransient, "closed without an answer", 1000},
      {"no answer (C42)",
       [](ServerConnection& connection, ServerRequest& request) {
         connection.ReadBody(&request);
         connection.WaitForClose();
         return false;
       },
       ErrorKind::kTransient, "no answer for 400 ms", 1000},
      {"reads nothing (C42)",
       [](ServerConnection& connection, ServerRequest&) {
         connection.WaitForClose();
         return false;
       },
       ErrorKind::kTransient, "no byte for 300 ms", 64 << 20},
  };
}

std::vector<Fault> FaultsOfTheAnswer() {
  return {
      {"answer stops within its headers",
       [](ServerConnection& connection, ServerRequest& request) {
         connection.ReadBody(&request);
         connection.Send("HTTP/1.1 200 OK\r\nContent-Le");
         connection.WaitForClose();
         return false;
       },
       ErrorKind::kTransient, "no byte for 300 ms", 1000},
      {"answer stops within its body (C91)",
       [](ServerConnection& connection, ServerRequest& request) {
         connection.ReadBody(&request);
         connection.Send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc");
         connection.WaitForClose();
         return false;
       },
       ErrorKind::kTransient, "no byte for 300 ms", 1000},
      {"answer cut within its headers",
       [](ServerConnection& connection, ServerRequest& request) {
         connection.ReadBody(&request);
         connection.Send("HTTP/1.1 200 OK\r\nContent-Le");
         return false;
       },
       ErrorKind::kTransient, "the answer was cut", 1000},
      {"answer cut within its body",
       [](ServerConnection& connection, ServerRequest& request) {
         connection.ReadBody(&request);
         connection.Send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc");
         return false;
       },
       ErrorKind::kTransient, "the answer was cut", 1000},
      {"chunks cut",
       [](ServerConnection& connection, ServerRequest& request) {
         connection.ReadBody(&request);
         connection.Send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc");
         return false;
       },
       ErrorKind::kTransient, "cut", 1000},
      {"no HTTP",
       [](ServerConnection& connection, ServerRequest& request) {
         connection.ReadBody(&request);
         connection.Send("SSH-2.0-OpenSSH_9.2\r\n");
         return false;
       },
       ErrorKind::kInvalid, "malformed answer", 1000},
  };
}

std::vector<Fault> Faults() {
  std::vector<Fault> faults = FaultsBeforeTheAnswer();
  for (const Fault& fault : FaultsOfTheAnswer()) faults.push_back(fault);
  return faults;
}

class CurlFault : public testing::TestWithParam<size_t> {};

TEST_P(CurlFault, IsClassified) {
  const Fault fault = Faults()[GetParam()];
  SCOPED_TRACE(fault.name);
  ScriptedServer server(fault.script);
  ExpectFailure(MakeTestTransport()->Send(SecretPut(server, fault.body_bytes), kShort), fault.kind, fault.words);
  EXPECT_EQ(server.connections(), 1);
}

INSTANTIATE_TEST_SUITE_P(Every, CurlFault, testing::Range<size_t>(0, Faults().size()));

TEST(CurlTransport, ADripIsATimeOut) {
  ScriptedServer server([](ServerConnection& connection, ServerRequest&) {
    connection.Send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n");
    while (connection.Send("x")) std::this_thread::sleep_for(milliseconds(50));
    return false;
  });
  const auto transport =
      MakeTestTransport({.low_speed_bytes_per_second = 1000, .low_speed_time = std::chrono::seconds(1)});
  const auto result = transport->Send(Get(server.Url()), kShort);
  EXPECT_KIND(ErrorKind::kTransient, result);
  EXPECT_THAT(result.status().message(), HasSubstr("slower than 1000 bytes/s"));
}

TEST(CurlTransport, ASlowUploadIsATimeOut) {
  ScriptedServer server([](ServerConnection& connection, ServerRequest& request) {
    while (connection.ReadBody(&request, static_cast<int64_t>(request.body.size()) + 50'000)) {
      std::this_thread::sleep_for(milliseconds(10));
    }
    return false;
  });
  const auto transport =
      MakeTestTransport({.low_speed_bytes_per_second = 100 << 20, .low_speed_time = std::chrono::seconds(1)});
  const auto result = transport->Send(SecretPut(server, 64 << 20), {});
  EXPECT_KIND(ErrorKind::kTransient, result);
  EXPECT_THAT(result.status().message(), HasSubstr("minimum speed"));
}

TEST(CurlTransport, TheTotalTimeEndsWhatKeepsMoving) {
  ScriptedServer server([](ServerConnection& connection, ServerRequest&) {
    connection.Send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n");
    while (connection.Send("x")) std::this_thread::sleep_for(milliseconds(10));
    return false;
  });
  HttpSendOptions options = kShort;
  options.timeouts.total = milliseconds(300);
  const auto result = MakeTestTransport()->Send(Get(server.Url()), options);
  EXPECT_KIND(ErrorKind::kTransient, result);
  EXPECT_THAT(result.status().message(), HasSubstr("total time-out"));
}

TEST(CurlTransport, AHugeBodyIsALimit) {
  ScriptedServer server([](ServerConnection& connection, ServerRequest&) {
    connection.Send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
    const std::string chunk = "10000\r\n" + std::string(0x10000, 'x') + "\r\n";
    while (connection.Send(chunk)) {
    }
    return false;
  });
  const auto transport = MakeTestTransport();
  const auto result = transport->Send(Get(server.Url()), {.max_body_bytes = 1 << 20});
  EXPECT_KIND(ErrorKind::kLimit, result);
  EXPECT_THAT(result.status().message(), HasSubstr("longer than 1048576 bytes"));
}

TEST(CurlTransport, ABodyAsLongAsTheLimitIsTaken) {
  ScriptedServer server([](ServerConnection& connection, ServerRequest& request) {
    return connection.Reply(&request, 200, std::string(1 << 20, 'x'));
  });
  ASSERT_OK_AND_ASSIGN(const HttpResponse response,
                       MakeTestTransport()->Send(Get(server.Url()), {.max_body_bytes = 1 << 20}));
  EXPECT_EQ(response.body.size(), size_t{1} << 20);
}

TEST(CurlTransport, TheLengthInTheAnswerToHeadIsNoBody) {
  ScriptedServer server([](ServerConnection& connection, ServerRequest&) {
    return connection.SendReply(200, "", {{"Content-Length", "5000000000"}});
  });
  HttpRequest request{.method = "HEAD", .url = server.Url()};
  ASSERT_OK_AND_ASSIGN(const HttpResponse response, MakeTestTransport()->Send(request, {.max_body_bytes = 10}));
  EXPECT_EQ(response.headers.Get("content-length"), "5000000000");
}

TEST(CurlTransport, ARefusedConnectionIsTransient) {
  int port;
  {
    ScriptedServer server([](ServerConnection&, ServerRequest&) { return false; });
    port = server.port();
  }
  const auto result =
      MakeTestTransport()->Send(Get({.scheme = "http", .host = "127.0.0.1", .port = port, .path = "/"}), kShort);
  EXPECT_KIND(ErrorKind::kTransient, result);
  EXPECT_THAT(result.status().message(), HasSubstr("while connecting"));
}

TEST(CurlTransport, AnUnknownNameIsTransient) {
  // Reserved for names that never resolve (RFC 2606).
  const auto result = MakeTestTransport()->Send(Get({.scheme = "http", .host = "tailrace.invalid"}), {});
  EXPECT_KIND(ErrorKind::kTransient, result);
  EXPECT_THAT(result.status().message(), HasSubstr("cannot be resolved"));
}

TEST(CurlTransport, CancelEndsAnyPhaseWithinASecond) {
  const ScriptedServer::Script phases[] = {
      [](ServerConnection& connection, ServerRequest&) {
        connection.WaitForClose();
        return false;
      },
      [](ServerConnection& connection, ServerRequest& request) {
        connection.ReadBody(&request);
        connection.WaitForClose();
        return false;
      },
      [](ServerConnection& connection, ServerRequest& request) {
        connection.ReadBody(&request);
        connection.Send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc");
        connection.WaitForClose();
        return false;
      },
  };
  for (const auto& script : phases) {
    // The quickest of three: a busy machine may give this process no time for a while.
    auto quickest = milliseconds::max();
    for (int round = 0; round < 3; ++round) {
      ScriptedServer server(script);
      const HttpRequest request = SecretPut(server, 16 << 20);
      CancelToken cancel;
      std::optional<Stopwatch> since_cancel;
      std::thread stopper([&] {
        std::this_thread::sleep_for(milliseconds(150));
        since_cancel.emplace();
        cancel.Cancel();
      });
      const auto result = MakeTestTransport()->Send(request, {.cancel = &cancel});
      stopper.join();
      quickest = std::min(quickest, since_cancel->Elapsed());
      ExpectFailure(result, ErrorKind::kCancelled, "cancelled while");
    }
    EXPECT_LT(quickest, seconds(1));
  }
}

TEST(CurlTransport, AfterAFailureTheNextExchangeHasAFreshConnection) {
  ScriptedServer server([](ServerConnection& connection, ServerRequest& request) {
    if (connection.number() > 1) return connection.Reply(&request, 200, "fine");
    connection.Send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc");
    connection.WaitForClose();
    return false;
  });
  const auto transport = MakeTestTransport({.max_connections = 1});
  EXPECT_KIND(ErrorKind::kTransient, transport->Send(Get(server.Url()), kShort));
  ASSERT_OK_AND_ASSIGN(const HttpResponse response, transport->Send(Get(server.Url()), kShort));
  EXPECT_EQ(response.body, "fine");
}

}  // namespace
}  // namespace tailrace
