// The open file as its drivers use it: from the first byte to the commit, in every order in which news can come.
#include "writer/open_file.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "writer/open_file_text.h"

namespace tailrace {
namespace {

constexpr int64_t kPart = 10;
constexpr OpenFile::Rules kNoPut{{kPart}, -1};

PartReceipt ReceiptOf(const Part& part, std::string etag = "e") {
  return {part.number, part.offset_bytes, part.body.size(), std::move(etag), part.body.crc64()};
}

std::vector<Action> Must(OpenFile* file, Event event) {
  const std::string name(EventName(event));
  Result<std::vector<Action>> actions = file->Apply(std::move(event));
  EXPECT_TRUE(actions.ok()) << name << ": " << actions.status();
  return actions.ok() ? *std::move(actions) : std::vector<Action>{};
}

// A driver that answers each action at once, and a store that is a map; what is committed is put together from it.
class InstantDriver {
 public:
  explicit InstantDriver(OpenFile file) : file_(std::move(file)) {}

  void Apply(Event event) {
    for (Action& action : Must(&file_, std::move(event))) Do(std::move(action));
  }
  const OpenFile& file() const { return file_; }
  const std::optional<std::string>& object() const { return object_; }
  int uploads() const { return uploads_; }
  int aborts() const { return aborts_; }

 private:
  void Do(Action action) {
    if (std::holds_alternative<CreateUploadAction>(action)) {
      Apply(UploadCreated{{"u" + std::to_string(++uploads_)}});
    } else if (auto* store = std::get_if<StorePartAction>(&action)) {
      parts_[store->part.number] = store->part;
      Apply(PartStored{ReceiptOf(store->part)});
    } else if (auto* complete = std::get_if<CompleteAction>(&action)) {
      std::string bytes;
      for (const PartReceipt& receipt : complete->parts) {
        const Part& part = parts_.at(receipt.number);
        EXPECT_EQ(receipt, ReceiptOf(part));
        EXPECT_EQ(part.offset_bytes, static_cast<int64_t>(bytes.size()));
        bytes += part.body.ToString();
      }
      object_ = bytes;
      Apply(CommitDone{});
    } else if (auto* put = std::get_if<PutWholeAction>(&action)) {
      object_ = put->body.ToString();
      Apply(CommitDone{});
    } else {
      ++aborts_;
    }
  }

  OpenFile file_;
  std::map<int, Part> parts_;
  std::optional<std::string> object_;
  int uploads_ = 0;
  int aborts_ = 0;
};

TEST(OpenFile, EverySizeAroundThePartBordersBecomesItsBytes) {
  for (int64_t single_put_max : {-1, 0, 5, 25}) {
    for (int64_t body = 0; body <= 3 * kPart + 1; ++body) {
      for (int64_t tail = 0; tail <= kPart + 1; ++tail) {
        for (int64_t run : {int64_t{1}, int64_t{7}, std::max<int64_t>(body, 1)}) {
          SCOPED_TRACE(::testing::Message() << single_put_max << ' ' << body << '+' << tail << " by " << run);
          InstantDriver driver(OpenFile::MakeNew({{kPart}, single_put_max}));
          for (int64_t at = 0; at < body; at += run) {
            driver.Apply(BytesReady{Letters(std::min(run, body - at), at)});
          }
          ASSERT_TRUE(driver.file().writable());
          EXPECT_EQ(driver.file().total_bytes(), body);
          driver.Apply(CloseAsked{Letters(tail, body)});
          ASSERT_TRUE(driver.file().ready_to_commit());
          EXPECT_FALSE(driver.object().has_value());  // nothing before it is asked for
          const bool one_put = body < kPart && body + tail <= single_put_max;
          EXPECT_EQ(driver.uploads(), one_put ? 0 : 1);
          driver.Apply(CommitAsked{});
          EXPECT_EQ(driver.file().state_name(), "Closed");
          EXPECT_EQ(driver.object(), Letters(body + tail).ToString());
          EXPECT_EQ(driver.file().total_bytes(), body + tail);
        }
      }
    }
  }
}

TEST(OpenFile, AnEmptyFileOfAnUploadIsOneEmptyPart) {
  InstantDriver driver(OpenFile::MakeNew(kNoPut));
  driver.Apply(CloseAsked{});
  EXPECT_EQ(TextOf(driver.file()), "ClosingMulti u1 stored=1:e flying= total=0");
  driver.Apply(CommitAsked{});
  EXPECT_EQ(driver.object(), "");
}

TEST(OpenFile, AStateAskedForBeforeAnyByteHasAnUploadAndNoParts) {
  OpenFile file = OpenFile::MakeNew(kNoPut);
  EXPECT_EQ(TextOf(Must(&file, UploadAsked{})), "Create");
  EXPECT_EQ(TextOf(Must(&file, UploadAsked{})), "");
  EXPECT_FALSE(file.Progress().ok());
  Must(&file, UploadCreated{{"u1"}});
  const UploadProgress expected{{"u1"}, {kPart}, {}, ""};
  EXPECT_EQ(*file.Progress(), expected);
}

TEST(OpenFile, BytesThatGatherBeforeTheUploadKeepTheirOrder) {
  OpenFile file = OpenFile::MakeNew(kNoPut);
  EXPECT_EQ(TextOf(Must(&file, BytesReady{Letters(12)})), "Create");
  EXPECT_EQ(TextOf(Must(&file, BytesReady{Letters(12, 12)})), "");
  EXPECT_EQ(TextOf(Must(&file, CloseAsked{Letters(3, 24)})), "");
  std::vector<Action> actions = Must(&file, UploadCreated{{"u1"}});
  EXPECT_EQ(TextOf(actions), "Store 1@0+10; Store 2@10+10; Store 3@20+7");
  std::string bytes;
  for (const Action& action : actions) bytes += std::get<StorePartAction>(action).part.body.ToString();
  EXPECT_EQ(bytes, Letters(27).ToString());
}

// --- news in every order ---

std::vector<std::vector<int>> Orders(int n) {
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::vector<std::vector<int>> orders;
  do orders.push_back(order);
  while (std::next_permutation(order.begin(), order.end()));
  return orders;
}

// The file of `parts` parts whose last one comes at close, all under way, and the actions that started them.
OpenFile AllFlying(int parts, std::vector<Part>* flying) {
  OpenFile file = OpenFile::MakeNew(kNoPut);
  std::vector<Action> actions = Must(&file, BytesReady{Letters((parts - 1) * kPart + 3)});
  if (actions.empty()) Must(&file, UploadAsked{});
  std::vector<Action> store = Must(&file, UploadCreated{{"u1"}});
  for (Action& action : Must(&file, CloseAsked{Letters(2, (parts - 1) * kPart + 3)})) store.push_back(action);
  for (Action& action : store) flying->push_back(std::get<StorePartAction>(std::move(action)).part);
  return file;
}

TEST(OpenFile, PartsMayBeStoredInEveryOrder) {
  for (int parts = 1; parts <= 4; ++parts) {
    std::vector<Part> flying;
    const OpenFile start = AllFlying(parts, &flying);
    ASSERT_EQ(flying.size(), static_cast<size_t>(parts));
    for (const std::vector<int>& order : Orders(parts)) {
      OpenFile file = start;
      for (int index : order) {
        EXPECT_FALSE(file.ready_to_commit());
        EXPECT_FALSE(file.CanApply(CommitAsked{}).ok());
        EXPECT_EQ(TextOf(Must(&file, PartStored{ReceiptOf(flying[index])})), "");
      }
      ASSERT_TRUE(file.ready_to_commit());
      const std::vector<Action> actions = Must(&file, CommitAsked{});
      ASSERT_EQ(actions.size(), 1u);
      const auto& complete = std::get<CompleteAction>(actions[0]);
      ASSERT_EQ(complete.parts.size(), flying.size());
      for (int i = 0; i < parts; ++i) EXPECT_EQ(complete.parts[i], ReceiptOf(flying[i]));
    }
  }
}

// After a failure no news, in whatever order, changes the first error or brings a request about.
TEST(OpenFile, TheFirstErrorStaysWhateverComesAfterIt) {
  for (int parts = 1; parts <= 4; ++parts) {
    std::vector<Part> flying;
    const OpenFile start = AllFlying(parts, &flying);
    for (const std::vector<int>& order : Orders(parts)) {
      for (int failing = 0; failing < parts; ++failing) {
        for (bool others_fail : {false, true}) {
          OpenFile file = start;
          for (int turn = 0; turn < parts; ++turn) {
            const bool fails = turn == failing || (others_fail && turn > failing);
            const std::string message = turn == failing ? "first" : "later";
            Event news = fails ? Event(RequestFailed{MakeError(ErrorKind::kTransient, message)})
                               : Event(PartStored{ReceiptOf(flying[order[turn]])});
            EXPECT_EQ(TextOf(Must(&file, std::move(news))), "");
          }
          ASSERT_EQ(TextOf(file), "Failed u1 first");
          EXPECT_EQ(file.CanApply(CommitAsked{}).message(), "first");
          EXPECT_EQ(TextOf(Must(&file, AbortAsked{})), "Abort u1");
        }
      }
    }
  }
}

// Close and the news of the upload and of the first part, in every order that can be.
TEST(OpenFile, CloseMayComeAtAnyMoment) {
  for (int close_before = 0; close_before <= 3; ++close_before) {
    OpenFile file = OpenFile::MakeNew(kNoPut);
    std::vector<Part> flying;
    auto apply = [&](Event event) {
      for (Action& action : Must(&file, std::move(event))) {
        if (auto* store = std::get_if<StorePartAction>(&action)) flying.push_back(store->part);
      }
    };
    apply(BytesReady{Letters(13)});
    for (int step = 0; step <= 3; ++step) {
      if (step == close_before) apply(CloseAsked{Letters(4, 13)});
      if (step == 0) apply(UploadCreated{{"u1"}});
      if (step == 1) apply(PartStored{ReceiptOf(flying.at(0))});
    }
    ASSERT_EQ(flying.size(), 2u);
    apply(PartStored{ReceiptOf(flying[1])});
    EXPECT_EQ(TextOf(file), "ClosingMulti u1 stored=1:e,2:e flying= total=17");
  }
}

TEST(OpenFile, AnUploadThatIsCreatedAfterTheEndIsNotLost) {
  OpenFile starting = OpenFile::MakeNew(kNoPut);
  Must(&starting, UploadAsked{});
  OpenFile aborted = starting;
  EXPECT_EQ(TextOf(Must(&aborted, AbortAsked{})), "");
  EXPECT_EQ(TextOf(Must(&aborted, UploadCreated{{"late"}})), "Abort late");
  EXPECT_EQ(TextOf(Must(&aborted, AbortAsked{})), "Abort late");  // may be tried again

  OpenFile failed = starting;
  Must(&failed, RequestFailed{MakeError(ErrorKind::kInternal, "encoder")});
  EXPECT_EQ(TextOf(Must(&failed, UploadCreated{{"late"}})), "");
  EXPECT_EQ(TextOf(failed), "Failed late encoder");
  EXPECT_EQ(TextOf(Must(&failed, AbortAsked{})), "Abort late");

  OpenFile both = starting;
  Must(&both, RequestFailed{MakeError(ErrorKind::kInternal, "encoder")});
  EXPECT_EQ(TextOf(Must(&both, AbortAsked{})), "");
  EXPECT_EQ(TextOf(Must(&both, UploadCreated{{"late"}})), "Abort late");
}

TEST(OpenFile, AFailedCommitMayBeAskedForAgain) {
  InstantDriver driver(OpenFile::MakeNew(kNoPut));
  driver.Apply(BytesReady{Letters(12)});
  driver.Apply(CloseAsked{});
  OpenFile file = driver.file();
  for (int attempt = 0; attempt < 3; ++attempt) {
    EXPECT_EQ(TextOf(Must(&file, CommitAsked{})), "Complete 1:e,2:e");
    Must(&file, CommitFailed{MakeError(ErrorKind::kTransient, "lost")});
    EXPECT_TRUE(file.ready_to_commit());
  }
  // A part that the store lost is stored again, and its new receipt is what Complete names.
  Must(&file, PartStored{Receipt(1, 0, 10, "again")});
  EXPECT_EQ(TextOf(Must(&file, CommitAsked{})), "Complete 1:again,2:e");
  Must(&file, CommitDone{});
  EXPECT_EQ(TextOf(file), "Closed total=12");
}

// --- from values ---

TEST(OpenFile, EveryProgressGoesOnToTheSameBytes) {
  for (int64_t body = 0; body <= 31; ++body) {
    InstantDriver first(OpenFile::MakeNew(kNoPut));
    first.Apply(UploadAsked{});
    first.Apply(BytesReady{Letters(body)});
    const UploadProgress progress = *first.file().Progress();
    OpenFile resumed = *OpenFile::FromProgress(kNoPut, progress, OpenFile::Purpose::kResume);
    EXPECT_EQ(TextOf(resumed), TextOf(first.file()));
    EXPECT_EQ(*resumed.Progress(), progress);
    Must(&resumed, BytesReady{Letters(4, body)});

    OpenFile finishing = *OpenFile::FromProgress(kNoPut, progress, OpenFile::Purpose::kFinish);
    EXPECT_EQ(*finishing.Progress(), progress);
    EXPECT_FALSE(finishing.CanApply(BytesReady{Letters(4, body)}).ok());
    std::string rest;
    for (const Action& action : Must(&finishing, CloseAsked{Letters(5, body)})) {
      const Part& part = std::get<StorePartAction>(action).part;
      EXPECT_EQ(part.offset_bytes, progress.stored_bytes() + static_cast<int64_t>(rest.size()));
      rest += part.body.ToString();
    }
    EXPECT_EQ(Letters(progress.stored_bytes()).ToString() + rest, Letters(body + 5).ToString());
  }
}

TEST(OpenFile, ProgressThatContradictsItselfIsRefusedByName) {
  const UploadProgress good{{"u1"}, {kPart}, {Receipt(1, 0, 10, "a"), Receipt(2, 10, 10, "b")}, "xyz"};
  auto refusal = [](const UploadProgress& progress, OpenFile::Rules rules = kNoPut) {
    const Status status = OpenFile::FromProgress(rules, progress, OpenFile::Purpose::kResume).status();
    EXPECT_FALSE(status.ok());
    EXPECT_EQ(KindOf(status), ErrorKind::kBadState) << status;
    return status.message();
  };
  EXPECT_TRUE(OpenFile::FromProgress(kNoPut, good, OpenFile::Purpose::kResume).ok());

  UploadProgress bad = good;
  bad.upload_id = {};
  EXPECT_EQ(refusal(bad), "upload_id is empty");
  EXPECT_EQ(refusal(good, {{20}, 0}),
            "part_lengths: parts of 10 bytes in the state, 20 in the options, or of another growth");
  bad = good;
  bad.part_lengths = {0};
  EXPECT_EQ(refusal(bad, {{0}, 0}), "part_lengths: parts of 0 bytes cannot be");
  bad = good;
  bad.receipts[1].number = 3;
  EXPECT_EQ(refusal(bad), "receipts: entry 1 is part 3 at byte 10, expected part 2 at byte 10");
  bad = good;
  bad.receipts[1].offset_bytes = 11;
  EXPECT_EQ(refusal(bad), "receipts: entry 1 is part 2 at byte 11, expected part 2 at byte 10");
  bad = good;
  bad.receipts[1].size_bytes = 9;
  EXPECT_EQ(refusal(bad), "receipts: part 2 has 9 bytes, part_lengths says 10");
  bad = good;
  bad.unsent = "0123456789";
  EXPECT_EQ(refusal(bad), "unsent: 10 bytes are no less than part 3");
}

TEST(OpenFile, AClosedFileIsRebuiltFromItsPendingCommit) {
  PendingCommit pending;
  pending.upload_id = {"u1"};
  pending.receipts = {Receipt(1, 0, 10, "a"), Receipt(2, 10, 4, "b")};
  pending.size_bytes = 14;
  OpenFile multi = *OpenFile::FromPending(pending);
  EXPECT_EQ(TextOf(Must(&multi, CommitAsked{})), "Complete 1:a,2:b");

  PendingCommit bad = pending;
  bad.size_bytes = 15;
  EXPECT_EQ(KindOf(OpenFile::FromPending(bad).status()), ErrorKind::kBadState);
  bad = pending;
  bad.receipts[1].offset_bytes = 9;
  EXPECT_EQ(KindOf(OpenFile::FromPending(bad).status()), ErrorKind::kBadState);
  bad = pending;
  bad.upload_id = {};
  EXPECT_EQ(KindOf(OpenFile::FromPending(bad).status()), ErrorKind::kBadState);

  PendingCommit small;
  small.inline_bytes = "bytes";
  small.size_bytes = 5;
  OpenFile single = *OpenFile::FromPending(small);
  EXPECT_EQ(TextOf(Must(&single, CommitAsked{})), "Put bytes");
  bad = small;
  bad.size_bytes = 4;
  EXPECT_EQ(KindOf(OpenFile::FromPending(bad).status()), ErrorKind::kBadState);
}

}  // namespace
}  // namespace tailrace
