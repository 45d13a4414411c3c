#include "tests/conformance/store_under_test.h"

#include <cstdlib>
#include <utility>

#include "base/uuid.h"
#include "store/local_store.h"
#include "testing/memory_store.h"
#include "testing/s3_server/s3_server.h"
#include "testing/status_macros.h"
#include "testing/temp_folder.h"

namespace tailrace {
namespace {

constexpr int64_t kSmallPart = 1000;

class LocalUnderTest final : public StoreUnderTest {
 public:
  std::shared_ptr<MultipartStore> store() override { return store_; }
  std::string KeyOf(const std::string& name) override { return folder_.KeyOf(name); }

 private:
  const TempFolder folder_;
  const std::shared_ptr<MultipartStore> store_ = LocalStore::Make({.create_folders = true});
};

class MemoryUnderTest final : public StoreUnderTest {
 public:
  explicit MemoryUnderTest(MemoryStoreOptions options) : store_(MemoryStore::Make(std::move(options))) {}
  std::shared_ptr<MultipartStore> store() override { return store_; }
  std::string KeyOf(const std::string& name) override { return name; }

 private:
  const std::shared_ptr<MultipartStore> store_;
};

std::shared_ptr<MultipartStore> OpenS3(const S3Login& login, const std::function<void(StoreOptions*)>& change) {
  StoreOptions options;
  options.s3.endpoint = login.endpoint;
  options.s3.region = login.region;
  options.s3.credentials = login.credentials;
  change(&options);
  return OpenStore("s3://" + login.bucket + "/any", options).ValueOrDie().store;
}

class S3UnderTest : public StoreUnderTest {
 public:
  explicit S3UnderTest(S3Login login) : login_(std::move(login)), store_(OpenS3(login_, [](StoreOptions*) {})) {}
  std::shared_ptr<MultipartStore> store() override { return store_; }
  std::string KeyOf(const std::string& name) override { return login_.prefix + name; }
  std::shared_ptr<MultipartStore> With(const std::function<void(StoreOptions*)>& change) override {
    return OpenS3(login_, change);
  }
  std::optional<S3Login> login() const override { return login_; }

 private:
  const S3Login login_;
  const std::shared_ptr<MultipartStore> store_;
};

// The strict server inside the test.
class FaultServerUnderTest final : public StoreUnderTest {
 public:
  explicit FaultServerUnderTest(const std::string& rules) {
    server_.service().Change(ParseS3Rules(rules).ValueOrDie());
    server_.service().Change([](S3Rules* all) { all->min_part_bytes = kSmallPart; });
    const S3Key key = server_.key();
    s3_.emplace(S3Login{.endpoint = server_.endpoint(),
                        .bucket = "bucket",
                        .credentials = {key.access_key_id, key.secret_access_key, key.session_token},
                        .region = server_.service().rules().signature.region});
  }
  std::shared_ptr<MultipartStore> store() override { return s3_->store(); }
  std::string KeyOf(const std::string& name) override { return s3_->KeyOf(name); }
  std::shared_ptr<MultipartStore> With(const std::function<void(StoreOptions*)>& change) override {
    return s3_->With(change);
  }
  std::optional<S3Login> login() const override { return s3_->login(); }

 private:
  S3Server server_;
  std::optional<S3UnderTest> s3_;
};

// A strict server of its own kind, or its imitation of a real one, which is tested where that cannot be run too.
const std::map<std::string, std::string>& FaultServerRules() {
  static const std::map<std::string, std::string> rules = {
      {"fault", "{}"},
      {"fault-small-pages", R"({"page_size": 2, "lists_unsorted": true})"},
      {"fault-opaque", R"({"opaque_etags": true, "complete_twice_is_ok": true})"},
      {"fault-no-checksums", R"({"checksums": "refused"})"},
      {"fault-rgw",
       R"({"leaves_strays_out": false, "checksums": "ignored", "complete_conditions": "ignored",
           "empty_complete_etag": true, "complete_twice_is_ok": true, "missing_upload_code": "NoSuchKey",
           "reply_headers": {"x-amz-request-id": "tx00000a1b2c3d4e5f60708-0065f1a2b3-1a2b-default"}})"},
      {"fault-swift",
       R"({"max_parts": 1000, "checksums": "ignored", "put_conditions": "refused", "complete_twice_is_ok": true,
           "reply_headers": {"X-Trans-Id": "tx5d1a3c0e9b8f4d7c8a6e2-0065f1a2b3"}})"},
      {"fault-seaweedfs",
       R"({"checks_part_etags": false, "checksums": "ignored", "reply_headers": {"Server": "SeaweedFS 4.53"}})"},
      {"fault-other-region", R"({"region": "eu-central-1"})"},
  };
  return rules;
}

std::vector<StoreDifferences> StoresInside() {
  const std::map<std::string, KeyFate> local_keys = {{"double slash", KeyFate::kRefused},
                                                     {"1024 bytes", KeyFate::kRefused}};
  std::vector<StoreDifferences> stores = {
      {.name = "local",
       .part_bytes = kSmallPart,
       .checks_part_size = false,
       .keeps_locks = true,
       .tells_crc64 = false,
       .speaks_s3 = false,
       .max_parts = 1'000'000,
       .checks_part_numbers = false,
       .keys = local_keys},
      {.name = "memory", .part_bytes = kSmallPart, .checks_part_size = false, .speaks_s3 = false},
      {.name = "memory-strict-parts", .part_bytes = kSmallPart, .speaks_s3 = false},
      {.name = "memory-no-strays",
       .part_bytes = kSmallPart,
       .checks_part_size = false,
       .leaves_strays_out = false,
       .speaks_s3 = false},
  };
  for (const auto& [name, rules] : FaultServerRules()) {
    const auto has = [&, text = rules](std::string_view word) { return text.find(word) != text.npos; };
    stores.push_back({.name = name,
                      .part_bytes = kSmallPart,
                      .leaves_strays_out = !has("leaves_strays_out"),
                      .checks_part_etags = !has("checks_part_etags"),
                      .completes_twice = has("complete_twice_is_ok"),
                      .tells_crc64 = !has("checksums"),
                      .echoes_checksums = !has("checksums"),
                      .refuses_checksums = has("\"refused\"}"),
                      .checks_tokens = true,
                      .max_parts = has("max_parts") ? 1000 : 10000});
    if (name != "fault") continue;
    stores.back().answers = {{"complete: twice", "404 NoSuchUpload"},
                             {"complete: full-object CRC64NVME without those of parts", "400 InvalidRequest"},
                             {"put: trailer with CRC64NVME", "501 NotImplemented"},
                             {"put: trailer with CRC32C", "501 NotImplemented"},
                             {"put: trailer with a wrong CRC64NVME", "501 NotImplemented"},
                             {"head: encoding after a trailer", "refused"},
                             {"head: partNumber=1", "200, parts not told"},
                             {"head: ids of requests", "x-amz-request-id"}};
  }
  return stores;
}

std::string Need(const char* name) {
  const char* const value = std::getenv(name);
  if (value == nullptr) Status::Invalid("the environment variable ", name, " is missing").Abort();
  return value;
}

S3Login LoginOfEnvironment() {
  return {
      .endpoint = Need("AWS_ENDPOINT_URL"),
      .bucket = Need("TAILRACE_BUCKET"),
      .credentials = {.access_key_id = Need("AWS_ACCESS_KEY_ID"), .secret_access_key = Need("AWS_SECRET_ACCESS_KEY")},
      .region = Need("AWS_REGION"),
      .prefix = MakeInstanceId().substr(0, 12) + "/"};
}

}  // namespace

std::vector<StoreDifferences> StoresOfThisRun() {
  const char* const wanted = std::getenv("TAILRACE_STORE");
  if (wanted == nullptr) return StoresInside();
  for (const StoreDifferences& server : RealServers()) {
    if (server.name == wanted) return {server};
  }
  Status::Invalid("TAILRACE_STORE names no store that the suite knows: ", wanted).Abort();
  return {};
}

std::vector<StoreDifferences> S3StoresOfThisRun() {
  std::vector<StoreDifferences> stores = StoresOfThisRun();
  std::erase_if(stores, [](const StoreDifferences& store) { return !store.speaks_s3; });
  return stores;
}

std::vector<StoreDifferences> ServersOfThisRun() {
  std::vector<StoreDifferences> stores = S3StoresOfThisRun();
  std::erase_if(stores, [](const StoreDifferences& store) { return store.name.starts_with("fault-"); });
  return stores;
}

std::unique_ptr<StoreUnderTest> OpenStoreUnderTest(const StoreDifferences& differences) {
  const std::string& name = differences.name;
  if (name == "local") return std::make_unique<LocalUnderTest>();
  MemoryStoreOptions memory{.name = name};
  if (!differences.leaves_strays_out) memory.limits.stray_parts = StrayParts::kRefused;
  if (differences.checks_part_size) memory.limits.min_part_bytes = kSmallPart;
  if (name.starts_with("memory")) return std::make_unique<MemoryUnderTest>(std::move(memory));
  const auto rules = FaultServerRules().find(name);
  if (rules != FaultServerRules().end()) return std::make_unique<FaultServerUnderTest>(rules->second);
  return std::make_unique<S3UnderTest>(LoginOfEnvironment());
}

const std::map<std::string, std::string>& OddKeys() {
  static const std::map<std::string, std::string> keys = {
      {"plain", "a/b.parquet"},
      {"space", "a b/c d"},
      {"hive", "p=1/q=x%2Fy/part-0"},
      {"plus", "a+b/c+d"},
      {"percent", "100%/50%25"},
      {"punctuation", "a&b,c;d@e$f:g!h~i*j'k(l)m"},
      {"question mark", "a?b=c&d"},
      {"hash", "a#b"},
      {"unicode", "\xc3\xa9/\xe6\x97\xa5\xe6\x9c\xac/\xf0\x9f\x8c\x8a"},
      {"quotes", "a\"b'c<d>e"},
      {"backslash", "a\\b"},
      {"dots", "a/b..c/...d"},
      {"double slash", "x//y"},
      {"1024 bytes", "long/kkk"},  // filled up
  };
  return keys;
}

}  // namespace tailrace
