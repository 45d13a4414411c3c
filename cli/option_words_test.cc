#include "cli/option_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tailrace/store.h"

namespace tailrace::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

// What the library says of these options, as the command line tells it.
std::string Refusal(const std::function<void(StoreOptions*)>& set, const std::string& url = "s3::https://h/bucket/k") {
  StoreOptions options;
  options.s3.anonymous = true;
  options.s3.region = "r";
  set(&options);
  return InCommandLineWords(OpenStore(url, options).status().message());
}

TEST(OptionWords, WhatTheLibraryRefusesIsCalledByItsFlag) {
  const std::pair<const char*, std::function<void(StoreOptions*)>> kBad[] = {
      {"--storage-class: ", [](StoreOptions* o) { o->s3.storage_class = "a\nb"; }},
      {"--acl: ", [](StoreOptions* o) { o->s3.acl = "\x80"; }},
      {"--content-type: ", [](StoreOptions* o) { o->s3.content_type = "\x80"; }},
      {"--expected-bucket-owner: ", [](StoreOptions* o) { o->s3.expected_bucket_owner = "\x80"; }},
      {"--object-metadata: ", [](StoreOptions* o) { o->s3.metadata = {{"a b", ""}}; }},
      {"--object-metadata: ", [](StoreOptions* o) { o->s3.metadata = {{"a", "\x80"}}; }},
      {"--tag: ", [](StoreOptions* o) { o->s3.tags.resize(11, {"n", "v"}); }},
      {"--sse-customer-key-file: ",
       [](StoreOptions* o) {
         o->s3.encryption = {.kind = S3EncryptionKind::kSseC, .kms_key_id = {}, .customer_key = "short"};
       }},
      {"--sse-kms-key-id: ", [](StoreOptions* o) { o->s3.encryption.kms_key_id = "k"; }},
      {"--lock-until: ", [](StoreOptions* o) { o->s3.lock_mode = "GOVERNANCE"; }},
      {"--max-connections: ", [](StoreOptions* o) { o->s3.max_connections = 0; }},
      {"--retry-timeout: ", [](StoreOptions* o) { o->s3.retry_timeout = std::chrono::milliseconds(0); }},
  };
  for (const auto& [flag, set] : kBad) {
    EXPECT_THAT(Refusal(set), HasSubstr(flag));
    EXPECT_THAT(Refusal(set), Not(HasSubstr("S3 option"))) << flag;
  }
}

TEST(OptionWords, PhrasesOfTheLibraryAreTheOnesItUses) {
  EXPECT_THAT(Refusal([](StoreOptions* o) { o->s3.allow_http = false; }, "s3::http://h/bucket/k"),
              HasSubstr("which --no-http refuses"));
  StoreOptions options;
  options.s3.anonymous = true;
  const StoreAndKey at = OpenStore("s3::https://h/bucket/k", options).ValueOrDie();
  const ObjectOptions encrypted{.encryption = S3EncryptionKind::kSseC, .customer_key_md5 = "md5"};
  EXPECT_THAT(InCommandLineWords(at.store->WithObjectOptions(encrypted).status().message()),
              HasSubstr("give it with --sse-customer-key-file FILE"));
}

TEST(OptionWords, OtherTextStays) {
  for (const char* text : {"", "S3 option", "S3 option that never ends", "an S3 bucket: no option"}) {
    EXPECT_EQ(InCommandLineWords(text), text);
  }
  EXPECT_EQ(InCommandLineWords("a: S3 option acl: bad, S3 option tags: bad"), "a: --acl: bad, --tag: bad");
}

}  // namespace
}  // namespace tailrace::cli
