// What was found about servers that cannot be run here, or only sometimes, as scripted answers in tests/fault.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/clock.h"
#include "base/uuid.h"
#include "tailrace/commit.h"
#include "testing/fake_clock.h"
#include "testing/s3_server/s3_server.h"
#include "tests/sim/writes.h"

namespace tailrace {
namespace {

using sim::MustBeOk;

constexpr int64_t kRows = 300;  // one part of SmallFile()

class ScriptedStores : public ::testing::Test {
 protected:
  ScriptedStores() {
    server_.service().Change([](S3Rules* rules) { rules->min_part_bytes = 1; });
    const S3Key key = server_.key();
    options_.limits = StoreLimits();  // of parts as small as these
    options_.s3.endpoint = server_.endpoint();
    options_.s3.region = "us-east-1";
    options_.s3.credentials = {key.access_key_id, key.secret_access_key, key.session_token, std::nullopt};
  }
  void Use(const std::string& name) {
    server_.Use(ReadFaultFile(std::string(TAILRACE_FAULT_FOLDER) + "/" + name + ".json").ValueOrDie());
  }
  std::shared_ptr<MultipartStore> Store() const { return OpenStore("s3://bucket/k", options_).ValueOrDie().store; }
  CommitOptions Process() { return {.store = Store(), .settle_timeout = std::chrono::seconds(2), .clock = &clock_}; }
  std::unique_ptr<ParquetStreamWriter> Open() const {
    FileOptions file = sim::SmallFile();
    file.inline_max_bytes = 0;
    return ParquetStreamWriter::Open(Store(), "k", sim::RowSchema(), file, sim::Inline()).ValueOrDie();
  }
  // Written and closed, but not committed.
  PendingCommit Written() const {
    const auto writer = Open();
    MustBeOk(sim::WriteUpTo(writer.get(), kRows, 100));
    return writer->Close().ValueOrDie();
  }
  WriterState Checkpointed() const {
    const auto writer = Open();
    MustBeOk(sim::WriteUpTo(writer.get(), kRows, 100));
    return writer->Checkpoint().ValueOrDie();
  }
  void ExpectRows() const {
    const std::optional<std::string> bytes = server_.Content("k");
    ASSERT_TRUE(bytes);
    EXPECT_EQ(sim::CountersOf(*bytes).ValueOrDie(), sim::Counted(kRows));
  }
  int Calls(const std::string& operation) const {
    const S3Calls calls = server_.calls();
    const auto found = calls.find(operation);
    return found == calls.end() ? 0 : found->second;
  }

  S3Server server_;
  StoreOptions options_;
  FakeClock clock_;
};

TEST_F(ScriptedStores, SecondCompleteThatIsDeniedIsFoundCommitted) {
  Use("complete-again-denied");
  const PendingCommit pending = Written();
  ASSERT_OK(Commit(pending, Process()));
  ASSERT_OK_AND_ASSIGN(const CommitInfo again, Commit(pending, Process()));
  EXPECT_TRUE(again.already_committed);
  ExpectRows();
}

TEST_F(ScriptedStores, ChecksumOfTheWholeObjectMayBeUnknown) {
  Use("complete-full-object-501");
  ASSERT_OK_AND_ASSIGN(const auto upload, Store()->CreateUpload({"k", MakeWriteId(Clock::System()->Now())}));
  ASSERT_OK_AND_ASSIGN(const PartReceipt part,
                       upload->PutPart({.number = 1, .body = ByteSlices(ByteSlice::Copy("made"))}));
  EXPECT_FALSE(part.checksum.empty());
  ASSERT_OK(upload->Complete({part}, {}));
  EXPECT_EQ(Calls("CompleteMultipartUpload"), 2);
}

TEST_F(ScriptedStores, GoodAnswerThatMadeNothingIsGone) {
  Use("complete-200-of-gone-upload");
  const auto done = Commit(Written(), Process());
  EXPECT_EQ(OutcomeOf(done.status()), Outcome::kGone) << done.status().ToString();
  EXPECT_EQ(server_.Content("k"), "somebody else");
}

TEST_F(ScriptedStores, EtagOfACompleteMayDifferFromTheObjects) {
  Use("complete-other-etag");
  const PendingCommit pending = Written();
  ASSERT_OK(Commit(pending, Process()));
  ASSERT_OK_AND_ASSIGN(const CommitInfo again, Commit(pending, Process()));
  EXPECT_TRUE(again.already_committed);
  ExpectRows();
}

TEST_F(ScriptedStores, PartThatIsTakenForAnUploadThatIsGoneEndsAsGone) {
  const WriterState state = Checkpointed();
  server_.service().ExpireUpload(state.progress.upload_id.text);
  Use("part-of-gone-upload-200");
  const auto done = Finish(state, Process());
  EXPECT_EQ(OutcomeOf(done.status()), Outcome::kGone) << done.status().ToString();
}

TEST_F(ScriptedStores, PartOfAnUploadThatIsGoneMayBeABadRequest) {
  const WriterState state = Checkpointed();
  server_.service().ExpireUpload(state.progress.upload_id.text);
  Use("part-of-gone-upload-400");
  const auto done = Finish(state, Process());
  EXPECT_FALSE(done.ok());
  EXPECT_FALSE(server_.Content("k"));
}

TEST_F(ScriptedStores, SessionTokensThatAreNotImplementedAreNamed) {
  Use("session-token-501");
  options_.s3.credentials->session_token = "a session token";
  const auto put = Store()->Put("k", ByteSlices(ByteSlice::Copy("x")), MakeWriteId(Clock::System()->Now()), {});
  EXPECT_KIND(ErrorKind::kInvalid, put);
  EXPECT_THAT(put.status().message(), ::testing::HasSubstr("501 NotImplemented"));
}

TEST_F(ScriptedStores, PagesThatLeadBackEndTheList) {
  Use("list-parts-wrong-numbers");
  ASSERT_OK_AND_ASSIGN(const auto upload, Store()->CreateUpload({"k", MakeWriteId(Clock::System()->Now())}));
  std::vector<PartReceipt> parts;
  for (int number = 1; number <= 3; ++number) {
    parts.push_back(
        upload->PutPart({.number = number, .offset_bytes = number - 1, .body = ByteSlices(ByteSlice::Copy("x"))})
            .ValueOrDie());
  }
  EXPECT_LE(upload->ListParts(parts).ValueOrDie().size(), 3u);
  EXPECT_LE(Calls("ListParts"), 3);
  EXPECT_OK(upload->Complete(parts, {}));
}

TEST_F(ScriptedStores, UploadsThatCannotBeListedDoNotKeepAWriteFromItsEnd) {
  Use("list-uploads-501");
  ASSERT_OK(Commit(Written(), Process()));
  ExpectRows();
  EXPECT_KIND(ErrorKind::kInvalid, Store()->ListUploads(""));
}

}  // namespace
}  // namespace tailrace
