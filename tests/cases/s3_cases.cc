#include "tests/cases/s3_cases.h"

#include "store/s3/s3_settings.h"

namespace tailrace::sim {

S3Cases::S3Cases() {
  // Write ids are made from the system's time.
  clock_.SetNow(std::chrono::round<std::chrono::microseconds>(std::chrono::system_clock::now()));
  Rules([](S3Rules* rules) { rules->min_part_bytes = 1; });
  const S3Key key = server_.key();
  options_.s3.endpoint = server_.endpoint();
  options_.s3.region = "us-east-1";
  options_.s3.credentials = {key.access_key_id, key.secret_access_key, key.session_token, {}};
  StoreLimits limits;
  limits.reads_settle_at_once = true;
  options_.limits = limits;
  file_.inline_max_bytes = 0;
}

void S3Cases::Use(const std::string& name) {
  std::string path = TAILRACE_FAULT_FOLDER;
  path.append("/").append(name).append(".json");
  server_.Use(ReadFaultFile(path).ValueOrDie());
}

std::shared_ptr<S3Store> S3Cases::StoreWithClock(FakeClock* clock, std::shared_ptr<HttpTransport> transport) const {
  S3StoreSetup setup{.limits = options_.limits};
  setup.settings = SettingsOf({.dialect = S3Dialect::kOther,
                               .endpoint = server_.endpoint(),
                               .region = options_.s3.region,
                               .bucket = "bucket"},
                              options_.s3)
                       .ValueOrDie();
  const S3Key key = server_.key();
  setup.client.credentials = StaticCredentials({key.access_key_id, key.secret_access_key, key.session_token, {}});
  setup.client.transport = transport != nullptr ? transport : MakeCurlTransport({}).ValueOrDie();
  setup.client.clock = clock;
  setup.client.retry.max_attempts = options_.s3.max_attempts;
  setup.client.max_requests = options_.s3.max_connections;
  return S3Store::Make(std::move(setup));
}

Result<PendingCommit> S3Cases::WriteAll(const std::shared_ptr<MultipartStore>& store) const {
  ARROW_ASSIGN_OR_RAISE(const auto writer, ParquetStreamWriter::Open(store, key_, RowSchema(), file_, Inline()));
  ARROW_RETURN_NOT_OK(WriteUpTo(writer.get(), rows_, 250));
  return writer->Close();
}

Result<CommitInfo> S3Cases::Publish() {
  const auto store = Store();
  ARROW_ASSIGN_OR_RAISE(const PendingCommit pending, WriteAll(store));
  return Commit(pending, {.store = store, .clock = &clock_});
}

Result<WriterState> S3Cases::StateAt(int64_t rows) const {
  const auto writer = Open(Store());
  ARROW_RETURN_NOT_OK(WriteUpTo(writer.get(), rows, 250));
  return writer->Checkpoint();
}

void S3Cases::ExpectRows(int64_t rows) const {
  const std::optional<std::string> bytes = server_.Content(key_);
  ASSERT_TRUE(bytes) << server_.LogText();
  ASSERT_OK_AND_ASSIGN(const std::vector<int64_t> counters, CountersOf(*bytes));
  EXPECT_EQ(counters, Counted(rows));
}

void S3Cases::ExpectNothing() const {
  // S3Server gives its service only where it is not constant.
  auto& service = const_cast<S3Server&>(server_).service();
  EXPECT_TRUE(service.Objects().empty()) << server_.LogText();
  EXPECT_TRUE(service.Uploads().empty()) << server_.LogText();
}

}  // namespace tailrace::sim
