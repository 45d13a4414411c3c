#include "testing/s3_server/s3_service.h"

#include <gtest/gtest.h>

#include "testing/s3_server/s3_digests.h"

namespace tailrace {
namespace {

constexpr int64_t kMin = 10;

std::string Element(const std::string& xml, const std::string& name) {
  const size_t at = xml.find("<" + name + ">");
  if (at == xml.npos) return "";
  const size_t begin = at + name.size() + 2;
  return xml.substr(begin, xml.find("</" + name + ">", begin) - begin);
}

class S3ServiceTest : public ::testing::Test {
 protected:
  S3ServiceTest() {
    service_.Change([](S3Rules* rules) { rules->min_part_bytes = kMin; });
  }

  // Handles what `method target` on the wire would be, unsigned.
  S3Reply Send(const std::string& method, const std::string& target, const std::string& body = "",
               HttpHeaders headers = {}) {
    headers.Add("Host", "127.0.0.1");
    if (method == "PUT" || method == "POST") headers.Add("Content-Length", std::to_string(body.size()));
    auto call = ParseS3Call({.method = method, .target = target, .headers = std::move(headers)}, "localhost");
    std::get<S3Call>(call).body = body;
    return service_.Handle(std::get<S3Call>(call));
  }
  std::string Create(HttpHeaders headers = {}) {
    return Element(Send("POST", "/bucket/k?uploads", "", std::move(headers)).body, "UploadId");
  }
  static std::string At(const std::string& id, int part = 0) {
    return "/bucket/k?" + (part > 0 ? "partNumber=" + std::to_string(part) + "&" : "") +
           "uploadId=" + PercentEncode(id, false);
  }
  std::string Put(const std::string& id, int part, const std::string& body, HttpHeaders headers = {}) {
    return Send("PUT", At(id, part), body, std::move(headers)).headers.Get("etag").value_or("");
  }
  // A list of "number, etag, rest of the element".
  static std::string Parts(const std::vector<std::tuple<int, std::string, std::string>>& parts) {
    std::string xml = "<CompleteMultipartUpload xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">";
    for (const auto& [number, etag, rest] : parts) {
      xml +=
          "<Part><PartNumber>" + std::to_string(number) + "</PartNumber><ETag>" + etag + "</ETag>" + rest + "</Part>";
    }
    return xml + "</CompleteMultipartUpload>";
  }
  std::string CompleteCode(const std::string& id, const std::vector<std::tuple<int, std::string, std::string>>& parts,
                           HttpHeaders headers = {}) {
    const S3Reply reply = Send("POST", At(id), Parts(parts), std::move(headers));
    return reply.status == 200 ? "" : Element(reply.body, "Code");
  }
  std::string CodeOf(const S3Reply& reply) { return Element(reply.body, "Code"); }

  S3Service service_{S3Rules{}};
  const std::string a_ = std::string(kMin, 'a'), b_ = std::string(kMin, 'b'), tail_ = "t";
};

TEST_F(S3ServiceTest, UploadBecomesObject) {
  const std::string id = Create({{"x-amz-meta-w", "1"}, {"Content-Type", "text/x"}});
  const std::string e1 = Put(id, 1, a_), e2 = Put(id, 2, tail_);
  EXPECT_EQ(Send("GET", "/bucket/k").status, 404);
  EXPECT_EQ(CompleteCode(id, {{1, e1, ""}, {2, e2, ""}}), "");
  const S3Reply got = Send("GET", "/bucket/k");
  EXPECT_EQ(got.body, a_ + tail_);
  EXPECT_EQ(got.headers.Get("x-amz-meta-w"), "1");
  EXPECT_EQ(got.headers.Get("content-type"), "text/x");
  EXPECT_EQ(got.headers.Get("etag"), "\"" + HexOf(Md5Of(Md5Of(a_) + Md5Of(tail_))) + "-2\"");
  EXPECT_TRUE(service_.Uploads().empty());
  EXPECT_EQ(CompleteCode(id, {{1, e1, ""}, {2, e2, ""}}), "NoSuchUpload");
}

TEST_F(S3ServiceTest, CompleteChecksTheList) {
  const std::string id = Create();
  const std::string e1 = Put(id, 1, a_), e2 = Put(id, 2, b_), e3 = Put(id, 3, tail_);
  EXPECT_EQ(CompleteCode(id, {}), "MalformedXML");
  EXPECT_EQ(CompleteCode(id, {{2, e2, ""}, {1, e1, ""}}), "InvalidPartOrder");
  EXPECT_EQ(CompleteCode(id, {{1, e1, ""}, {1, e1, ""}}), "InvalidPartOrder");
  EXPECT_EQ(CompleteCode(id, {{1, e2, ""}}), "InvalidPart");
  EXPECT_EQ(CompleteCode(id, {{4, e1, ""}}), "InvalidPart");
  EXPECT_EQ(CompleteCode(id, {{1, "", ""}}), "MalformedXML");
  EXPECT_EQ(CompleteCode(id, {{1, e1, "<Size>3</Size>"}}), "MalformedXML");
  EXPECT_EQ(CodeOf(Send("POST", At(id), "<CompleteMultipartUpload><Part>")), "MalformedXML");
  EXPECT_EQ(CompleteCode(id, {{1, e1, ""}, {2, e2, ""}}, {{"x-amz-mp-object-size", "3"}}), "InvalidRequest");
  EXPECT_EQ(service_.Objects().size(), 0);
  EXPECT_EQ(CompleteCode(id, {{1, e1, ""}, {3, e3, ""}}), "") << "a part may be left out";
}

TEST_F(S3ServiceTest, OnlyTheLastPartMayBeShort) {
  const std::string id = Create();
  const std::string e1 = Put(id, 1, tail_), e2 = Put(id, 2, a_);
  EXPECT_EQ(CompleteCode(id, {{1, e1, ""}, {2, e2, ""}}), "EntityTooSmall");
  EXPECT_EQ(CompleteCode(id, {{1, e1, ""}}), "");
}

TEST_F(S3ServiceTest, EqualPartsWhereAsked) {
  service_.Change([](S3Rules* rules) { rules->equal_parts = true; });
  const std::string id = Create();
  const std::string e1 = Put(id, 1, a_), e2 = Put(id, 2, b_ + "x"), e3 = Put(id, 3, tail_), e4 = Put(id, 4, b_);
  EXPECT_EQ(CompleteCode(id, {{1, e1, ""}, {2, e2, ""}, {3, e3, ""}}), "InvalidPart");
  EXPECT_EQ(CompleteCode(id, {{1, e1, ""}, {2, e2, ""}}), "InvalidPart") << "the last is larger";
  EXPECT_EQ(CompleteCode(id, {{1, e1, ""}, {4, e4, ""}}), "");
}

TEST_F(S3ServiceTest, ReplacedPartFailsOldReceipt) {
  const std::string id = Create();
  const std::string old = Put(id, 1, a_);
  const std::string now = Put(id, 1, b_);
  EXPECT_EQ(CompleteCode(id, {{1, old, ""}}), "InvalidPart");
  EXPECT_EQ(CompleteCode(id, {{1, now, ""}}), "");
  EXPECT_EQ(Send("GET", "/bucket/k").body, b_);
}

TEST_F(S3ServiceTest, StraysAreRefusedWhereAsked) {
  service_.Change([](S3Rules* rules) { rules->leaves_strays_out = false; });
  const std::string id = Create();
  const std::string e1 = Put(id, 1, a_), e2 = Put(id, 2, b_);
  EXPECT_EQ(CompleteCode(id, {{1, e1, ""}}), "InvalidPart");
  EXPECT_EQ(CompleteCode(id, {{1, e1, ""}, {2, e2, ""}}), "");
}

TEST_F(S3ServiceTest, ChecksumsAreVerifiedDeclaredAndRepeated) {
  const std::string sum = *S3ChecksumOf("crc64nvme", a_), of_tail = *S3ChecksumOf("crc64nvme", tail_);
  EXPECT_EQ(CodeOf(Send("PUT", "/bucket/x", a_, {{"x-amz-checksum-crc64nvme", of_tail}})), "BadDigest");
  EXPECT_EQ(CodeOf(Send("PUT", "/bucket/x", a_, {{"x-amz-checksum-crc64nvme", "short"}})), "InvalidRequest");
  EXPECT_EQ(CodeOf(Send("PUT", "/bucket/x", a_, {{"Content-MD5", Base64Encode(Md5Of(b_))}})), "BadDigest");
  const std::string id = Create({{"x-amz-checksum-algorithm", "CRC64NVME"}, {"x-amz-checksum-type", "FULL_OBJECT"}});
  EXPECT_EQ(CodeOf(Send("PUT", At(id, 1), a_)), "InvalidRequest") << "the checksum that was declared is missing";
  const std::string e1 = Put(id, 1, a_, {{"x-amz-checksum-crc64nvme", sum}});
  const std::string e2 = Put(id, 2, tail_, {{"x-amz-checksum-crc64nvme", of_tail}});
  const std::string s1 = "<ChecksumCRC64NVME>" + sum + "</ChecksumCRC64NVME>";
  const std::string s2 = "<ChecksumCRC64NVME>" + of_tail + "</ChecksumCRC64NVME>";
  EXPECT_EQ(CompleteCode(id, {{1, e1, ""}, {2, e2, s2}}), "InvalidRequest");
  EXPECT_EQ(CompleteCode(id, {{1, e1, s2}, {2, e2, s2}}), "InvalidPart");
  EXPECT_EQ(CompleteCode(id, {{1, e1, s1}, {2, e2, s2}}, {{"x-amz-checksum-crc64nvme", sum}}), "BadDigest");
  EXPECT_EQ(CompleteCode(id, {{1, e1, s1}, {2, e2, s2}}, {{"x-amz-checksum-type", "COMPOSITE"}}), "InvalidRequest");
  EXPECT_EQ(CompleteCode(id, {{1, e1, s1}, {2, e2, s2}}), "");
  EXPECT_EQ(Send("HEAD", "/bucket/k", "", {{"x-amz-checksum-mode", "ENABLED"}}).headers.Get("x-amz-checksum-crc64nvme"),
            S3ChecksumOf("crc64nvme", a_ + tail_));
  EXPECT_EQ(Send("HEAD", "/bucket/k").headers.Get("x-amz-checksum-crc64nvme"), std::nullopt) << "only where asked for";
}

TEST_F(S3ServiceTest, CompositeChecksumIsThatOfTheParts) {
  const std::string id = Create({{"x-amz-checksum-algorithm", "SHA256"}});
  const std::string sum = *S3ChecksumOf("sha256", a_);
  const std::string e1 = Put(id, 1, a_, {{"x-amz-checksum-sha256", sum}});
  EXPECT_EQ(CompleteCode(id, {{1, e1, "<ChecksumSHA256>" + sum + "</ChecksumSHA256>"}}), "");
  EXPECT_EQ(Send("HEAD", "/bucket/k", "", {{"x-amz-checksum-mode", "ENABLED"}}).headers.Get("x-amz-checksum-sha256"),
            *S3ChecksumOf("sha256", Sha256Of(a_)) + "-1");
  const HttpHeaders wrong{{"x-amz-checksum-algorithm", "SHA256"}, {"x-amz-checksum-type", "FULL_OBJECT"}};
  EXPECT_EQ(CodeOf(Send("POST", "/bucket/k?uploads", "", wrong)), "InvalidRequest");
}

TEST_F(S3ServiceTest, ChecksumsIgnoredAsSwiftDoes) {
  service_.Change([](S3Rules* rules) { rules->checksums = S3Rules::Checksums::kIgnored; });
  const std::string id = Create();
  const S3Reply part = Send("PUT", At(id, 1), a_, {{"x-amz-checksum-crc64nvme", "wrong"}});
  EXPECT_EQ(part.status, 200);
  EXPECT_EQ(part.headers.Get("x-amz-checksum-crc64nvme"), std::nullopt);
  const std::string etag = *part.headers.Get("etag");
  EXPECT_EQ(CompleteCode(id, {{1, etag, "<ChecksumCRC64NVME>x</ChecksumCRC64NVME>"}}), "MalformedXML");
  EXPECT_EQ(CompleteCode(id, {{1, etag, ""}}), "");
  service_.Change([](S3Rules* rules) { rules->checksums = S3Rules::Checksums::kRefused; });
  EXPECT_EQ(Send("PUT", "/bucket/x", a_, {{"x-amz-checksum-crc32", "AAAAAA=="}}).status, 501);
  EXPECT_EQ(Send("POST", "/bucket/k?uploads", "", {{"x-amz-checksum-algorithm", "CRC32"}}).status, 501);
}

TEST_F(S3ServiceTest, ConditionsOfPutAndComplete) {
  EXPECT_EQ(Send("PUT", "/bucket/k", a_, {{"If-None-Match", "*"}}).status, 200);
  EXPECT_EQ(Send("PUT", "/bucket/k", b_, {{"If-None-Match", "*"}}).status, 412);
  EXPECT_EQ(Send("PUT", "/bucket/k", b_, {{"If-Match", "\"0\""}}).status, 412);
  const std::string etag = *Send("HEAD", "/bucket/k").headers.Get("etag");
  EXPECT_EQ(Send("PUT", "/bucket/k", b_, {{"If-Match", etag}}).status, 200);
  EXPECT_EQ(Send("PUT", "/bucket/none", b_, {{"If-Match", etag}}).status, 404);
  const std::string id = Create();
  const std::string e1 = Put(id, 1, a_);
  EXPECT_EQ(CompleteCode(id, {{1, e1, ""}}, {{"If-None-Match", "*"}}), "PreconditionFailed");
  EXPECT_EQ(service_.Uploads().size(), 1) << "the upload stays open";
  service_.Change([](S3Rules* rules) { rules->complete_conditions = S3Rules::Conditions::kIgnored; });
  EXPECT_EQ(CompleteCode(id, {{1, e1, ""}}, {{"If-None-Match", "*"}}), "");
  service_.Change([](S3Rules* rules) { rules->put_conditions = S3Rules::Conditions::kRefused; });
  EXPECT_EQ(Send("PUT", "/bucket/new", a_, {{"If-None-Match", "*"}}).status, 501);
}

TEST_F(S3ServiceTest, RangesAreExact) {
  Send("PUT", "/bucket/k", "0123456789");
  const auto get = [&](const std::string& range) { return Send("GET", "/bucket/k", "", {{"Range", range}}); };
  EXPECT_EQ(get("bytes=2-4").body, "234");
  EXPECT_EQ(get("bytes=2-4").headers.Get("content-range"), "bytes 2-4/10");
  EXPECT_EQ(get("bytes=8-100").body, "89");
  EXPECT_EQ(get("bytes=7-").body, "789");
  EXPECT_EQ(get("bytes=-3").body, "789");
  EXPECT_EQ(get("bytes=10-12").status, 416);
  EXPECT_EQ(get("bytes=4-2").status, 400);
  EXPECT_EQ(get("bytes=x").status, 400);
  EXPECT_EQ(Send("GET", "/bucket/k", "", {{"If-Match", "\"no\""}}).status, 412);
}

TEST_F(S3ServiceTest, ListingsComeInPages) {
  service_.Change([](S3Rules* rules) { rules->page_size = 2; });
  const std::string id = Create();
  for (int part : {1, 3, 4}) Put(id, part, a_);
  const std::string first = Send("GET", At(id)).body;
  EXPECT_EQ(Element(first, "IsTruncated"), "true");
  EXPECT_EQ(Element(first, "NextPartNumberMarker"), "3");
  const std::string second = Send("GET", At(id) + "&part-number-marker=3").body;
  EXPECT_EQ(Element(second, "IsTruncated"), "false");
  EXPECT_EQ(Element(second, "PartNumber"), "4");
  for (const char* key : {"d/1", "d/2", "e", "f"}) Send("PUT", std::string("/bucket/") + key, "x");
  const std::string page = Send("GET", "/bucket?list-type=2&delimiter=%2F").body;
  EXPECT_EQ(Element(page, "KeyCount"), "2");
  EXPECT_EQ(Element(page, "Prefix"), "");
  EXPECT_NE(page.find("<Prefix>d/</Prefix>"), page.npos);
  const std::string token = Element(page, "NextContinuationToken");
  const std::string rest = Send("GET", "/bucket?list-type=2&continuation-token=" + PercentEncode(token, false)).body;
  EXPECT_EQ(Element(rest, "Key"), "f");
  EXPECT_EQ(Element(rest, "IsTruncated"), "false");
}

TEST_F(S3ServiceTest, ListsUploadsByKeyAndId) {
  service_.Change([](S3Rules* rules) { rules->page_size = 1; });
  const std::string one = Create(), two = Create();
  const std::string page = Send("GET", "/bucket?uploads&prefix=k").body;
  EXPECT_EQ(Element(page, "UploadId"), one);
  EXPECT_EQ(Element(page, "IsTruncated"), "true");
  const std::string next =
      Send("GET", "/bucket?uploads&key-marker=k&upload-id-marker=" + PercentEncode(one, false)).body;
  EXPECT_EQ(Element(next, "UploadId"), two);
  EXPECT_EQ(Element(next, "IsTruncated"), "false");
  EXPECT_EQ(Element(Send("GET", "/bucket?uploads&prefix=kk").body, "UploadId"), "");
}

TEST_F(S3ServiceTest, AbortedUploadIsGone) {
  const std::string id = Create();
  EXPECT_EQ(Send("DELETE", At(id)).status, 204);
  EXPECT_EQ(CodeOf(Send("DELETE", At(id))), "NoSuchUpload");
  EXPECT_EQ(CodeOf(Send("PUT", At(id, 1), a_)), "NoSuchUpload");
  EXPECT_EQ(CodeOf(Send("GET", At(id))), "NoSuchUpload");
}

TEST_F(S3ServiceTest, PartNumbersHaveLimits) {
  service_.Change([](S3Rules* rules) { rules->max_parts = 3; });
  const std::string id = Create();
  EXPECT_EQ(CodeOf(Send("PUT", At(id, 4), a_)), "InvalidArgument");
  EXPECT_EQ(CodeOf(Send("PUT", "/bucket/k?partNumber=0&uploadId=" + PercentEncode(id, false), a_)), "InvalidArgument");
  EXPECT_EQ(Send("PUT", At(id, 3), a_).status, 200);
}

TEST_F(S3ServiceTest, CopiesRangesOfObjects) {
  Send("PUT", "/bucket/source", "0123456789abcdef");
  const std::string id = Create();
  const S3Reply copy =
      Send("PUT", At(id, 1), "", {{"x-amz-copy-source", "/bucket/source"}, {"x-amz-copy-source-range", "bytes=0-11"}});
  EXPECT_EQ(copy.status, 200);
  EXPECT_EQ(CodeOf(Send("PUT", At(id, 2), "",
                        {{"x-amz-copy-source", "/bucket/source"}, {"x-amz-copy-source-range", "bytes=10-16"}})),
            "InvalidArgument");
  EXPECT_EQ(CodeOf(Send("PUT", At(id, 2), "", {{"x-amz-copy-source", "/bucket/none"}})), "NoSuchKey");
  std::string etag = Element(copy.body, "ETag");
  EXPECT_EQ(CompleteCode(id, {{1, etag, ""}}), "");
  EXPECT_EQ(Send("GET", "/bucket/k").body, "0123456789ab");
}

TEST_F(S3ServiceTest, UnknownNamesAreRefused) {
  EXPECT_EQ(CodeOf(Send("GET", "/bucket/k?versionid=3")), "InvalidArgument");
  EXPECT_EQ(CodeOf(Send("PUT", "/bucket/k", "x", {{"x-amz-meta", "3"}})), "InvalidArgument");
  const std::string id = Create();
  // What is given to the object belongs to CreateMultipartUpload alone.
  EXPECT_EQ(CodeOf(Send("PUT", At(id, 1), a_, {{"x-amz-server-side-encryption", "AES256"}})), "InvalidArgument");
  EXPECT_EQ(CodeOf(Send("POST", At(id), Parts({{1, "e", ""}}), {{"x-amz-acl", "private"}})), "InvalidArgument");
  EXPECT_EQ(Send("PUT", "/other/k", "x").status, 404);
}

TEST_F(S3ServiceTest, ChunkedBodiesAreNotTaken) {
  EXPECT_EQ(Send("PUT", "/bucket/k", "x", {{"Content-Encoding", "aws-chunked"}}).status, 501);
  EXPECT_EQ(Send("PUT", "/bucket/k", "x", {{"Transfer-Encoding", "chunked"}}).status, 501);
}

TEST_F(S3ServiceTest, BucketMayWantHeadersAndChecksums) {
  service_.Change([](S3Rules* rules) {
    rules->required_headers = {{"x-amz-server-side-encryption", "AES256"}};
    rules->require_checksum = true;
  });
  EXPECT_EQ(CodeOf(Send("POST", "/bucket/k?uploads")), "InvalidRequest");
  const std::string id = Create({{"x-amz-server-side-encryption", "AES256"}});
  EXPECT_EQ(CodeOf(Send("PUT", At(id, 1), a_)), "InvalidRequest");
  EXPECT_EQ(Send("PUT", At(id, 1), a_, {{"Content-MD5", Base64Encode(Md5Of(a_))}}).status, 200);
}

TEST_F(S3ServiceTest, CustomerKeyHasToComeAgain) {
  const std::string key(32, 'k');
  const HttpHeaders sse{{"x-amz-server-side-encryption-customer-algorithm", "AES256"},
                        {"x-amz-server-side-encryption-customer-key", Base64Encode(key)},
                        {"x-amz-server-side-encryption-customer-key-md5", Base64Encode(Md5Of(key))}};
  const std::string id = Create(sse);
  EXPECT_EQ(CodeOf(Send("PUT", At(id, 1), a_)), "InvalidRequest");
  const std::string etag = Put(id, 1, a_, sse);
  EXPECT_NE(etag, "\"" + HexOf(Md5Of(a_)) + "\"") << "the ETag is no MD5 there";
  EXPECT_EQ(CompleteCode(id, {{1, etag, ""}}), "");
  EXPECT_EQ(Send("GET", "/bucket/k").status, 400);
  EXPECT_EQ(Send("GET", "/bucket/k", "", sse).body, a_);
}

TEST_F(S3ServiceTest, OddAnswersOfOtherStores) {
  service_.Change([](S3Rules* rules) {
    rules->opaque_etags = rules->empty_complete_etag = rules->complete_twice_is_ok = rules->lists_unsorted = true;
  });
  const std::string id = Create();
  const std::string e1 = Put(id, 1, a_), again = Put(id, 1, a_), e2 = Put(id, 2, b_);
  EXPECT_NE(e1, again);
  EXPECT_NE(e1.find('+'), e1.npos);
  EXPECT_EQ(Element(Send("GET", At(id)).body, "PartNumber"), "2") << "unsorted";
  const S3Reply done = Send("POST", At(id), Parts({{1, again, ""}, {2, e2, ""}}));
  EXPECT_NE(done.body.find("<ETag></ETag>"), done.body.npos);
  EXPECT_EQ(Send("POST", At(id), Parts({{1, again, ""}, {2, e2, ""}})).status, 200);
  EXPECT_TRUE(service_.Uploads().empty());
}

}  // namespace
}  // namespace tailrace
