#include <gtest/gtest.h>

#include "http/transport.h"
#include "testing/status_macros.h"

namespace tailrace {
namespace {

TEST(HttpHeaders, NamesCompareWithoutCase) {
  HttpHeaders headers{{"ETag", "\"a\""}, {"x-amz-meta-a", "1"}, {"X-Amz-Meta-A", "2"}};
  EXPECT_EQ(headers.Get("etag"), "\"a\"");
  EXPECT_EQ(headers.Get("X-AMZ-META-A"), "1");
  EXPECT_EQ(headers.Get("x-amz-meta"), std::nullopt);
  headers.Set("x-AMZ-meta-a", "3");
  EXPECT_EQ(headers.Get("x-amz-meta-a"), "3");
  EXPECT_EQ(headers.fields().size(), 2u);
  headers.Remove("ETAG");
  EXPECT_EQ(headers.fields().size(), 1u);
}

TEST(HttpUrl, ReadsItsParts) {
  ASSERT_OK_AND_ASSIGN(const HttpUrl url, HttpUrl::Parse("HTTPS://S3.Example.com:9000/b/a%20b/../c?x=1&y=?/"));
  EXPECT_EQ(url.scheme, "https");
  EXPECT_EQ(url.host, "s3.example.com");
  EXPECT_EQ(url.port, 9000);
  EXPECT_EQ(url.path, "/b/a%20b/../c");
  EXPECT_EQ(url.query, "x=1&y=?/");
  EXPECT_EQ(url.ToString(), "https://s3.example.com:9000/b/a%20b/../c?x=1&y=?/");
  EXPECT_EQ(url.WithoutQuery(), "https://s3.example.com:9000/b/a%20b/../c");
}

TEST(HttpUrl, TheSchemesOwnPortIsLeftOut) {
  struct Row {
    const char* text;
    const char* authority;
  };
  for (const Row& row : {Row{"http://h", "h"},
                         {"http://h:80/", "h"},
                         {"https://h:443", "h"},
                         {"https://h:80", "h:80"},
                         {"http://h:443?q", "h:443"},
                         {"http://[::1]:9/x", "[::1]:9"},
                         {"http://[FD00::1]", "[fd00::1]"}}) {
    ASSERT_OK_AND_ASSIGN(const HttpUrl url, HttpUrl::Parse(row.text));
    EXPECT_EQ(url.Authority(), row.authority) << row.text;
    ASSERT_OK_AND_ASSIGN(const HttpUrl again, HttpUrl::Parse(url.ToString()));
    EXPECT_EQ(again, url) << row.text;
  }
  EXPECT_EQ((HttpUrl{.scheme = "https", .host = "h", .port = 443}).Authority(), "h");
}

TEST(HttpUrl, RefusesWhatItCannotSend) {
  for (const char* text : {"",
                           "h/path",
                           "ftp://h/",
                           "http://",
                           "http:///p",
                           "http://h:0/",
                           "http://h:65536/",
                           "http://h:x/",
                           "http://h:/",
                           "http://[::1/",
                           "http://[::1]x/",
                           "http://[[1]:1",
                           "http://[1]/",
                           "http://h]/",
                           "http://u:p@h/",
                           "http://h/a b",
                           "http://h/#f",
                           "http://h/\xc3\xa4",
                           "http://h/a\nb",
                           "http://h/?a\rb"}) {
    EXPECT_KIND(ErrorKind::kInvalid, HttpUrl::Parse(text));
  }
}

TEST(HttpUrl, TheMessageRepeatsNothingOfTheUrl) {
  const Status status = HttpUrl::Parse("http://user:hunter2@h/?X-Amz-Signature=feed").status();
  EXPECT_EQ(status.ToString().find("hunter2"), std::string::npos);
  EXPECT_EQ(status.ToString().find("feed"), std::string::npos);
}

}  // namespace
}  // namespace tailrace
