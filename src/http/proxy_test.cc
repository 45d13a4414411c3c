#include "http/proxy.h"

#include <gtest/gtest.h>

#include "testing/fake_environment.h"

namespace tailrace {
namespace {

TEST(ProxyFromEnvironment, LowerCaseGoesFirst) {
  const ProxySettings settings = ProxyFromEnvironment(FakeEnvironment({{"http_proxy", "a"},
                                                                       {"https_proxy", "b"},
                                                                       {"HTTPS_PROXY", "c"},
                                                                       {"no_proxy", "d"},
                                                                       {"NO_PROXY", "e"},
                                                                       {"all_proxy", "f"},
                                                                       {"ALL_PROXY", "g"}}));
  EXPECT_EQ(settings.http, "a");
  EXPECT_EQ(settings.https, "b");
  EXPECT_EQ(settings.no_proxy, "d");
}

TEST(ProxyFromEnvironment, EmptyIsUnset) {
  const ProxySettings settings = ProxyFromEnvironment(FakeEnvironment(
      {{"http_proxy", ""}, {"https_proxy", ""}, {"HTTPS_PROXY", "c"}, {"NO_PROXY", "e"}, {"ALL_PROXY", "g"}}));
  EXPECT_EQ(settings.http, "g");
  EXPECT_EQ(settings.https, "c");
  EXPECT_EQ(settings.no_proxy, "e");
}

TEST(ProxyFromEnvironment, HttpProxyInUpperCaseIsAHeaderOfACgiClient) {
  EXPECT_EQ(ProxyFromEnvironment(FakeEnvironment({{"HTTP_PROXY", "http://evil"}})).http, "");
}

TEST(ProxyName, LeavesOutCredentials) {
  EXPECT_EQ(ProxyName("http://user:p@ss/w?rd@proxy.example:3128/"), "http://proxy.example:3128");
  EXPECT_EQ(ProxyName("user:secret@proxy:1"), "http://proxy:1");
  EXPECT_EQ(ProxyName("socks5h://proxy:1080?x"), "socks5h://proxy:1080");
  EXPECT_EQ(ProxyName(""), "http://");
}

}  // namespace
}  // namespace tailrace
