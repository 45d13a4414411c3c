// The pool of connections, and the way to the server: proxies and TLS.
#include <gmock/gmock.h>

#include <atomic>
#include <thread>

#include "http/transport_test.h"
#include "testing/temp_folder.h"
#include "testing/tls_certificate.h"

namespace tailrace {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::HasSubstr;
using testing::Not;

bool Ok(ServerConnection& connection, ServerRequest& request) { return connection.Reply(&request, 200); }

TEST(CurlPool, OneCallerKeepsOneConnection) {
  ScriptedServer server(Ok);
  const auto transport = MakeTestTransport();
  for (int i = 0; i < 20; ++i) ASSERT_OK(transport->Send(Put(server.Url(), NumberedBytes(100'000)), {}));
  EXPECT_EQ(server.connections(), 1);
}

TEST(CurlPool, NoMoreConnectionsThanAllowed) {
  std::atomic<int> running = 0, most = 0;
  ScriptedServer server([&](ServerConnection& connection, ServerRequest& request) {
    const int now = ++running;
    for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {
    }
    std::this_thread::sleep_for(milliseconds(2));
    --running;
    return connection.Reply(&request, 200);
  });
  const auto transport = MakeTestTransport({.max_connections = 3});
  std::vector<std::thread> callers;
  std::atomic<int> good = 0;
  for (int i = 0; i < 8; ++i) {
    callers.emplace_back([&] {
      for (int k = 0; k < 20; ++k) good += transport->Send(Put(server.Url(), NumberedBytes(10'000)), {}).ok() ? 1 : 0;
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(good, 160);
  EXPECT_LE(server.connections(), 3);
  EXPECT_LE(most, 3);
  EXPECT_GE(most, 2);
}

TEST(CurlPool, EachServerKeepsItsConnection) {
  ScriptedServer a(Ok), b(Ok);
  const auto transport = MakeTestTransport({.max_connections = 2});
  for (int i = 0; i < 5; ++i) {
    ASSERT_OK(transport->Send(Get(a.Url()), {}));
    ASSERT_OK(transport->Send(Get(b.Url()), {}));
  }
  EXPECT_EQ(a.connections(), 1);
  EXPECT_EQ(b.connections(), 1);
}

TEST(CurlPool, AFullPoolGivesItsOldestConnectionToAnotherServer) {
  ScriptedServer a(Ok), b(Ok);
  const auto transport = MakeTestTransport({.max_connections = 1});
  for (const ScriptedServer* server : {&a, &b, &a}) {
    // libcurl tells their ages apart by the millisecond.
    std::this_thread::sleep_for(milliseconds(5));
    ASSERT_OK(transport->Send(Get(server->Url()), {}));
  }
  EXPECT_EQ(a.connections(), 2);
}

TEST(CurlPool, WaitingForAConnectionEndsToo) {
  ScriptedServer server([](ServerConnection& connection, ServerRequest&) {
    connection.WaitForClose();
    return false;
  });
  const auto transport = MakeTestTransport({.max_connections = 1});
  CancelToken first, second;
  std::thread holder(
      [&] { EXPECT_KIND(ErrorKind::kCancelled, transport->Send(Get(server.Url()), {.cancel = &first})); });
  while (server.requests().empty()) std::this_thread::sleep_for(milliseconds(5));

  const auto timed_out = transport->Send(Get(server.Url()), {.timeouts = {.total = milliseconds(200)}});
  EXPECT_KIND(ErrorKind::kTransient, timed_out);
  EXPECT_THAT(timed_out.status().message(), HasSubstr("all 1 connections were in use (max_connections)"));

  std::thread stopper([&] {
    std::this_thread::sleep_for(milliseconds(100));
    second.Cancel();
  });
  EXPECT_KIND(ErrorKind::kCancelled, transport->Send(Get(server.Url()), {.cancel = &second}));
  stopper.join();
  first.Cancel();
  holder.join();
}

TEST(CurlPool, NoConnectionAtAllIsRefused) {
  EXPECT_KIND(ErrorKind::kInvalid, MakeCurlTransport({.max_connections = 0}));
}

TEST(CurlProxy, PlainRequestsGoThroughIt) {
  ScriptedServer proxy(Ok);
  const std::string url = "http://user:hunter2@127.0.0.1:" + std::to_string(proxy.port());
  const HttpRequest request = Get({.scheme = "http", .host = "store.invalid", .path = "/key"});
  ASSERT_OK(MakeTestTransport({}, {{"http_proxy", url}})->Send(request, {}));
  ASSERT_OK(MakeTestTransport({}, {{"ALL_PROXY", url}})->Send(request, {}));
  ASSERT_OK(MakeTestTransport({.proxy = url}, {{"http_proxy", "http://127.0.0.1:9"}})->Send(request, {}));
  const auto seen = proxy.requests();
  ASSERT_EQ(seen.size(), 3u);
  for (const ServerRequest& one : seen) {
    EXPECT_EQ(one.target, "http://store.invalid/key");
    EXPECT_EQ(one.Header("proxy-authorization"), "Basic dXNlcjpodW50ZXIy");
  }
}

TEST(CurlProxy, NoProxyNamesWhatIsReachedDirectly) {
  ScriptedServer server(Ok);
  const std::string dead = "http://127.0.0.1:9";
  for (const char* direct : {"127.0.0.1", "*", "store.example,127.0.0.1", "127.0.0.0/8"}) {
    ASSERT_OK(MakeTestTransport({}, {{"http_proxy", dead}, {"NO_PROXY", direct}})->Send(Get(server.Url()), {}));
    ASSERT_OK(MakeTestTransport({.proxy = dead, .no_proxy = direct})->Send(Get(server.Url()), {}));
  }
  EXPECT_KIND(ErrorKind::kTransient,
              MakeTestTransport({}, {{"http_proxy", dead}, {"no_proxy", "other"}})->Send(Get(server.Url()), {}));
  // A time-out that nobody needs must not bring the proxy back (C47).
  ASSERT_OK(
      MakeTestTransport({}, {{"HTTPS_PROXY", dead}})->Send(Get(server.Url()), {.timeouts = {.total = seconds(9)}}));
}

TEST(CurlProxy, DirectExchangesKnowNoProxy) {
  ScriptedServer server(Ok);
  ASSERT_OK(MakeTestTransport({}, {{"http_proxy", "http://127.0.0.1:9"}})->Send(Get(server.Url()), {.direct = true}));
}

TEST(CurlProxy, ARefusalNamesTheProxyWithoutItsPassword) {
  for (const auto& [status, kind] :
       {std::pair{407, ErrorKind::kDenied}, {403, ErrorKind::kDenied}, {502, ErrorKind::kTransient}}) {
    ScriptedServer proxy([status = status](ServerConnection& connection, ServerRequest& request) {
      return connection.Reply(&request, status, "no", {{"Proxy-Authenticate", "Basic"}});
    });
    const std::string name = "127.0.0.1:" + std::to_string(proxy.port());
    const auto result = MakeTestTransport({}, {{"https_proxy", "http://user:hunter2@" + name}})
                            ->Send(Get({.scheme = "https", .host = "store.invalid"}), {});
    EXPECT_KIND(kind, result);
    EXPECT_THAT(result.status().message(),
                HasSubstr("the proxy http://" + name + " answered " + std::to_string(status)));
    EXPECT_THAT(result.status().ToString(), Not(HasSubstr("hunter2")));
    EXPECT_EQ(proxy.requests().at(0).target, "store.invalid:443");
  }
}

class CurlTls : public testing::Test {
 protected:
  CurlTls() { folder_.Write("ca.pem", authority_.certificate); }
  std::string ca_file() const { return folder_.PathOf("ca.pem"); }
  TlsCertificate Signed(const std::vector<std::string>& addresses) const {
    return MakeServerCertificate({"localhost"}, addresses, &authority_);
  }

  const TempFolder folder_;
  const TlsCertificate authority_ = MakeCertificateAuthority("tailrace test CA");
};

TEST_F(CurlTls, AGivenAuthorityIsTrusted) {
  ScriptedServer server(Ok, {.tls = Signed({"127.0.0.1"})});
  const std::string body = NumberedBytes(5'000'000);
  for (const auto& transport :
       {MakeTestTransport({.ca_file = ca_file()}), MakeTestTransport({}, {{"AWS_CA_BUNDLE", ca_file()}}),
        MakeTestTransport({}, {{"SSL_CERT_FILE", ca_file()}})}) {
    ASSERT_OK(transport->Send(Put(server.Url(), body), {.timeouts = {.total = seconds(30)}}));
    ASSERT_OK(transport->Send(Get(server.Url()), {}));
  }
  EXPECT_EQ(server.connections(), 3);
}

TEST_F(CurlTls, NoProxyAndAPrivateAuthorityGoTogether) {
  ScriptedServer server(Ok, {.tls = Signed({"127.0.0.1"})});
  ASSERT_OK(MakeTestTransport(
                {}, {{"AWS_CA_BUNDLE", ca_file()}, {"HTTPS_PROXY", "http://127.0.0.1:9"}, {"NO_PROXY", "127.0.0.1"}})
                ->Send(Get(server.Url()), {}));
}

TEST_F(CurlTls, AnUnknownAuthorityIsRefused) {
  ScriptedServer server(Ok, {.tls = Signed({"127.0.0.1"})});
  const auto result = MakeTestTransport()->Send(Get(server.Url()), {});
  EXPECT_KIND(ErrorKind::kDenied, result);
  EXPECT_THAT(result.status().message(), HasSubstr("certificate"));
  EXPECT_TRUE(server.requests().empty());
}

TEST_F(CurlTls, ASelfSignedCertificateIsRefused) {
  ScriptedServer server(Ok, {.tls = MakeServerCertificate({"localhost"}, {"127.0.0.1"}, nullptr)});
  EXPECT_KIND(ErrorKind::kDenied, MakeTestTransport()->Send(Get(server.Url()), {}));
  EXPECT_KIND(ErrorKind::kDenied, MakeTestTransport({.ca_file = ca_file()})->Send(Get(server.Url()), {}));
  EXPECT_TRUE(server.requests().empty());
}

TEST_F(CurlTls, AnotherHostsCertificateIsRefused) {
  ScriptedServer server(Ok, {.tls = Signed({"127.0.0.2"})});
  const auto result = MakeTestTransport({.ca_file = ca_file()})->Send(Get(server.Url()), {});
  EXPECT_KIND(ErrorKind::kDenied, result);
  EXPECT_TRUE(server.requests().empty());
}

TEST_F(CurlTls, VerificationCanBeTurnedOff) {
  ScriptedServer server(Ok, {.tls = MakeServerCertificate({"elsewhere"}, {}, nullptr)});
  ASSERT_OK(MakeTestTransport({.verify_tls = false})->Send(Get(server.Url()), {}));
}

TEST_F(CurlTls, AMissingOrDamagedFileOfAuthoritiesIsSaid) {
  EXPECT_KIND(ErrorKind::kInvalid, MakeCurlTransport({.ca_file = folder_.PathOf("missing.pem")}));
  ScriptedServer server(Ok, {.tls = Signed({"127.0.0.1"})});
  folder_.Write("damaged.pem", "no certificate");
  const auto result = MakeTestTransport({.ca_file = folder_.PathOf("damaged.pem")})->Send(Get(server.Url()), {});
  EXPECT_KIND(ErrorKind::kInvalid, result);
}

TEST_F(CurlTls, AServerWithoutTlsIsTransient) {
  ScriptedServer server(Ok);
  HttpUrl url = server.Url();
  url.scheme = "https";
  EXPECT_KIND(ErrorKind::kTransient,
              MakeTestTransport({.ca_file = ca_file()})->Send(Get(url), {.timeouts = {.connect = milliseconds(500)}}));
}

TEST_F(CurlTls, AResetWithinTheBodyIsTransient) {
  ScriptedServer server(
      [](ServerConnection& connection, ServerRequest& request) {
        connection.ReadBody(&request, 100'000);
        connection.Reset();
        return false;
      },
      {.tls = Signed({"127.0.0.1"})});
  const auto transport = MakeTestTransport({.ca_file = ca_file()});
  for (int i = 0; i < 5; ++i) {
    EXPECT_KIND(ErrorKind::kTransient, transport->Send(Put(server.Url(), NumberedBytes(4 << 20)), {}));
  }
}

TEST_F(CurlTls, TheServerBehindAProxyIsVerifiedAndTheProxySeesNothing) {
  ScriptedServer proxy(
      [](ServerConnection& connection, ServerRequest& request) {
        if (request.method == "CONNECT")
          return connection.Send("HTTP/1.1 200 Connection established\r\nX-Proxy: 1\r\n\r\n");
        return connection.Reply(&request, 200, "from the server");
      },
      {.tls = MakeServerCertificate({"store.invalid"}, {}, &authority_), .tls_after_connect = true});
  const std::string url = "http://127.0.0.1:" + std::to_string(proxy.port());
  HttpRequest request = Get({.scheme = "https", .host = "store.invalid", .path = "/key"});
  request.headers.Add("Authorization", "secret");
  ASSERT_OK_AND_ASSIGN(const HttpResponse response,
                       MakeTestTransport({.ca_file = ca_file()}, {{"https_proxy", url}})->Send(request, {}));
  EXPECT_EQ(response.body, "from the server");
  EXPECT_EQ(response.headers.Get("x-proxy"), std::nullopt);
  const auto seen = proxy.requests();
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_EQ(seen[0].headers.Get("authorization"), std::nullopt);
  EXPECT_EQ(seen[1].Header("authorization"), "secret");

  request.url.host = "other.invalid";
  EXPECT_KIND(ErrorKind::kDenied, MakeTestTransport({.ca_file = ca_file()}, {{"https_proxy", url}})->Send(request, {}));
}

}  // namespace
}  // namespace tailrace
