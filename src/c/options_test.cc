// Options from C become the library's, field by field; what C initialises is what C++ defaults to.
#include <chrono>
#include <cstring>
#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "c/handles.h"
#include "c/s3_options.h"
#include "c/store_options.h"
#include "c/write_options.h"
#include "testing/status_macros.h"

namespace tailrace::c {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

template <typename Struct>
Struct Initialised(void (*init)(Struct*, size_t)) {
  Struct out;
  std::memset(&out, 0xab, sizeof out);
  init(&out, sizeof out);
  return out;
}

TEST(FileOptionsFromC, DefaultsAreTheLibrarys) {
  const tailrace_file_options given = Initialised(tailrace_file_options_init);
  ASSERT_OK_AND_ASSIGN(FileOptions read, ReadFileOptions(&given));
  EXPECT_EQ(read, FileOptions());
  ASSERT_OK_AND_ASSIGN(read, ReadFileOptions(nullptr));
  EXPECT_EQ(read, FileOptions());
}

TEST(FileOptionsFromC, EveryFieldArrives) {
  tailrace_file_options given = Initialised(tailrace_file_options_init);
  given.codec = TAILRACE_CODEC_BROTLI;
  given.codec_level = 5;
  given.statistics = 0;
  given.page_index = 0;
  given.row_group_bytes = 1001;
  given.row_group_rows = 1002;
  given.adaptive = 0;
  given.encodings = TAILRACE_ENCODINGS_ALL;
  given.dictionary = 0;
  given.parquet_version = TAILRACE_PARQUET_2_4;
  given.data_page_version = 2;
  given.text_not_utf8 = TAILRACE_TEXT_BINARY;
  given.page_bytes = 1005;
  tailrace_column_options filtered = Initialised(tailrace_column_options_init);
  filtered.path = "f";
  filtered.bloom_filter = 1;
  tailrace_column_options plain = Initialised(tailrace_column_options_init);
  plain.path = "p";
  plain.dictionary = TAILRACE_DICTIONARY_OFF;
  const tailrace_column_options* const columns[] = {&filtered, &plain, nullptr};
  given.columns = columns;
  tailrace_sorting_column sorting = Initialised(tailrace_sorting_column_init);
  sorting.path = "s";
  sorting.nulls_first = 1;
  const tailrace_sorting_column* const sorting_columns[] = {&sorting, nullptr};
  given.sorting_columns = sorting_columns;
  const char* const pairs[] = {"a", "1", "b", "", nullptr};
  given.key_value_metadata = pairs;
  given.part_size_bytes = 1003;
  given.overwrite = TAILRACE_FAIL_IF_EXISTS;
  given.small_files = TAILRACE_SMALL_FILES_UPLOAD;
  given.inline_max_bytes = 1004;
  given.carry_max_bytes = 1006;
  given.checkpoint_mode = TAILRACE_CHECKPOINT_CARRY;
  given.expected_bytes = 1006;
  given.growing_parts = 1;
  ASSERT_OK_AND_ASSIGN(const FileOptions read, ReadFileOptions(&given));
  EXPECT_EQ(read.parquet.codec, Codec::kBrotli);
  EXPECT_EQ(read.parquet.codec_level, 5);
  EXPECT_FALSE(read.parquet.statistics);
  EXPECT_FALSE(read.parquet.page_index);
  EXPECT_EQ(read.parquet.row_group_bytes, 1001);
  EXPECT_EQ(read.parquet.row_group_rows, 1002);
  EXPECT_FALSE(read.parquet.adaptive || read.parquet.dictionary);
  EXPECT_EQ(read.parquet.encodings, Encodings::kAll);
  EXPECT_EQ(read.parquet.version, ParquetVersion::k2_4);
  EXPECT_EQ(read.parquet.data_page_version, DataPageVersion::kV2);
  EXPECT_EQ(read.parquet.text_not_utf8, TextNotUtf8::kBinary);
  EXPECT_EQ(read.parquet.page_bytes, 1005);
  EXPECT_THAT(read.parquet.columns, ElementsAre(ColumnOptions{.path = "f", .bloom_filter = BloomFilterOptions()},
                                                ColumnOptions{.path = "p", .dictionary = false}));
  EXPECT_THAT(read.parquet.sorting_columns, ElementsAre(SortingColumn{.path = "s", .nulls_first = true}));
  EXPECT_THAT(read.parquet.key_value_metadata, ElementsAre(Pair("a", "1"), Pair("b", "")));
  EXPECT_EQ(read.part_size_bytes, 1003);
  EXPECT_EQ(read.overwrite, OverwritePolicy::kFailIfExists);
  EXPECT_EQ(read.small_files, SmallFiles::kUpload);
  EXPECT_EQ(read.inline_max_bytes, 1004);
  EXPECT_EQ(read.carry_max_bytes, 1006);
  EXPECT_EQ(read.checkpoint_mode, CheckpointMode::kCarry);
  EXPECT_EQ(read.expected_bytes, 1006);
  EXPECT_TRUE(read.growing_parts);
}

TEST(RuntimeOptionsFromC, DefaultsAndFields) {
  tailrace_runtime_options given = Initialised(tailrace_runtime_options_init);
  const RuntimeOptions ours;
  ASSERT_OK_AND_ASSIGN(RuntimeOptions read, ReadRuntimeOptions(&given));
  EXPECT_EQ(read.executor, nullptr);
  EXPECT_EQ(read.memory_budget_bytes, ours.memory_budget_bytes);
  EXPECT_EQ(read.parts_in_flight, ours.parts_in_flight);
  EXPECT_EQ(read.encode_threads, ours.encode_threads);
  EXPECT_EQ(read.on_error, ours.on_error);
  tailrace_executor executor{MakeInlineExecutor()};
  given.executor = &executor;
  given.memory_budget_bytes = 7;
  given.parts_in_flight = 8;
  given.encode_threads = 3;
  given.on_error = TAILRACE_ON_ERROR_KEEP;
  ASSERT_OK_AND_ASSIGN(read, ReadRuntimeOptions(&given));
  EXPECT_EQ(read.executor, executor.executor);
  EXPECT_EQ(read.memory_budget_bytes, 7);
  EXPECT_EQ(read.parts_in_flight, 8);
  EXPECT_EQ(read.encode_threads, 3);
  EXPECT_EQ(read.on_error, OnError::kKeep);
}

TEST(CommitOptionsFromC, DefaultsAndFields) {
  tailrace_commit_options given = Initialised(tailrace_commit_options_init);
  const CommitOptions ours;
  ASSERT_OK_AND_ASSIGN(CommitOptions read, ReadCommitOptions(&given, nullptr));
  EXPECT_EQ(read.store, nullptr);
  EXPECT_EQ(read.retarget, ours.retarget);
  EXPECT_EQ(read.force, ours.force);
  EXPECT_EQ(read.verify, ours.verify);
  EXPECT_EQ(read.settle_timeout, ours.settle_timeout);
  EXPECT_EQ(read.key, "");
  tailrace_store store;
  store.at.key = "own";
  given.retarget = 1;
  given.force = 1;
  given.verify = 0;
  given.settle_timeout_ms = 9;
  ASSERT_OK_AND_ASSIGN(read, ReadCommitOptions(&given, &store));
  EXPECT_TRUE(read.retarget && read.force && !read.verify);
  EXPECT_EQ(read.settle_timeout, milliseconds(9));
  EXPECT_EQ(read.key, "own") << "what the store was opened for";
  given.key = "other";
  ASSERT_OK_AND_ASSIGN(read, ReadCommitOptions(&given, &store));
  EXPECT_EQ(read.key, "other");
}

TEST(ResumeOptionsFromC, DefaultsAndFields) {
  tailrace_resume_options given = Initialised(tailrace_resume_options_init);
  const ResumeOptions ours;
  ASSERT_OK_AND_ASSIGN(ResumeOptions read, ReadResumeOptions(&given, nullptr, nullptr));
  EXPECT_EQ(read.retarget, ours.retarget);
  EXPECT_EQ(read.verify, ours.verify);
  EXPECT_EQ(read.runtime.memory_budget_bytes, ours.runtime.memory_budget_bytes);
  tailrace_runtime_options runtime = Initialised(tailrace_runtime_options_init);
  runtime.parts_in_flight = 2;
  EXPECT_FALSE(read.checkpoint_mode.has_value());
  given.checkpoint_mode = TAILRACE_CHECKPOINT_CARRY;
  given.verify = 0;
  given.retarget = 1;
  given.key = "k";
  ASSERT_OK_AND_ASSIGN(read, ReadResumeOptions(&given, nullptr, &runtime));
  EXPECT_EQ(read.checkpoint_mode, CheckpointMode::kCarry);
  EXPECT_TRUE(read.retarget && !read.verify);
  EXPECT_EQ(read.key, "k");
  EXPECT_EQ(read.runtime.parts_in_flight, 2);
}

TEST(StoreOptionsFromC, DefaultsAndLimits) {
  tailrace_store_options given = Initialised(tailrace_store_options_init);
  ASSERT_OK_AND_ASSIGN(StoreOptions read, ReadStoreOptions(&given));
  EXPECT_FALSE(read.create_folders);
  EXPECT_FALSE(read.limits.has_value());
  tailrace_store_limits limits = Initialised(tailrace_store_limits_init);
  given.limits = &limits;
  given.create_folders = 1;
  ASSERT_OK_AND_ASSIGN(read, ReadStoreOptions(&given));
  EXPECT_TRUE(read.create_folders);
  EXPECT_EQ(read.limits, StoreLimits());
  limits = {sizeof limits, 1, 2, 3, 4, 5, 0, TAILRACE_STRAY_PARTS_REFUSED, 0, 1, 1};
  ASSERT_OK_AND_ASSIGN(read, ReadStoreOptions(&given));
  const StoreLimits expected{.min_part_bytes = 1,
                             .max_part_bytes = 2,
                             .max_parts = 3,
                             .max_object_bytes = 4,
                             .max_put_bytes = 5,
                             .checks_part_etags = false,
                             .stray_parts = StrayParts::kRefused,
                             .equal_parts = true,
                             .conditional_put = false,
                             .reads_settle_at_once = true};
  EXPECT_EQ(read.limits, expected);
  tailrace_store_limits written = Initialised(tailrace_store_limits_init);
  ASSERT_OK(WriteLimits(expected, &written));
  EXPECT_EQ(std::memcmp(&written, &limits, sizeof limits), 0);
  limits.max_parts = int64_t{1} << 40;
  EXPECT_KIND(ErrorKind::kInvalid, ReadStoreOptions(&given));
  given.limits = nullptr;
  given.profile = "no such profile";
  EXPECT_KIND(ErrorKind::kNotFound, ReadStoreOptions(&given));
}

TEST(S3OptionsFromC, DefaultsAreTheLibrarys) {
  const tailrace_s3_options given = Initialised(tailrace_s3_options_init);
  const S3Options ours;
  ASSERT_OK_AND_ASSIGN(const S3Options read, ReadS3Options(&given));
  EXPECT_EQ(read.endpoint, ours.endpoint);
  EXPECT_EQ(read.region, ours.region);
  EXPECT_EQ(read.addressing, ours.addressing);
  EXPECT_EQ(read.allow_http, ours.allow_http);
  EXPECT_FALSE(read.anonymous || read.credentials || read.credentials_callback);
  EXPECT_EQ(read.checksum, ours.checksum);
  EXPECT_EQ(read.sign_payload, ours.sign_payload);
  EXPECT_EQ(read.encryption.kind, ours.encryption.kind);
  EXPECT_EQ(read.content_type, ours.content_type);
  EXPECT_THAT(read.tags, IsEmpty());
  EXPECT_FALSE(read.lock_until || read.legal_hold || read.requester_pays);
  EXPECT_EQ(read.max_connections, ours.max_connections);
  EXPECT_EQ(read.http2, ours.http2);
  EXPECT_EQ(read.connect_timeout, ours.connect_timeout);
  EXPECT_EQ(read.request_timeout, ours.request_timeout);
  EXPECT_EQ(read.complete_timeout, ours.complete_timeout);
  EXPECT_EQ(read.retry_timeout, ours.retry_timeout);
  EXPECT_EQ(read.max_attempts, ours.max_attempts);
}

TEST(S3OptionsFromC, PlacesAndConnectionsArrive) {
  tailrace_s3_options given = Initialised(tailrace_s3_options_init);
  given.endpoint = "https://e";
  given.region = "r";
  given.addressing = TAILRACE_ADDRESSING_VIRTUAL_HOST;
  given.allow_http = 0;
  given.anonymous = 1;
  given.profile = "p";
  given.sign_payload = 1;
  given.requester_pays = 1;
  given.expected_bucket_owner = "o";
  given.max_connections = 3;
  given.http2 = 1;
  given.ca_file = "ca";
  given.proxy = "px";
  given.no_proxy = "npx";
  given.connect_timeout_ms = 11;
  given.request_timeout_ms = 12;
  given.complete_timeout_ms = 15;
  given.retry_timeout_ms = 13;
  given.max_attempts = 14;
  ASSERT_OK_AND_ASSIGN(const S3Options read, ReadS3Options(&given));
  EXPECT_EQ(read.endpoint, "https://e");
  EXPECT_EQ(read.region, "r");
  EXPECT_EQ(read.addressing, S3Addressing::kVirtualHost);
  EXPECT_TRUE(!read.allow_http && read.anonymous && read.sign_payload && read.requester_pays && read.http2);
  EXPECT_EQ(read.profile, "p");
  EXPECT_EQ(read.expected_bucket_owner, "o");
  EXPECT_EQ(read.max_connections, 3);
  EXPECT_EQ(read.ca_file, "ca");
  EXPECT_EQ(read.proxy, "px");
  EXPECT_EQ(read.no_proxy, "npx");
  EXPECT_EQ(read.connect_timeout, milliseconds(11));
  EXPECT_EQ(read.request_timeout, milliseconds(12));
  EXPECT_EQ(read.complete_timeout, milliseconds(15));
  EXPECT_EQ(read.retry_timeout, milliseconds(13));
  EXPECT_EQ(read.max_attempts, 14);
}

TEST(S3OptionsFromC, WhatObjectsAreGivenArrives) {
  tailrace_s3_options given = Initialised(tailrace_s3_options_init);
  given.checksum = TAILRACE_CHECKSUM_CRC32C;
  given.encryption = TAILRACE_ENCRYPTION_SSE_C;
  uint8_t key[32] = {1, 0, 3};
  given.customer_key = key;
  given.kms_key_id = "kms";
  given.storage_class = "STANDARD_IA";
  given.acl = "private";
  const char* const tags[] = {"t", "1", nullptr};
  const char* const metadata[] = {"m", "2", nullptr};
  given.tags = tags;
  given.metadata = metadata;
  given.content_type = "";
  given.lock_mode = "GOVERNANCE";
  given.lock_until_us = 1'000'001;
  given.legal_hold = 1;
  ASSERT_OK_AND_ASSIGN(const S3Options read, ReadS3Options(&given));
  EXPECT_EQ(read.checksum, S3Checksum::kCrc32c);
  EXPECT_EQ(read.encryption.kind, S3EncryptionKind::kSseC);
  EXPECT_EQ(read.encryption.customer_key, std::string(reinterpret_cast<char*>(key), 32));
  EXPECT_EQ(read.encryption.kms_key_id, "kms");
  EXPECT_EQ(read.storage_class, "STANDARD_IA");
  EXPECT_EQ(read.acl, "private");
  EXPECT_THAT(read.tags, ElementsAre(Pair("t", "1")));
  EXPECT_THAT(read.metadata, ElementsAre(Pair("m", "2")));
  EXPECT_EQ(read.content_type, "");
  EXPECT_EQ(read.lock_mode, "GOVERNANCE");
  EXPECT_EQ(read.lock_until->time_since_epoch().count(), 1'000'001);
  EXPECT_TRUE(read.legal_hold);
}

TEST(S3OptionsFromC, CredentialsArrive) {
  tailrace_s3_credentials keys = Initialised(tailrace_s3_credentials_init);
  tailrace_s3_options given = Initialised(tailrace_s3_options_init);
  given.credentials = &keys;
  EXPECT_KIND(ErrorKind::kInvalid, ReadS3Options(&given));
  keys.access_key_id = "id";
  keys.secret_access_key = "secret";
  ASSERT_OK_AND_ASSIGN(S3Options read, ReadS3Options(&given));
  EXPECT_EQ(read.credentials->access_key_id, "id");
  EXPECT_EQ(read.credentials->secret_access_key, "secret");
  EXPECT_EQ(read.credentials->session_token, "");
  EXPECT_FALSE(read.credentials->expires);
  keys.session_token = "token";
  keys.expires_us = 5;
  ASSERT_OK_AND_ASSIGN(read, ReadS3Options(&given));
  EXPECT_EQ(read.credentials->session_token, "token");
  EXPECT_EQ(read.credentials->expires->time_since_epoch().count(), 5);
}

// What the callback does, and how often its context was released.
struct Context {
  void (*answer)(tailrace_credentials_reply*);
  int calls = 0;
  int releases = 0;

  static void Call(void* context, tailrace_credentials_reply* reply) {
    auto* self = static_cast<Context*>(context);
    ++self->calls;
    self->answer(reply);
  }
  static void Release(void* context) { ++static_cast<Context*>(context)->releases; }
};

TEST(CredentialsCallback, IsCalledAndItsContextReleasedOnce) {
  Context context{[](tailrace_credentials_reply* reply) {
    tailrace_s3_credentials keys;
    tailrace_s3_credentials_init(&keys, sizeof keys);
    keys.access_key_id = "id";
    keys.secret_access_key = "secret";
    tailrace_credentials_reply_set(reply, &keys);
  }};
  tailrace_s3_options given = Initialised(tailrace_s3_options_init);
  given.credentials_callback = Context::Call;
  given.credentials_context = &context;
  given.credentials_release = Context::Release;
  {
    ASSERT_OK_AND_ASSIGN(S3Options read, ReadS3Options(&given));
    const S3Options copy = read;
    read = {};
    ASSERT_OK_AND_ASSIGN(const S3Credentials keys, copy.credentials_callback());
    EXPECT_EQ(keys.secret_access_key, "secret");
    EXPECT_EQ(context.releases, 0);
  }
  EXPECT_EQ(context.calls, 1);
  EXPECT_EQ(context.releases, 1);
  given.http2 = 9;
  EXPECT_KIND(ErrorKind::kInvalid, ReadS3Options(&given));
  EXPECT_EQ(context.releases, 2);
}

TEST(CredentialsCallback, SaysWhyItHasNone) {
  Context context{[](tailrace_credentials_reply* reply) {
    tailrace_credentials_reply_fail(reply, TAILRACE_TRANSIENT, "the vault sleeps");
  }};
  tailrace_s3_options given = Initialised(tailrace_s3_options_init);
  given.credentials_callback = Context::Call;
  given.credentials_context = &context;
  ASSERT_OK_AND_ASSIGN(const S3Options read, ReadS3Options(&given));
  const Status failed = read.credentials_callback().status();
  EXPECT_EQ(KindOf(failed), ErrorKind::kTransient);
  EXPECT_THAT(failed.message(), ::testing::HasSubstr("the vault sleeps"));
  context.answer = [](tailrace_credentials_reply*) {};
  EXPECT_KIND(ErrorKind::kInvalid, read.credentials_callback());
}

}  // namespace
}  // namespace tailrace::c
