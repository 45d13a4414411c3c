#include "store/s3/s3_settings.h"

#include <gtest/gtest.h>

#include "testing/status_macros.h"

namespace tailrace {
namespace {

S3Place Place(std::string endpoint = "https://h") {
  return {.dialect = S3Dialect::kOther, .endpoint = std::move(endpoint), .bucket = "b"};
}

TEST(S3Settings, OptionsBecomeWhatObjectsAreGiven) {
  S3Options options{.checksum = S3Checksum::kSha256,
                    .encryption = {.kind = S3EncryptionKind::kSseC, .customer_key = std::string(32, 'k')},
                    .storage_class = "GLACIER_IR",
                    .tags = {{"a", "b"}},
                    .metadata = {{"m", "v"}},
                    .requester_pays = true};
  ASSERT_OK_AND_ASSIGN(const S3Settings settings, SettingsOf(Place(), options));
  EXPECT_EQ(settings.object.storage_class, "GLACIER_IR");
  EXPECT_EQ(settings.object.checksum, S3Checksum::kSha256);
  EXPECT_EQ(settings.object.customer_key_md5, "mT2HRsMGJ5IX5C+0rreZ8Q==");
  EXPECT_EQ(settings.customer_key, std::string(32, 'k'));
  EXPECT_EQ(settings.object.content_type, "application/vnd.apache.parquet");
  EXPECT_TRUE(settings.requester_pays);
}

TEST(S3Settings, WhatCannotWorkIsRefusedAndNamed) {
  const Timestamp later(std::chrono::seconds(1));
  const std::pair<const char*, S3Options> rows[] = {
      {"storage_class", {.storage_class = "A\r\nx-evil: 1"}},
      {"acl", {.acl = "\n"}},
      {"content_type", {.content_type = "caf\xc3\xa9"}},
      {"expected_bucket_owner", {.expected_bucket_owner = std::string("a\0b", 3)}},
      {"metadata", {.metadata = {{"bad name", "v"}}}},
      {"metadata", {.metadata = {{"", "v"}}}},
      {"metadata.m", {.metadata = {{"m", "line\nbreak"}}}},
      {"metadata", {.metadata = {{"Tailrace-Write-Id", "v"}}}},
      {"tags", {.tags = {{"", "v"}}}},
      {"tags", {.tags = std::vector<std::pair<std::string, std::string>>(11, {"a", "b"})}},
      {"encryption.customer_key", {.encryption = {.kind = S3EncryptionKind::kSseC, .customer_key = "secret-short"}}},
      {"encryption.customer_key", {.encryption = {.kind = S3EncryptionKind::kSseS3, .customer_key = "secret"}}},
      {"encryption.kms_key_id", {.encryption = {.kind = S3EncryptionKind::kSseS3, .kms_key_id = "k"}}},
      {"lock_until", {.lock_mode = "GOVERNANCE"}},
      {"lock_mode", {.lock_until = later}},
      {"lock_mode", {.lock_mode = "FOREVER", .lock_until = later}},
      {"max_connections", {.max_connections = 0}},
      {"max_attempts", {.max_attempts = 0}},
      {"request_timeout", {.request_timeout = std::chrono::milliseconds(0)}},
  };
  for (const auto& [option, options] : rows) {
    const Result<S3Settings> settings = SettingsOf(Place(), options);
    EXPECT_KIND(ErrorKind::kInvalid, settings);
    const std::string& message = settings.status().message();
    EXPECT_NE(message.find("S3 option " + std::string(option) + ":"), std::string::npos) << message;
    EXPECT_EQ(message.find("secret"), std::string::npos) << message;
  }
}

TEST(S3Settings, ACustomersKeyNeverCrossesPlainHttp) {
  const S3Options options{.encryption = {.kind = S3EncryptionKind::kSseC, .customer_key = std::string(32, 'k')}};
  EXPECT_KIND(ErrorKind::kInvalid, SettingsOf(Place("http://h"), options));
}

}  // namespace
}  // namespace tailrace
