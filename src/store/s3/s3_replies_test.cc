#include "store/s3/s3_replies.h"

#include <gtest/gtest.h>

#include "store/s3/s3_requests.h"
#include "testing/status_macros.h"

namespace tailrace {
namespace {

constexpr const char* kHead = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
constexpr const char* kNamespace = " xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"";

std::string Document(const std::string& root, const std::string& content) {
  return kHead + ("<" + root + kNamespace + ">" + content + "</" + root + ">");
}

TEST(S3Replies, ErrorDocumentsOfAllKinds) {
  const std::string plain =
      "<Error><Code>NoSuchUpload</Code><Message>m &amp; n</Message><RequestId>r</RequestId></Error>";
  for (const std::string& body : {plain, kHead + plain, "   \n\n\t" + (kHead + plain), "\n \n" + plain,
                                  "<ErrorResponse>" + plain + "</ErrorResponse>"}) {
    const auto error = ParseErrorBody(body);
    ASSERT_TRUE(error) << body;
    EXPECT_EQ(error->code, "NoSuchUpload");
    EXPECT_EQ(error->message, "m & n");
    EXPECT_EQ(error->request_id, "r");
  }
  const auto region =
      ParseErrorBody("<Error><Code>AuthorizationHeaderMalformed</Code><Region>eu-west-1</Region></Error>");
  EXPECT_EQ(region->region, "eu-west-1");
  EXPECT_EQ(ParseErrorBody("<Error><Code>InvalidPart</Code><PartNumber>3</PartNumber></Error>")->part_number, 3);
  EXPECT_EQ(ParseErrorBody("<Error><PartNumber>99999999999</PartNumber></Error>")->part_number, std::nullopt);
  for (const char* body : {"", "   ", "<html><body>Error</body></html>", "no xml", "<Error", "<Result/>",
                           "<ErrorResponse/>", "\xff\xfe<"}) {
    EXPECT_FALSE(ParseErrorBody(body)) << body;
  }
}

TEST(S3Replies, DocumentsMayBeLaidOutAndPrefixedAnyWay) {
  const auto error = ParseErrorBody(
      "\xef\xbb\xbf<e:Error xmlns:e=\"x\">\n  <e:Code>\n    NoSuchUpload\n  </e:Code>\n"
      "  <e:PartNumber> 7 </e:PartNumber>\n</e:Error>\n");
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code, "NoSuchUpload");
  EXPECT_EQ(error->part_number, 7);
  ASSERT_OK_AND_ASSIGN(const PartsPage page,
                       ParsePartsPage("<ListPartsResult>\n <IsTruncated> true </IsTruncated>\n <Part>\n"
                                      "  <PartNumber>\n1\n</PartNumber><Size> 5 </Size><ETag>\n\"e\"\n</ETag>\n"
                                      " </Part></ListPartsResult>",
                                      S3Checksum::kNone));
  EXPECT_TRUE(page.truncated);
  ASSERT_EQ(page.parts.size(), 1u);
  EXPECT_EQ(page.parts[0].etag, "\"e\"");
  EXPECT_EQ(page.parts[0].size_bytes, 5);
}

TEST(S3Replies, CreateNeedsAnUploadId) {
  ASSERT_OK_AND_ASSIGN(const UploadId id,
                       ParseCreateReply(Document("InitiateMultipartUploadResult", "<UploadId>a+b/c=&amp;</UploadId>")));
  EXPECT_EQ(id.text, "a+b/c=&");
  EXPECT_KIND(ErrorKind::kInternal, ParseCreateReply(Document("InitiateMultipartUploadResult", "<UploadId/>")));
  EXPECT_KIND(ErrorKind::kInternal, ParseCreateReply(Document("SomethingElse", "<UploadId>a</UploadId>")));
  EXPECT_KIND(ErrorKind::kInternal, ParseCreateReply(""));
  EXPECT_KIND(ErrorKind::kInternal, ParseCreateReply("<html>welcome</html>"));
}

TEST(S3Replies, CompleteIsTolerantOfWhatSomeLeaveOut) {
  const char* root = "CompleteMultipartUploadResult";
  ASSERT_OK_AND_ASSIGN(CompleteReply reply,
                       ParseCompleteReply(Document(root,
                                                   "<ETag>&quot;a-2&quot;</ETag>"
                                                   "<ChecksumCRC64NVME>rosUhgp5mIg=</ChecksumCRC64NVME>")));
  EXPECT_EQ(reply.etag, "\"a-2\"");
  EXPECT_EQ(reply.crc64, 0xae8b14860a799888);
  ASSERT_OK_AND_ASSIGN(reply, ParseCompleteReply("  \n " + Document(root, "<ETag/>")));
  EXPECT_EQ(reply.etag, "");
  EXPECT_EQ(reply.crc64, std::nullopt);
  EXPECT_OK(ParseCompleteReply(Document(root, "")));
  // Prefixed names, as one gateway writes them.
  EXPECT_EQ(ParseCompleteReply("<s:CompleteMultipartUploadResult xmlns:s='x'><s:ETag>e</s:ETag>"
                               "</s:CompleteMultipartUploadResult>")
                ->etag,
            "e");
  // A success that says nothing proves nothing.
  for (const char* body : {"", " \n", "<Error/>", "<html/>"})
    EXPECT_KIND(ErrorKind::kInternal, ParseCompleteReply(body));
}

TEST(S3Replies, PartsPageMayHaveTheNameThatMotoGivesIt) {
  const std::string part = "<Part><PartNumber>1</PartNumber><Size>5</Size></Part>";
  ASSERT_OK_AND_ASSIGN(const PartsPage page, ParsePartsPage(Document("ListPartsResponse", part), S3Checksum::kNone));
  EXPECT_EQ(page.parts.size(), 1);
  EXPECT_KIND(ErrorKind::kInternal, ParsePartsPage(Document("ListPartsReply", part), S3Checksum::kNone));
}

TEST(S3Replies, PartsPageKeepsTheOrderAndTheFacts) {
  ASSERT_OK_AND_ASSIGN(
      const PartsPage page,
      ParsePartsPage(Document("ListPartsResult",
                              "<IsTruncated>true</IsTruncated><NextPartNumberMarker>2</NextPartNumberMarker>"
                              "<Part><PartNumber>2</PartNumber><Size>5</Size><ETag>\"b\"</ETag>"
                              "<ChecksumCRC64NVME>rosUhgp5mIg=</ChecksumCRC64NVME></Part>"
                              "<Part><PartNumber>1</PartNumber><Size>0</Size></Part>"),
                     S3Checksum::kCrc64Nvme));
  EXPECT_TRUE(page.truncated);
  EXPECT_EQ(page.next_after, 2);
  ASSERT_EQ(page.parts.size(), 2u);
  EXPECT_EQ(page.parts[0].number, 2);
  EXPECT_EQ(page.parts[0].etag, "\"b\"");
  EXPECT_EQ(page.parts[0].checksum, "rosUhgp5mIg=");
  EXPECT_EQ(page.parts[0].crc64, 0xae8b14860a799888);
  EXPECT_EQ(page.parts[1].size_bytes, 0);
  EXPECT_EQ(page.parts[1].etag, "");
  for (const char* part :
       {"<Part/>", "<Part><PartNumber>1</PartNumber></Part>", "<Part><PartNumber>0</PartNumber><Size>1</Size></Part>",
        "<Part><PartNumber>x</PartNumber><Size>1</Size></Part>",
        "<Part><PartNumber>1</PartNumber><Size>-1</Size></Part>",
        "<Part><PartNumber>99999999999</PartNumber><Size>1</Size></Part>"}) {
    EXPECT_KIND(ErrorKind::kInternal, ParsePartsPage(Document("ListPartsResult", part), S3Checksum::kNone));
  }
}

// C33: the listing gives the key byte for byte.
TEST(S3Replies, NamesAreDecodedWhereTheListingSaysThatTheyAreEncoded) {
  const std::string encoded =
      "<EncodingType>url</EncodingType><Contents><Key>a+b%2Bc%25%0D%C3%A9</Key><Size>3</Size>"
      "<LastModified>2026-01-01T00:00:00.000Z</LastModified><ETag>\"e\"</ETag></Contents>"
      "<CommonPrefixes><Prefix>x%20y/</Prefix></CommonPrefixes>";
  ASSERT_OK_AND_ASSIGN(ObjectsPage page, ParseObjectsPage(Document("ListBucketResult", encoded)));
  ASSERT_EQ(page.objects.size(), 1u);
  EXPECT_EQ(page.objects[0].key, "a b+c%\r\xc3\xa9");
  EXPECT_EQ(page.objects[0].last_modified, Timestamp(std::chrono::seconds(1'767'225'600)));
  EXPECT_EQ(page.folders, std::vector<std::string>{"x y/"});
  ASSERT_OK_AND_ASSIGN(page, ParseObjectsPage(Document("ListBucketResult",
                                                       "<Contents><Key>a+b%2B</Key><Size>3</Size></Contents>"
                                                       "<Contents><Key>  </Key><Size>3</Size></Contents>"
                                                       "<IsTruncated>true</IsTruncated>"
                                                       "<NextContinuationToken>t</NextContinuationToken>")));
  EXPECT_EQ(page.objects[0].key, "a+b%2B");
  EXPECT_EQ(page.objects[1].key, "  ") << "blanks are a name too";
  EXPECT_EQ(page.next_token, "t");
  EXPECT_KIND(ErrorKind::kInternal,
              ParseObjectsPage(Document("ListBucketResult", "<Contents><Key>a</Key></Contents>")));
}

TEST(S3Replies, UploadsPage) {
  ASSERT_OK_AND_ASSIGN(
      const UploadsPage page,
      ParseUploadsPage(Document("ListMultipartUploadsResult",
                                "<EncodingType>url</EncodingType><IsTruncated>true</IsTruncated>"
                                "<NextKeyMarker>a%20b</NextKeyMarker><NextUploadIdMarker>i+1</NextUploadIdMarker>"
                                "<Upload><Key>a%20b</Key><UploadId>i+1</UploadId>"
                                "<Initiator><ID>arn:aws:iam::1:user/u</ID><DisplayName>u</DisplayName></Initiator>"
                                "<Initiated>2026-01-01T00:00:00Z</Initiated></Upload>")));
  ASSERT_EQ(page.uploads.size(), 1u);
  EXPECT_EQ(page.uploads[0].key, "a b");
  EXPECT_EQ(page.uploads[0].id.text, "i+1");
  EXPECT_EQ(page.uploads[0].initiator, "arn:aws:iam::1:user/u");
  EXPECT_EQ(page.next_key, "a b");
  EXPECT_EQ(page.next_id, "i+1") << "ids are not encoded";
  EXPECT_KIND(ErrorKind::kInternal,
              ParseUploadsPage(Document("ListMultipartUploadsResult", "<Upload><Key>a</Key></Upload>")));
}

TEST(S3Replies, DeleteAndCopyReplies) {
  ASSERT_OK_AND_ASSIGN(const auto failed, ParseDeleteReply(Document(
                                              "DeleteResult", "<Error><Key>k</Key><Code>AccessDenied</Code></Error>")));
  ASSERT_EQ(failed.size(), 1u);
  EXPECT_EQ(failed[0].code, "AccessDenied");
  EXPECT_TRUE(ParseDeleteReply(Document("DeleteResult", ""))->empty());
  EXPECT_EQ(ParseCopyPartReply(Document("CopyPartResult", "<ETag>\"e\"</ETag>"))->etag, "\"e\"");
  EXPECT_KIND(ErrorKind::kInternal, ParseCopyPartReply(Document("CopyPartResult", "")));
}

TEST(S3Replies, HeadersOfObjects) {
  const HttpHeaders headers = {{"Content-Length", "1000"},
                               {"etag", "\"e\""},
                               {"Last-Modified", "Thu, 01 Jan 2026 00:00:00 GMT"},
                               {"X-Amz-Meta-Tailrace-Write-Id", "w"},
                               {"x-amz-checksum-crc64nvme", "rosUhgp5mIg="}};
  ASSERT_OK_AND_ASSIGN(ObjectMeta meta, ReadObjectHeaders(headers, std::nullopt));
  EXPECT_EQ(meta.size_bytes, 1000);
  EXPECT_EQ(meta.etag, "\"e\"");
  EXPECT_EQ(meta.write_id, "w");
  EXPECT_EQ(meta.crc64, 0xae8b14860a799888);
  EXPECT_EQ(meta.last_modified, Timestamp(std::chrono::seconds(1'767'225'600)));
  ASSERT_OK_AND_ASSIGN(meta, ReadObjectHeaders({{"Date", "Thu, 01 Jan 2026 00:00:00 GMT"}}, 7));
  EXPECT_EQ(meta.size_bytes, 7);
  EXPECT_EQ(meta.last_modified, Timestamp(std::chrono::seconds(1'767'225'600)));
  for (const char* length : {"", "-1", "1x", "99999999999999999999"}) {
    EXPECT_KIND(ErrorKind::kInternal, ReadObjectHeaders({{"Content-Length", length}}, std::nullopt));
  }
}

TEST(S3Replies, ContentRanges) {
  ASSERT_TRUE(ParseContentRange("bytes 5-9/100"));
  EXPECT_EQ(ParseContentRange("bytes 5-9/100")->first, 5);
  EXPECT_EQ(ParseContentRange("bytes 5-9/100")->total, 100);
  EXPECT_EQ(ParseContentRange("bytes 5-9/*")->last, 9);
  EXPECT_EQ(ParseContentRange("bytes 5-9/*")->total, std::nullopt);
  for (const char* text : {"", "bytes */100", "bytes 9-5/100", "5-9/100", "bytes 5-9", "bytes -5/100", "bytes a-9/1"}) {
    EXPECT_FALSE(ParseContentRange(text)) << text;
  }
}

// Whatever comes, the parsers end with a value or an error.
TEST(S3Replies, EveryPrefixOfADocumentIsSurvived) {
  const std::string body =
      Document("ListPartsResult", "<Part><PartNumber>1</PartNumber><Size>5</Size><ETag>&quot;</ETag></Part>");
  for (size_t size = 0; size < body.size(); ++size) {
    EXPECT_FALSE(ParsePartsPage(body.substr(0, size), S3Checksum::kNone).ok()) << size;
  }
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "<a>";
  EXPECT_FALSE(ParseErrorBody(deep));
}

}  // namespace
}  // namespace tailrace
