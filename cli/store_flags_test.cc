#include "cli/store_flags.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tailrace::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// A command line of one command that has all flags, or those of a command that starts from a state.
struct Line {
  CLI::App app;
  StoreFlags flags;

  explicit Line(std::vector<std::string> arguments, bool with_object = true) {
    with_object ? flags.AddWithObjectTo(&app) : flags.AddTo(&app);
    std::reverse(arguments.begin(), arguments.end());
    app.parse(arguments);
  }
};

StoreOptions Parsed(const std::vector<std::string>& arguments) { return Line(arguments).flags.Parse().ValueOrDie(); }

std::string Refused(const std::vector<std::string>& arguments) {
  const Status status = Line(arguments).flags.Parse().status();
  EXPECT_EQ(KindOf(status), ErrorKind::kInvalid) << arguments.front();
  return status.message();
}

TEST(StoreFlags, NothingGivenIsTheDefault) {
  const S3Options given = Parsed({}).s3, defaults;
  EXPECT_EQ(given.endpoint, "");
  EXPECT_TRUE(given.allow_http);
  EXPECT_EQ(given.checksum, std::nullopt);
  EXPECT_EQ(given.content_type, defaults.content_type);
  EXPECT_EQ(given.max_connections, defaults.max_connections);
  EXPECT_EQ(given.retry_timeout, defaults.retry_timeout);
  EXPECT_EQ(given.encryption.kind, S3EncryptionKind::kNone);
  EXPECT_THAT(Line({}).flags.Arguments(), ElementsAre());
}

TEST(StoreFlags, HowTheStoreIsReached) {
  const S3Options s3 = Parsed({"--endpoint",
                               "https://h:1",
                               "--region",
                               "r",
                               "--addressing",
                               "virtual",
                               "--no-http",
                               "--aws-profile",
                               "p",
                               "--requester-pays",
                               "--expected-bucket-owner",
                               "1",
                               "--sign-payload",
                               "--max-connections",
                               "3",
                               "--http2",
                               "--ca-file",
                               "ca",
                               "--proxy",
                               "http://p:2",
                               "--no-proxy",
                               "a,b",
                               "--connect-timeout",
                               "1s",
                               "--request-timeout",
                               "2s",
                               "--complete-timeout",
                               "3s",
                               "--max-attempts",
                               "4",
                               "--retry-timeout",
                               "5s"})
                           .s3;
  EXPECT_EQ(s3.endpoint, "https://h:1");
  EXPECT_EQ(s3.region, "r");
  EXPECT_EQ(s3.addressing, S3Addressing::kVirtualHost);
  EXPECT_FALSE(s3.allow_http);
  EXPECT_EQ(s3.profile, "p");
  EXPECT_TRUE(s3.requester_pays && s3.sign_payload && s3.http2);
  EXPECT_EQ(s3.expected_bucket_owner, "1");
  EXPECT_EQ(s3.max_connections, 3);
  EXPECT_EQ(s3.ca_file, "ca");
  EXPECT_EQ(s3.proxy, "http://p:2");
  EXPECT_EQ(s3.no_proxy, "a,b");
  EXPECT_EQ(s3.connect_timeout, std::chrono::seconds(1));
  EXPECT_EQ(s3.request_timeout, std::chrono::seconds(2));
  EXPECT_EQ(s3.complete_timeout, std::chrono::seconds(3));
  EXPECT_EQ(s3.max_attempts, 4);
  EXPECT_EQ(s3.retry_timeout, std::chrono::seconds(5));
  EXPECT_TRUE(Parsed({"--anonymous"}).s3.anonymous);
}

TEST(StoreFlags, WhatTheObjectIsGiven) {
  const S3Options s3 = Parsed({"--content-type",
                               "t",
                               "--storage-class",
                               "c",
                               "--acl",
                               "a",
                               "--tag",
                               "x=1",
                               "--tag",
                               "y=",
                               "--object-metadata",
                               "m=a=b",
                               "--sse",
                               "kms",
                               "--sse-kms-key-id",
                               "k",
                               "--checksum",
                               "sha256",
                               "--lock-mode",
                               "governance",
                               "--lock-until",
                               "2027-01-31",
                               "--legal-hold"})
                           .s3;
  EXPECT_EQ(s3.content_type, "t");
  EXPECT_EQ(s3.storage_class, "c");
  EXPECT_EQ(s3.acl, "a");
  EXPECT_THAT(s3.tags, ElementsAre(testing::Pair("x", "1"), testing::Pair("y", "")));
  EXPECT_THAT(s3.metadata, ElementsAre(testing::Pair("m", "a=b")));
  EXPECT_EQ(s3.encryption.kind, S3EncryptionKind::kSseKms);
  EXPECT_EQ(s3.encryption.kms_key_id, "k");
  EXPECT_EQ(s3.checksum, S3Checksum::kSha256);
  EXPECT_EQ(s3.lock_mode, "GOVERNANCE");
  EXPECT_TRUE(s3.lock_until.has_value());
  EXPECT_TRUE(s3.legal_hold);
}

TEST(StoreFlags, WrongValuesAreRefusedByName) {
  const std::vector<std::string> kWrong[] = {
      {"--addressing", "both"},
      {"--max-connections", "0"},
      {"--max-attempts", "x"},
      {"--connect-timeout", "10"},
      {"--request-timeout", "0s"},
      {"--complete-timeout", "-1s"},
      {"--retry-timeout", "3rows"},
      {"--checksum", "crc7"},
      {"--sse", "rot13"},
      {"--sse", "customer-key"},
      {"--sse-kms-key-id", "k"},
      {"--tag", "novalue"},
      {"--object-metadata", "=x"},
      {"--lock-mode", "governance"},
      {"--lock-until", "2027-01-31"},
      {"--lock-mode", "forever", "--lock-until", "2027-01-31"},
      {"--lock-until", "soon", "--lock-mode", "governance"},
      {"--anonymous", "--aws-profile", "p"},
      {"--endpoint", "https://id:secret@h"},
      {"--proxy", "http://user:secret@h"},
  };
  for (const auto& arguments : kWrong) {
    const std::string message = Refused(arguments);
    EXPECT_THAT(message, HasSubstr(arguments[0]));
    EXPECT_THAT(message, testing::Not(HasSubstr("secret")));
  }
}

TEST(StoreFlags, ALocalFileUnderstandsNoneOfThem) {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"--region", "r"}, {"--storage-class", "c"}, {"--http2"}, {"--tag", "a=b"}}) {
    const Line line(arguments);
    const Status status = line.flags.Open("/x.parquet", line.flags.Parse().ValueOrDie()).status();
    EXPECT_EQ(KindOf(status), ErrorKind::kInvalid);
    EXPECT_THAT(status.message(), HasSubstr(arguments[0]));
  }
  EXPECT_TRUE(Line({}).flags.Open("/x.parquet", {}).ok());
}

TEST(StoreFlags, AStateIsNotTakenElsewhere) {
  const Target target{
      .kind = "s3", .endpoint = "https://h", .region = "r", .addressing = "path", .bucket = "b", .key = "k"};
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"--endpoint", "https://other"}, {"--region", "other"}, {"--addressing", "virtual"}}) {
    const Line line(arguments, /*with_object=*/false);
    StoreOptions options = line.flags.Parse().ValueOrDie();
    options.s3.anonymous = true;
    const Status status = line.flags.OpenSame(target, {}, options).status();
    EXPECT_EQ(KindOf(status), ErrorKind::kBadState) << status.message();
    EXPECT_THAT(status.message(), HasSubstr(arguments[0]));
  }
  const Line same({"--endpoint", "https://h", "--region", "r", "--addressing", "path"}, /*with_object=*/false);
  StoreOptions options = same.flags.Parse().ValueOrDie();
  options.s3.anonymous = true;
  EXPECT_EQ(same.flags.OpenSame(target, {}, options).ValueOrDie().store->TargetOf("k"), target);
}

TEST(StoreFlags, OptionsOfTheObjectBelongToWriteAlone) {
  for (const char* option : {"--storage-class", "--tag", "--sse", "--checksum", "--acl", "--content-type"}) {
    EXPECT_THROW(Line({option, "x=y"}, /*with_object=*/false), CLI::ExtrasError) << option;
  }
}

TEST(StoreFlags, ArgumentsAreThoseThatWereGiven) {
  const std::vector<std::string> given = {"--storage-class", "c", "--tag",    "a=1", "--tag", "b=2",
                                          "--region",        "r", "--no-http"};
  EXPECT_THAT(Line(given).flags.Arguments(), testing::UnorderedElementsAreArray(given));
  EXPECT_EQ(Parsed(Line(given).flags.Arguments()).s3.tags.size(), 2u);
}

TEST(StoreFlags, ACustomersKeyIsForObjectsThatHaveOne) {
  std::string pattern = (std::filesystem::temp_directory_path() / "tailrace-flags-XXXXXX").string();
  const std::string folder = mkdtemp(pattern.data());
  std::ofstream(folder + "/key") << "0123456789abcdef0123456789ABCDEF";
  const Line line({"--sse-customer-key-file", folder + "/key", "--anonymous"});
  const StoreOptions options = line.flags.Parse().ValueOrDie();
  EXPECT_EQ(options.s3.encryption.kind, S3EncryptionKind::kSseC);
  const Target target{
      .kind = "s3", .endpoint = "https://h", .region = "r", .addressing = "path", .bucket = "b", .key = "k"};
  EXPECT_EQ(KindOf(line.flags.OpenSame(target, {}, options).status()), ErrorKind::kInvalid);
  EXPECT_TRUE(line.flags.OpenSame(target, {.encryption = S3EncryptionKind::kSseC}, options).ok());
  EXPECT_THAT(Refused({"--sse-customer-key-file", folder + "/key", "--sse", "s3"}), HasSubstr("--sse"));
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace tailrace::cli
