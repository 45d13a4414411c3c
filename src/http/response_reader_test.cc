#include "http/response_reader.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <random>

#include "testing/status_macros.h"

namespace tailrace {
namespace {

void Add(ResponseReader* reader, std::initializer_list<const char*> lines) {
  for (const char* line : lines) ASSERT_TRUE(reader->AddHeaderLine(std::string(line) + "\r\n"));
}

TEST(ResponseReader, KeepsOrderAndRepetitionsOfHeaders) {
  ResponseReader reader("GET http://h/", 100);
  Add(&reader, {"HTTP/1.1 200 OK", "ETag:  \"a:b\" ", "Warning: 1", "warning: 2", "Empty:", ""});
  EXPECT_TRUE(reader.AddBody("ab"));
  EXPECT_TRUE(reader.AddBody("c"));
  const HttpResponse response = reader.Take();
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.headers.Get("etag"), "\"a:b\"");
  EXPECT_EQ(response.headers.Get("warning"), "1");
  EXPECT_EQ(response.headers.Get("empty"), "");
  EXPECT_EQ(response.headers.fields().size(), 4u);
  EXPECT_EQ(response.body, "abc");
}

TEST(ResponseReader, OnlyTheFinalAnswerCounts) {
  ResponseReader reader("PUT http://h/", 100);
  Add(&reader, {"HTTP/1.1 100 Continue", "X-Early: 1", ""});
  EXPECT_FALSE(reader.started());
  Add(&reader, {"HTTP/1.1 403 Forbidden"});
  EXPECT_TRUE(reader.started());
  Add(&reader, {"X-Late: 2", ""});
  const HttpResponse response = reader.Take();
  EXPECT_EQ(response.status, 403);
  EXPECT_EQ(response.headers.Get("x-early"), std::nullopt);
  EXPECT_EQ(response.headers.Get("x-late"), "2");
}

TEST(ResponseReader, TrailersFoldedLinesAndLinesWithoutColonAreLeftOut) {
  ResponseReader reader("GET http://h/", 100);
  Add(&reader, {"HTTP/2 200", "A: 1", " folded", "no colon", ""});
  EXPECT_TRUE(reader.AddBody("x"));
  Add(&reader, {"Trailer-Field: 3", ""});
  EXPECT_EQ(reader.Take().headers.fields().size(), 1u);
}

TEST(ResponseReader, MoreThanTheBodyLimitEndsIt) {
  ResponseReader reader("GET http://h/p", 4);
  Add(&reader, {"HTTP/1.1 200 OK", ""});
  EXPECT_TRUE(reader.AddBody("abcd"));
  EXPECT_FALSE(reader.AddBody("e"));
  EXPECT_KIND(ErrorKind::kLimit, reader.failure());
  EXPECT_NE(reader.failure().message().find("GET http://h/p: the answer is longer than 4 bytes"), std::string::npos);
}

TEST(ResponseReader, EndlessHeadersEndIt) {
  ResponseReader reader("GET http://h/", 4);
  Add(&reader, {"HTTP/1.1 200 OK"});
  const std::string line = "X: " + std::string(8000, 'x') + "\r\n";
  int lines = 0;
  while (reader.AddHeaderLine(line)) ASSERT_LT(++lines, 100);
  EXPECT_KIND(ErrorKind::kLimit, reader.failure());
}

TEST(ResponseReader, AStatusLineWithoutStatusIsMalformed) {
  for (const char* line :
       {"HTTP/1.1\r\n", "HTTP/1.1 \r\n", "HTTP/1.1 OK\r\n", "HTTP/1.1 99 Low\r\n", "HTTP/1.1 -20 x\r\n"}) {
    ResponseReader reader("GET http://h/", 4);
    EXPECT_FALSE(reader.AddHeaderLine(line)) << line;
    EXPECT_KIND(ErrorKind::kInvalid, reader.failure());
  }
}

TEST(ResponseReader, AnyBytesAreTakenOrRefused) {
  std::mt19937 random(7);
  const std::string_view pieces[] = {
      "HTTP/1.1 200 OK\r\n",    "\r\n",     ":",      " ",    "content-length: 99999999999999999999\r\n",
      "content-length: -5\r\n", "a: b\r\n", "\0\xff", "HTTP/"};
  for (int round = 0; round < 2000; ++round) {
    ResponseReader reader("GET http://h/", 64);
    bool more = true;
    for (int step = 0; more && step < 12; ++step) {
      std::string line(pieces[random() % std::size(pieces)]);
      if (random() % 3 == 0) line += static_cast<char>(random());
      more = random() % 4 == 0 ? reader.AddBody(line) : reader.AddHeaderLine(line);
    }
    ASSERT_EQ(more, reader.failure().ok());
    ASSERT_LE(reader.Take().body.size(), 64u);
  }
}

}  // namespace
}  // namespace tailrace
