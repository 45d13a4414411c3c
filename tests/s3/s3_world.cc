#include "tests/s3/s3_world.h"

#include <algorithm>
#include <map>
#include <utility>

#include <arrow/record_batch.h>

#include "base/crc64.h"

namespace tailrace::sim {
namespace {

constexpr int64_t kBatchRows = 50;

S3Rules FirstRules(const StoreKind& kind) {
  S3Rules rules;
  rules.signature.keys = {S3Key{}};
  rules.min_part_bytes = 1;
  kind.rules(&rules);
  return rules;
}

std::string Shown(const S3FakeTransport::Logged& one) {
  std::string text = one.operation + (one.call.key == kKey ? "" : " " + one.call.key);
  if (one.call.part_number() > 0) text += " part " + std::to_string(one.call.part_number());
  return text + " -> " + (one.status == 0 ? "nothing" : std::to_string(one.status)) + "\n";
}

}  // namespace

StoreKind Strict() { return {.name = "Strict"}; }

StoreKind Rgw() {
  return {.name = "Rgw",
          .rules =
              [](S3Rules* rules) {
                rules->leaves_strays_out = false;
                rules->checksums = S3Rules::Checksums::kIgnored;
                rules->complete_conditions = S3Rules::Conditions::kIgnored;
                rules->empty_complete_etag = true;
                rules->complete_twice_is_ok = true;
                rules->missing_upload_code = "NoSuchKey";
              },
          .limits =
              [](StoreLimits* limits) {
                limits->stray_parts = StrayParts::kRefused;
                limits->conditional_put = false;
              }};
}

StoreKind Swift() {
  return {.name = "Swift",
          .rules =
              [](S3Rules* rules) {
                rules->checksums = S3Rules::Checksums::kIgnored;
                rules->put_conditions = S3Rules::Conditions::kRefused;
                rules->complete_twice_is_ok = true;
                rules->missing_upload_code = "NoSuchKey";
              },
          .limits = [](StoreLimits* limits) { limits->conditional_put = false; }};
}

StoreKind Opaque() {
  return {.name = "Opaque", .rules = [](S3Rules* rules) { rules->opaque_etags = true; }};
}

StoreKind OpaqueUnsummed() {
  return {.name = "OpaqueUnsummed", .rules = [](S3Rules* rules) {
            rules->opaque_etags = true;
            rules->checksums = S3Rules::Checksums::kIgnored;
          }};
}

StoreKind SealedUnsummed() {
  return {.name = "SealedUnsummed", .rules = [](S3Rules* rules) {
            rules->default_encryption = "aws:kms";
            rules->checksums = S3Rules::Checksums::kIgnored;
          }};
}

StoreKind Unsorted() {
  return {.name = "Unsorted", .rules = [](S3Rules* rules) {
            rules->page_size = 2;
            rules->lists_unsorted = true;
          }};
}

StoreKind ListDenied() {
  return {.name = "ListDenied", .rules = [](S3Rules* rules) { rules->signature.keys.at(0).denied = {"ListParts"}; }};
}

StoreKind Unchecked() {
  return {.name = "Unchecked",
          .rules =
              [](S3Rules* rules) {
                rules->checks_part_etags = false;
                rules->checksums = S3Rules::Checksums::kIgnored;
              },
          .limits = [](StoreLimits* limits) { limits->checks_part_etags = false; }};
}

std::vector<StoreKind> AllKinds() {
  return {Strict(), Rgw(), Swift(), Opaque(), OpaqueUnsummed(), Unsorted(), ListDenied()};
}

StoreLimits LimitsOf(const StoreKind& kind) {
  // As S3 itself: what was written is seen at once.
  StoreLimits limits;
  limits.reads_settle_at_once = true;
  kind.limits(&limits);
  return limits;
}

FreshKeys::FreshKeys(S3Service* service) : service_(service) {
  service_->Change([](S3Rules* rules) {
    S3Key key = KeyOf(1);
    if (!rules->signature.keys.empty()) key.denied = rules->signature.keys[0].denied;
    rules->signature.keys = {std::move(key)};
  });
}

S3Key FreshKeys::KeyOf(int number) {
  const std::string text = std::to_string(number);
  return {.access_key_id = "AKID" + text, .secret_access_key = "secret/" + text, .session_token = "token+" + text};
}

Result<Credentials> FreshKeys::Get() {
  MutexLock lock(&mutex_);
  const S3Key key = KeyOf(number_);
  return Credentials{.access_key_id = key.access_key_id,
                     .secret_access_key = key.secret_access_key,
                     .session_token = key.session_token};
}

void FreshKeys::Expired(const Credentials& used) {
  MutexLock lock(&mutex_);
  if (used.access_key_id != KeyOf(number_).access_key_id) return;  // somebody else was faster
  S3Key key = KeyOf(++number_);
  service_->Change([&](S3Rules* rules) {
    key.denied = rules->signature.keys[0].denied;
    rules->signature.keys.push_back(key);
  });
}

int FreshKeys::made() const {
  MutexLock lock(&mutex_);
  return number_;
}

S3World::S3World(const StoreKind& kind)
    : transport_(std::make_shared<S3FakeTransport>(&clock_, FirstRules(kind))),
      keys_(std::make_shared<FreshKeys>(&transport_->service())) {
  setup_.settings.place = {.dialect = S3Dialect::kOther, .endpoint = "http://localhost:9000", .bucket = "bucket"};
  setup_.limits = LimitsOf(kind);
  setup_.client.transport = transport_;
  setup_.client.clock = &clock_;
  setup_.client.credentials = keys_;
  setup_.client.chance = [] { return 0.5; };
  setup_.client.retry.max_attempts = 4;
}

CommitOptions S3World::Healthy() {
  transport_->Use({});
  return On(Process());
}

std::optional<std::string> S3World::Object() const {
  const auto objects = transport_->service().Objects();
  const auto found = objects.find({"bucket", kKey});
  return found == objects.end() ? std::nullopt : std::optional(found->second.bytes);
}

std::optional<int64_t> S3World::RowsThere() const {
  const std::optional<std::string> bytes = Object();
  return bytes ? std::optional(WholeRows(*bytes)) : std::nullopt;
}

std::vector<std::string> S3World::OpenUploads() {
  std::vector<std::string> ids;
  for (const auto& [id, upload] : transport_->service().Uploads()) ids.push_back(id);
  return ids;
}

std::vector<std::string> S3World::ListedUploads() {
  transport_->Use({});
  std::vector<std::string> ids;
  for (const UploadSummary& one : Process()->ListUploads("dir/").ValueOrDie()) ids.push_back(one.id.text);
  std::sort(ids.begin(), ids.end());
  return ids;
}

Status S3World::PutStray(const UploadId& upload, int number, int64_t size_bytes) {
  ARROW_ASSIGN_OR_RAISE(auto opened, Process()->OpenUpload(kKey, upload));
  const std::string bytes(static_cast<size_t>(size_bytes), static_cast<char>('a' + number % 26));
  return opened->PutPart({number, 0, ByteSlices(ByteSlice::Copy(bytes))}).status();
}

std::string S3World::LogText() const {
  std::string text = "requests:\n";
  for (const S3FakeTransport::Logged& one : transport_->log()) text += Shown(one);
  return text;
}

int64_t WholeRows(const std::string& bytes) {
  static std::map<std::pair<size_t, uint64_t>, int64_t> known;
  const std::pair<size_t, uint64_t> name{bytes.size(), Crc64Nvme(bytes.data(), bytes.size())};
  if (const auto found = known.find(name); found != known.end()) return found->second;
  const Result<std::vector<int64_t>> counters = CountersOf(bytes);
  int64_t rows = -1;
  if (counters.ok() && *counters == Counted(static_cast<int64_t>(counters->size()))) {
    rows = static_cast<int64_t>(counters->size());
  }
  return known[name] = rows;
}

Status WriteOn(ParquetStreamWriter* writer, int64_t end) {
  static std::map<std::pair<int64_t, int64_t>, std::shared_ptr<arrow::RecordBatch>> made;
  static Mutex mutex;
  while (writer->rows() < end) {
    const int64_t begin = writer->rows();
    const int64_t until = std::min(end, (begin / kBatchRows + 1) * kBatchRows);
    std::shared_ptr<arrow::RecordBatch> batch;
    {
      MutexLock lock(&mutex);
      std::shared_ptr<arrow::RecordBatch>& kept = made[{begin, until}];
      if (kept == nullptr) kept = Rows(begin, until);
      batch = kept;
    }
    ARROW_RETURN_NOT_OK(writer->Write(*batch));
  }
  return Status::OK();
}

FileOptions TinyParts() {
  FileOptions options = SmallFile();
  options.part_size_bytes = 4 << 10;
  options.inline_max_bytes = 0;
  options.parquet.row_group_bytes = 16 << 10;
  return options;
}

}  // namespace tailrace::sim
