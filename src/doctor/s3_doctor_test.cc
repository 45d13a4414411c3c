#include "doctor/s3_doctor.h"

#include <map>

#include "doctor/finding_table.h"
#include "store/s3/s3_fixture.h"
#include "testing/doctor_answers.h"
#include "testing/s3_server/fault.h"

namespace tailrace {
namespace {

using Answers = std::map<std::string, std::string>;

Answers AnswersOf(const StoreReport& report) {
  Answers answers;
  for (const Finding& finding : report.findings) {
    EXPECT_TRUE(answers.emplace(finding.name, finding.answer).second) << finding.name;
  }
  return answers;
}

// Those of `after` that are not as `before`.
Answers Changed(const Answers& before, const Answers& after) {
  Answers changed;
  for (const auto& [name, answer] : after) {
    if (before.at(name) != answer) changed.emplace(name, answer);
  }
  EXPECT_EQ(before.size(), after.size());
  return changed;
}

class S3Doctor : public S3Fixture {
 protected:
  S3Doctor() {
    Rules([](S3Rules* rules) { rules->min_part_bytes = int64_t{5} << 20; });
    setup_.client.retry.max_attempts = 2;
  }
  Result<StoreReport> TryProbe(S3DoctorOptions options = {.quick = true}) const {
    return ProbeS3(Store()->context(), "landing", "0123456789abcdef", options);
  }
  StoreReport Probe(S3DoctorOptions options = {.quick = true}) const { return TryProbe(options).ValueOrDie(); }
  void ExpectNothingLeft() const {
    EXPECT_TRUE(transport_->service().Objects().empty());
    EXPECT_TRUE(transport_->service().Uploads().empty());
  }
};

// S3 itself, where it is strict.
const Answers kStrict = StrictS3Answers();

TEST_F(S3Doctor, FindsTheStrictService) {
  const StoreReport report = Probe();
  EXPECT_EQ(AnswersOf(report), kStrict);
  EXPECT_TRUE(report.can_write());
  EXPECT_EQ(report.worst(), Verdict::kUnknown);  // what was not asked
  EXPECT_TRUE(report.leftovers.empty());
  EXPECT_EQ(report.profile.limits, (StoreLimits{.min_part_bytes = 5 << 20, .stray_parts = StrayParts::kLeftOut}));
  EXPECT_EQ(report.profile.checksum, S3Checksum::kCrc64Nvme);
  EXPECT_EQ(report.profile.endpoint, "http://localhost:9000");
  EXPECT_EQ(report.profile.bucket, "bucket");
  EXPECT_EQ(report.profile.findings.size(), report.findings.size());
  EXPECT_LT(report.sent_bytes, 100'000);
  ExpectNothingLeft();
  // All that was touched lies below the prefix and has the one name.
  for (const S3FakeTransport::Logged& one : transport_->log()) {
    if (one.operation == "ListMultipartUploads") continue;
    EXPECT_EQ(one.call.key, "landing/tailrace-doctor-0123456789abcdef");
  }
}

TEST_F(S3Doctor, AFullRunSendsAtMost16MiB) {
  const StoreReport report = Probe({});
  Answers full = kStrict;
  full["equal-parts"] = "not needed";
  EXPECT_EQ(AnswersOf(report), full);
  EXPECT_EQ(report.worst(), Verdict::kGood);
  EXPECT_LE(report.sent_bytes, int64_t{16} << 20);
  ExpectNothingLeft();
}

// One rule of the service, and the answers that it changes.
struct Flip {
  std::string rules;
  Answers changed;
};

TEST_F(S3Doctor, EachRuleFlipsItsFindingAlone) {
  const S3Rules strict = transport_->service().rules();
  const Flip kFlips[] = {
      {R"({"equal_parts": true})", {}},  // not asked by a quick run
      {R"({"min_part_bytes": 1})", {{"smallest-part", "below 5 MiB"}}},
      {R"({"max_parts": 1000})", {{"most-parts", "1000"}}},
      {R"({"max_parts": 9999})", {{"most-parts", "9999"}}},
      {R"({"leaves_strays_out": false})", {{"strays", "refused"}}},
      {R"({"checks_part_etags": false})", {{"part-etags", "not checked"}}},
      {R"({"opaque_etags": true})", {{"etag", "opaque"}}},
      {R"({"empty_complete_etag": true})", {{"complete.etag", "empty"}}},
      {R"({"complete_twice_is_ok": true})", {{"complete.again", "committed"}}},
      {R"({"lists_unsorted": true})", {{"list-parts.order", "unsorted"}}},
      {R"({"missing_upload_code": "NoSuchKey"})", {}},
      {R"({"missing_upload_code": "SomethingElse"})",
       {{"complete.again", "fails"}, {"gone.part", "fails"}, {"gone.complete", "fails"}}},
      {R"({"keeps_metadata": false})", {{"metadata", "lost"}}},
      {R"({"put_conditions": "ignored"})",
       {{"conditions.put-if-absent", "ignored"}, {"conditions.put-if-match", "ignored"}}},
      {R"({"put_conditions": "refused"})",
       {{"conditions.put-if-absent", "refused"}, {"conditions.put-if-match", "refused"}}},
      {R"({"complete_conditions": "ignored"})", {{"conditions.complete-if-absent", "ignored"}}},
      {R"({"complete_conditions": "refused"})", {{"conditions.complete-if-absent", "refused"}}},
      {R"({"checksums": "ignored"})",
       {{"checksum.crc64nvme", "ignored"},
        {"checksum.crc32c", "ignored"},
        {"checksum.crc32", "ignored"},
        {"checksum.sha256", "ignored"},
        {"checksum.whole", "not asked"}}},
      {R"({"checksums": "refused"})",
       {{"checksum.crc64nvme", "refused"},
        {"checksum.crc32c", "refused"},
        {"checksum.crc32", "refused"},
        {"checksum.sha256", "refused"},
        {"checksum.whole", "not asked"}}},
      {R"({"region": "eu-central-1"})", {{"region", "another"}}},
  };
  for (const Flip& flip : kFlips) {
    SCOPED_TRACE(flip.rules);
    Rules([&](S3Rules* rules) { *rules = strict; });
    Rules(ParseS3Rules(flip.rules).ValueOrDie());
    const StoreReport report = Probe();
    EXPECT_EQ(Changed(kStrict, AnswersOf(report)), flip.changed);
    EXPECT_TRUE(report.can_write());
    EXPECT_TRUE(report.leftovers.empty());
    ExpectNothingLeft();
  }
}

TEST_F(S3Doctor, EqualPartsAreToldFromOtherRefusals) {
  Rules([](S3Rules* rules) { rules->equal_parts = true; });
  const StoreReport needed = Probe({});
  EXPECT_EQ(needed.Find("equal-parts")->answer, "needed");
  EXPECT_TRUE(needed.profile.limits.equal_parts);
  Rules([](S3Rules* rules) {
    rules->equal_parts = false;
    rules->min_part_bytes = int64_t{8} << 20;
  });
  const StoreReport larger = Probe({});
  EXPECT_EQ(larger.Find("equal-parts")->answer, "not known");
  EXPECT_EQ(larger.Find("smallest-part")->answer, "above 5 MiB");
  EXPECT_EQ(larger.Find("smallest-part")->verdict, Verdict::kWarning);
  ExpectNothingLeft();
}

TEST_F(S3Doctor, LimitsOfTheProfileFollowTheFindings) {
  Rules(ParseS3Rules(R"({"leaves_strays_out": false, "checks_part_etags": false, "max_parts": 1000,
                         "min_part_bytes": 1, "complete_conditions": "ignored", "checksums": "ignored"})")
            .ValueOrDie());
  const StoreProfile profile = Probe().profile;
  EXPECT_EQ(profile.limits, (StoreLimits{.min_part_bytes = 1,
                                         .max_parts = 1000,
                                         .checks_part_etags = false,
                                         .stray_parts = StrayParts::kRefused,
                                         .conditional_put = false}));
  EXPECT_EQ(profile.checksum, S3Checksum::kNone);
  ASSERT_OK_AND_ASSIGN(const StoreProfile back, StoreProfile::FromJson(profile.ToJson()));
  EXPECT_EQ(back, profile);
}

// Which operations are denied, and the answers that it changes.
TEST_F(S3Doctor, EachRightFlipsItsFindingAlone) {
  const struct {
    std::vector<std::string> denied;
    Answers changed;
    bool can_write;
  } kRights[] = {
      {{"PutObject"},
       {{"rights.put", "denied"},
        {"conditions.put-if-absent", "not known"},
        {"conditions.put-if-match", "not known"},
        {"conditions.complete-if-absent", "not known"}},
       true},
      {{"HeadObject"}, {{"rights.head-absent", "denied"}, {"rights.head", "denied"}, {"metadata", "not known"}}, true},
      {{"GetObject"}, {{"rights.get", "denied"}}, true},
      {{"ListParts"},
       {{"rights.list-parts", "denied"}, {"list-parts.pages", "not known"}, {"list-parts.order", "not known"}},
       true},
      {{"ListMultipartUploads"}, {{"rights.list-uploads", "denied"}}, true},
  };
  for (const auto& right : kRights) {
    SCOPED_TRACE(right.denied[0]);
    Rules([&](S3Rules* rules) { rules->signature.keys[0].denied = right.denied; });
    const StoreReport report = Probe();
    EXPECT_EQ(Changed(kStrict, AnswersOf(report)), right.changed);
    EXPECT_EQ(report.can_write(), right.can_write);
    ExpectNothingLeft();
  }
}

TEST_F(S3Doctor, WithoutTheRightToAbortWhatStaysIsNamed) {
  Rules([](S3Rules* rules) { rules->signature.keys[0].denied = {"AbortMultipartUpload"}; });
  const StoreReport report = Probe();
  EXPECT_EQ(Changed(kStrict, AnswersOf(report)),
            (Answers{{"rights.abort", "denied"}, {"gone.part", "not known"}, {"gone.complete", "not known"}}));
  EXPECT_TRUE(report.can_write());
  const auto left = transport_->service().Uploads();
  EXPECT_FALSE(left.empty());
  EXPECT_EQ(report.leftovers.size(), left.size());
  for (const auto& [id, upload] : left) {
    const bool named = std::any_of(report.leftovers.begin(), report.leftovers.end(),
                                   [&, wanted = id](const auto& text) { return text.find(wanted) != text.npos; });
    EXPECT_TRUE(named) << id;
  }
}

TEST_F(S3Doctor, WithoutTheRightToDeleteOneObjectStaysAndIsNamed) {
  Rules([](S3Rules* rules) { rules->signature.keys[0].denied = {"DeleteObject"}; });
  const StoreReport report = Probe();
  EXPECT_EQ(Changed(kStrict, AnswersOf(report)), (Answers{{"rights.delete", "denied"}}));
  EXPECT_EQ(transport_->service().Objects().size(), 1u);
  ASSERT_EQ(report.leftovers.size(), 1u);
  EXPECT_NE(report.leftovers[0].find("landing/tailrace-doctor-0123456789abcdef"), std::string::npos);
}

TEST_F(S3Doctor, WithoutTheRightToPutNothingElseIsAsked) {
  Rules([](S3Rules* rules) {
    rules->signature.keys[0].denied = {"PutObject", "CreateMultipartUpload", "UploadPart", "CompleteMultipartUpload"};
  });
  const StoreReport report = Probe();
  EXPECT_FALSE(report.can_write());
  EXPECT_EQ(report.worst(), Verdict::kFatal);
  EXPECT_EQ(report.Find("upload")->answer, "denied");
  EXPECT_EQ(report.Find("strays")->answer, "not asked");
  EXPECT_EQ(report.findings.size(), kStrict.size());
  EXPECT_FALSE(report.profile.limits.conditional_put);
  ExpectNothingLeft();
}

TEST_F(S3Doctor, ABucketThatIsAbsentIsFatalAndNamed) {
  setup_.settings.place.bucket = "absent";
  const StoreReport report = Probe();
  EXPECT_EQ(report.Find("upload")->answer, "fails");
  EXPECT_NE(report.Find("upload")->cause.find("NoSuchBucket"), std::string::npos);
  EXPECT_FALSE(report.can_write());
}

TEST_F(S3Doctor, ABucketThatWantsAChecksumGetsOne) {
  Rules([](S3Rules* rules) { rules->require_checksum = true; });
  const StoreReport report = Probe();
  EXPECT_EQ(Changed(kStrict, AnswersOf(report)), Answers{});
  ExpectNothingLeft();
}

TEST_F(S3Doctor, AClockThatIsOffIsFoundAndMended) {
  transport_->SetSkew(std::chrono::hours(2));
  const StoreReport report = Probe();
  EXPECT_EQ(Changed(kStrict, AnswersOf(report)), (Answers{{"clock", "off"}}));
  // A header has whole seconds.
  EXPECT_TRUE(report.Find("clock")->cause.starts_with("the store's clock is 7")) << report.Find("clock")->cause;
  EXPECT_TRUE(report.Find("clock")->cause.ends_with(" s ahead")) << report.Find("clock")->cause;
  EXPECT_TRUE(report.can_write());
}

TEST_F(S3Doctor, AChecksumThatWasAskedForIsUsed) {
  setup_.settings.object.checksum = S3Checksum::kSha256;
  setup_.checksum_is_asked = true;
  const StoreReport report = Probe({.checksum_is_asked = true, .quick = true});
  EXPECT_EQ(report.profile.checksum, S3Checksum::kSha256);
  EXPECT_TRUE(report.can_write());
  Rules([](S3Rules* rules) { rules->checksums = S3Rules::Checksums::kRefused; });
  EXPECT_FALSE(Probe({.checksum_is_asked = true, .quick = true}).can_write());
}

TEST_F(S3Doctor, AStoreThatDoesNotAnswerIsAnError) {
  Faults({{{.operation = "*", .times = -1}, {.no_reply = true, .end = Fault::End::kClose}}});
  const auto probed = TryProbe();
  ASSERT_FALSE(probed.ok());
  EXPECT_EQ(KindOf(probed.status()), ErrorKind::kTransient);
}

// Every request in turn loses its answer, whether the store did what it asked or not: the probe ends with the same
// findings, nothing is taken for found out that was not, and nothing is left.
TEST_F(S3Doctor, LostAnswersNeverChangeAFinding) {
  Probe();
  const int requests = static_cast<int>(transport_->log().size());
  EXPECT_GT(requests, 50);
  for (int nth = 1; nth < requests; nth += 3) {
    SCOPED_TRACE(nth);
    // All repetitions of one request.
    Faults({{{.operation = "*", .skip = nth, .times = 2},
             {.apply = nth % 2 == 0, .no_reply = true, .end = Fault::End::kClose}}});
    const StoreReport report = Probe();
    for (const auto& [name, answer] : Changed(kStrict, AnswersOf(report))) {
      EXPECT_TRUE(answer == "not known" || answer == "not asked") << name << ": " << answer;
      EXPECT_FALSE(report.Find(name)->cause.empty()) << name;
    }
    Faults({});
    if (report.leftovers.empty()) ExpectNothingLeft();
    for (const auto& [name, object] : transport_->service().Objects()) {
      transport_->service().DeleteForeign(name.first, name.second);
    }
    for (const auto& [id, upload] : transport_->service().Uploads()) transport_->service().ExpireUpload(id);
  }
}

// Answers that are no answers: none may crash the probe, and what is said stays within the table.
TEST_F(S3Doctor, WrongAnswersAreNoFindings) {
  const Fault kWrong[] = {
      {.body = "", .headers = {{"ETag", std::nullopt}}},
      {.body = "<html>busy</html>"},
      {.status = 500, .body = "<Error><Code>InternalError</Code></Error>"},
      {.status = 302},
      {.status = 200, .body = "<Error><Code>Strange</Code><Message>\x01</Message></Error>"},
      {.body = "<ListPartsResult><IsTruncated>true</IsTruncated></ListPartsResult>"},
  };
  for (const Fault& fault : kWrong) {
    for (const std::string operation : {"*", "CreateMultipartUpload", "UploadPart", "CompleteMultipartUpload",
                                        "ListParts", "PutObject", "HeadObject", "DeleteObject"}) {
      SCOPED_TRACE(operation + " " + fault.body.value_or("-"));
      Faults({{{.operation = operation, .times = -1}, fault}});
      const auto report = TryProbe();
      if (!report.ok()) continue;
      EXPECT_EQ(report->findings.size(), kStrict.size());
    }
  }
}

TEST_F(S3Doctor, ASecretThatTheServerRepeatsIsNotShown) {
  const S3Key key;
  Faults(
      {{{.operation = "PutObject", .times = -1},
        {.status = 400, .code = "Strange", .message = "you are " + key.access_key_id + " " + key.secret_access_key}}});
  const StoreReport report = Probe();
  const Finding* const put = report.Find("rights.put");
  EXPECT_EQ(put->answer, "fails");
  EXPECT_TRUE(put->cause.starts_with("400 Strange: you are *** ***")) << put->cause;
  for (const Finding& finding : report.findings) {
    EXPECT_EQ(finding.cause.find(key.secret_access_key), std::string::npos) << finding.name;
  }
}

TEST_F(S3Doctor, AStopLeavesTheRestUnaskedAndNothingBehind) {
  int asked = 0;
  const StoreReport report = Probe({.quick = true, .stop = [&] { return ++asked > 5; }});
  EXPECT_EQ(report.Find("upload")->answer, "works");
  EXPECT_EQ(report.Find("strays")->answer, "not asked");
  EXPECT_FALSE(report.profile.limits.conditional_put);
  ExpectNothingLeft();
}

}  // namespace
}  // namespace tailrace
