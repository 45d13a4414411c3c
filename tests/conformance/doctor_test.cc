// What a probe finds out by itself about each store is what is known of it; and what a writer does with its profile.
#include <map>

#include "tailrace/commit.h"
#include "tailrace/doctor.h"
#include "tailrace/writer.h"
#include "testing/doctor_answers.h"
#include "tests/conformance/conformance_fixture.h"
#include "tests/sim/writes.h"

namespace tailrace {
namespace {

using Answers = std::map<std::string, std::string>;

// Of S3, where everything is allowed.
const Answers& AnswersOfS3() {
  static const Answers answers = [] {
    Answers full = StrictS3Answers();
    full["equal-parts"] = "not needed";  // a quick probe does not ask
    return full;
  }();
  return answers;
}

// A Complete of an upload that is gone is answered as a success where anything at all is under the key.
const Answers kVersitygw = {{"complete.again", "committed"}, {"gone.complete", "accepted"}};
const Answers kOpaque = {{"complete.again", "committed"}, {"gone.complete", "accepted"}, {"etag", "opaque"}};
const Answers kChecksumsIgnored = {{"checksum.crc64nvme", "ignored"},
                                   {"checksum.crc32c", "ignored"},
                                   {"checksum.crc32", "ignored"},
                                   {"checksum.sha256", "ignored"},
                                   {"checksum.whole", "not asked"}};

Answers Together(Answers some, const Answers& more) {
  some.insert(more.begin(), more.end());
  return some;
}

// In what each real server differs from S3.
const std::map<std::string, Answers>& AnswersOfServers() {
  static const std::map<std::string, Answers> servers = {
      {"versitygw", kVersitygw},
      {"versitygw-opaque", kOpaque},
      {"versitygw-tls", kVersitygw},
      {"localstack", {}},
      {"radosgw", Together(kChecksumsIgnored, {{"complete.etag", "empty"},
                                               {"complete.again", "committed"},
                                               {"gone.complete", "fails"},
                                               {"strays", "refused"},
                                               {"conditions.put-if-match", "refused"},
                                               {"conditions.complete-if-absent", "ignored"}})},
      {"swift", Together(kChecksumsIgnored, {{"complete.again", "committed"},
                                             {"most-parts", "1000"},
                                             {"conditions.put-if-absent", "refused"},
                                             {"conditions.put-if-match", "refused"}})},
      {"seaweedfs", {{"complete.again", "committed"}, {"part-etags", "not checked"}}},
      {"moto", Together(kChecksumsIgnored, {{"checksum.md5", "ignored"},
                                            {"complete.again", "committed"},
                                            {"gone.part", "fails"},
                                            {"gone.complete", "fails"}})},
  };
  return servers;
}

class Doctor : public ConformanceTest {
 protected:
  bool is_real() const { return AnswersOfServers().contains(differs().name); }
  StoreReport Probe() {
    const S3Login login = under_test_->login().value();
    ProbeOptions options{.quick = !is_real()};
    options.store.s3.endpoint = login.endpoint;
    options.store.s3.region = login.region;
    options.store.s3.credentials = login.credentials;
    return ProbeStore("s3://" + login.bucket + "/" + Key("doctor"), options).ValueOrDie();
  }
};
INSTANTIATE_TEST_SUITE_P(On, Doctor, ::testing::ValuesIn(S3StoresOfThisRun()), NameOfStore);

TEST_P(Doctor, FindsWhatIsKnownOfTheStore) {
  const StoreReport report = Probe();
  EXPECT_TRUE(report.can_write());
  EXPECT_THAT(report.leftovers, ::testing::IsEmpty());
  EXPECT_TRUE(OpenUploadsOf(Key("doctor")).empty());
  EXPECT_EQ(report.Find("strays")->answer, differs().leaves_strays_out ? "left out" : "refused");
  EXPECT_EQ(report.Find("part-etags")->answer, differs().checks_part_etags ? "checked" : "not checked");
  EXPECT_EQ(report.Find("most-parts")->answer, std::to_string(differs().max_parts));
  EXPECT_EQ(report.profile.checksum == S3Checksum::kNone, !differs().echoes_checksums);
  if (!is_real()) return;
  Answers found;
  for (const Finding& finding : report.findings) {
    if (AnswersOfS3().at(finding.name) != finding.answer) found.emplace(finding.name, finding.answer);
  }
  EXPECT_EQ(found, AnswersOfServers().at(differs().name));
  EXPECT_EQ(report.findings.size(), AnswersOfS3().size());
}

// Known before the first request, and then a whole write that meets a stray part.
TEST_P(Doctor, AProfileTellsAWriterWhatToDo) {
  StoreProfile profile = StoreProfile::FromJson(Probe().profile.ToJson()).ValueOrDie();
  if (!is_real()) profile.limits.min_part_bytes = differs().part_bytes;
  const auto told = under_test_->With([&](StoreOptions* options) { options->profile = profile; });
  EXPECT_EQ(told->limits().stray_parts, differs().leaves_strays_out ? StrayParts::kLeftOut : StrayParts::kRefused);
  EXPECT_EQ(told->limits().checks_part_etags, differs().checks_part_etags);
  EXPECT_EQ(told->limits().max_parts, differs().max_parts);

  FileOptions file = sim::SmallFile();
  file.part_size_bytes = std::max(file.part_size_bytes, told->limits().min_part_bytes);
  RuntimeOptions runtime = sim::Inline();
  runtime.memory_budget_bytes = 64 << 20;
  auto writer = ParquetStreamWriter::Open(told, Key(), sim::RowSchema(), file, runtime).ValueOrDie();
  constexpr int64_t kRows = 2000;
  ASSERT_OK(sim::WriteUpTo(writer.get(), kRows, 1000));
  ASSERT_OK_AND_ASSIGN(const WriterState state, writer->Checkpoint());
  // What a lost process stored beyond the state.
  ASSERT_OK_AND_ASSIGN(const auto upload, told->OpenUpload(Key(), state.progress.upload_id));
  const int stray = static_cast<int>(state.progress.receipts.size()) + 3;
  ASSERT_OK(upload->PutPart({.number = stray, .body = SlicesOf("a stray")}));
  writer.reset();
  ASSERT_OK_AND_ASSIGN(const CommitInfo done, Finish(state, {.store = told}));
  ASSERT_OK_AND_ASSIGN(const std::string bytes, store()->GetRange(Key(), 0, done.size_bytes, ""));
  EXPECT_EQ(sim::CountersOf(bytes).ValueOrDie(), sim::Counted(kRows));
}

}  // namespace
}  // namespace tailrace
