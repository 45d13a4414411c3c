// What a profile of a probe changes for a writer: nothing has to be found out by a refused request.
#include <gtest/gtest.h>

#include "doctor/s3_doctor.h"
#include "store/s3/s3_fixture.h"
#include "testing/s3_server/fault.h"
#include "tests/sim/writes.h"

namespace tailrace::sim {
namespace {

class ProbedStore : public S3Fixture {
 protected:
  ProbedStore() {
    // Write ids are made from the system's time.
    clock_.SetNow(std::chrono::round<std::chrono::microseconds>(std::chrono::system_clock::now()));
    file_.inline_max_bytes = 0;
  }
  void Imitate(const std::string& rules) { Rules(ParseS3Rules(rules).ValueOrDie()); }

  // Probes the service; stores that are made from now on have the profile, as OpenStore gives it to them.
  void Probe() {
    const StoreReport report = ProbeS3(Store()->context(), "dir", "0123456789abcdef", {.quick = true}).ValueOrDie();
    EXPECT_TRUE(report.can_write());
    // Through its file's bytes.
    const StoreProfile profile = StoreProfile::FromJson(report.profile.ToJson()).ValueOrDie();
    setup_.limits = profile.limits;
    setup_.probed_checksum = profile.checksum;
    transport_->ResetLog();
  }

  // Finishes from a state whose writer went on and was lost: parts beyond the state are strays.
  int CompletesOfAFinishThatMeetsStrays() {
    auto writer = ParquetStreamWriter::Open(Store(), "dir/k.parquet", RowSchema(), file_, Inline()).ValueOrDie();
    MustBeOk(WriteUpTo(writer.get(), 1000, 100));
    const WriterState state = writer->Checkpoint().ValueOrDie();
    MustBeOk(WriteUpTo(writer.get(), 6000, 100));
    writer.reset();
    transport_->ResetLog();
    MustBeOk(Finish(state, {.store = Store(), .clock = &clock_}).status());
    EXPECT_EQ(CountersOf(Object("dir/k.parquet").value()).ValueOrDie(), Counted(1000));
    return calls()["CompleteMultipartUpload"];
  }

  FileOptions file_ = SmallFile();
};

// Ceph's RGW, but for the headers by which it is known otherwise.
constexpr char kNamelessRgw[] =
    R"({"leaves_strays_out": false, "checksums": "ignored", "complete_conditions": "ignored",
        "empty_complete_etag": true, "complete_twice_is_ok": true, "missing_upload_code": "NoSuchKey"})";

TEST_F(ProbedStore, AWriterLaysOutAroundStraysAtOnce) {
  Imitate(kNamelessRgw);
  Probe();
  EXPECT_EQ(Store()->limits().stray_parts, StrayParts::kRefused);
  EXPECT_FALSE(Store()->limits().conditional_put);
  EXPECT_EQ(Store()->object_options().checksum, S3Checksum::kNone);
  EXPECT_EQ(CompletesOfAFinishThatMeetsStrays(), 1);
}

TEST_F(ProbedStore, WithoutAProbeTheFirstCompleteIsRefused) {
  Imitate(kNamelessRgw);
  setup_.limits = StoreLimits{.conditional_put = false};
  EXPECT_GT(CompletesOfAFinishThatMeetsStrays(), 1);
}

TEST_F(ProbedStore, AStoreOfFewPartsIsAskedForNoMore) {
  Imitate(R"({"max_parts": 1000, "checksums": "ignored", "put_conditions": "refused", "complete_twice_is_ok": true})");
  EXPECT_EQ(Store()->limits().max_parts, 10000);
  Probe();
  EXPECT_EQ(Store()->limits().max_parts, 1000);
  ASSERT_OK_AND_ASSIGN(const auto upload, Store()->CreateUpload({"dir/k.parquet", kTestWrite}));
  EXPECT_KIND(ErrorKind::kLimit, upload->PutPart(MakePart(1001, "x")));
  EXPECT_OK(upload->PutPart(MakePart(1000, "x")));
  EXPECT_EQ(calls(), (Calls{{"CreateMultipartUpload", 1}, {"UploadPart", 1}}));
}

}  // namespace
}  // namespace tailrace::sim
