#include "testing/fault_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/memory_store.h"

namespace tailrace {
namespace {

using ::testing::ElementsAre;

ByteSlices Bytes(std::string bytes) { return ByteSlices(ByteSlice::Copy(std::move(bytes))); }

// One small upload from its creation to its completion: five calls.
Status Script(MultipartStore* store) {
  ARROW_ASSIGN_OR_RAISE(auto upload, store->CreateUpload({"key", {}}));
  std::vector<PartReceipt> receipts;
  for (int number : {1, 2}) {
    ARROW_ASSIGN_OR_RAISE(PartReceipt receipt, upload->PutPart({number, number * int64_t{2} - 2, Bytes("ab")}));
    receipts.push_back(receipt);
  }
  ARROW_RETURN_NOT_OK(upload->Sync());
  return upload->Complete(receipts, {}).status();
}

std::vector<std::string> LogOf(const FaultStore& store) {
  std::vector<std::string> lines;
  for (const FaultStore::LogEntry& entry : store.log()) lines.push_back(entry.ToString());
  return lines;
}

TEST(FaultStore, WithoutAFaultItOnlyWritesDown) {
  auto memory = MemoryStore::Make();
  FaultStore store(memory);
  EXPECT_TRUE(Script(&store).ok());
  EXPECT_EQ(store.fired(), 0);
  EXPECT_EQ(store.calls(), 5);
  EXPECT_THAT(LogOf(store), ElementsAre("CreateUpload", "PutPart 1", "PutPart 2", "Sync", "Complete"));
  EXPECT_EQ(memory->Content("key"), "abab");
}

TEST(FaultStore, EveryCallCanFailBeforeOrAfterItIsDone) {
  for (FaultTime time : {FaultTime::kBefore, FaultTime::kAfter}) {
    int64_t nth = 0;
    for (bool fired = true; fired; ++nth) {
      auto memory = MemoryStore::Make();
      FaultStore store(memory, FailNth(nth, ErrorKind::kNoSpace, time));
      const Status status = Script(&store);
      fired = store.fired() > 0;
      EXPECT_EQ(status.ok(), !fired);
      if (!fired) continue;
      EXPECT_EQ(KindOf(status), ErrorKind::kNoSpace);
      EXPECT_EQ(store.calls(), nth + 1);
      EXPECT_EQ(store.log().back().point.done, time == FaultTime::kAfter);
      // What the store did is what it did before the fault, and the call itself where its answer was lost.
      EXPECT_EQ(memory->calls().total(), nth + (time == FaultTime::kAfter ? 1 : 0));
    }
    EXPECT_EQ(nth, 6);
  }
}

TEST(FaultStore, ALostCompleteIsDone) {
  auto memory = MemoryStore::Make();
  FaultStore store(memory, FailCall(StoreCall::kComplete, 0, ErrorKind::kTransient, FaultTime::kAfter));
  EXPECT_FALSE(Script(&store).ok());
  EXPECT_EQ(memory->Content("key"), "abab");
  EXPECT_EQ(LogOf(store).back(), "Complete failed (lost): transient");
  EXPECT_TRUE(Script(&store).ok());  // once only
}

TEST(FaultStore, FaultsBySortAndFromAnIndexOn) {
  auto memory = MemoryStore::Make();
  FaultStore store(memory, FailCall(StoreCall::kPutPart, 1, ErrorKind::kTransient));
  EXPECT_FALSE(Script(&store).ok());
  EXPECT_THAT(LogOf(store), ElementsAre("CreateUpload", "PutPart 1", "PutPart 2 failed: transient"));

  store.SetFault(FailAll(StoreCall::kSync, ErrorKind::kDenied));
  EXPECT_EQ(KindOf(Script(&store)), ErrorKind::kDenied);
  EXPECT_EQ(KindOf(Script(&store)), ErrorKind::kDenied);

  FaultStore dead(memory, FailFrom(1, ErrorKind::kTransient));
  auto upload = *dead.CreateUpload({"key", {}});
  EXPECT_FALSE(upload->PutPart({1, 0, Bytes("ab")}).ok());
  EXPECT_FALSE(upload->Abort().ok());
  EXPECT_FALSE(dead.Head("key").ok());
  EXPECT_EQ(dead.fired(), 3);
}

TEST(FaultStore, AFaultMayInterfere) {
  auto memory = MemoryStore::Make();
  FaultStore store(memory, [&](const FaultPoint& point) {
    if (point.call == StoreCall::kComplete && !point.done) {
      for (const auto& [id, upload] : memory->Uploads()) memory->ExpireUpload(id);
    }
    return Status::OK();
  });
  EXPECT_EQ(KindOf(Script(&store)), ErrorKind::kUploadGone);
  EXPECT_EQ(store.fired(), 0);
  EXPECT_EQ(LogOf(store).back(), "Complete failed: upload gone");
}

TEST(FaultStore, PassesEveryCallOn) {
  auto memory = MemoryStore::Make();
  FaultStore store(memory);
  ASSERT_TRUE(store.Put("key", Bytes("abc"), {}, {}).ok());
  EXPECT_EQ(store.Head("key")->size_bytes, 3);
  EXPECT_EQ(*store.GetRange("key", 1, 1, ""), "b");
  EXPECT_TRUE(store.SyncObject("key").ok());
  auto upload = *store.CreateUpload({"key", {}});
  auto again = *store.OpenUpload("key", upload->id());
  EXPECT_EQ(again->id(), upload->id());
  EXPECT_EQ(again->Seal(), "");
  EXPECT_EQ(store.ListUploads("")->size(), 1u);
  EXPECT_TRUE(again->ListParts({})->empty());
  EXPECT_TRUE(again->Abort().ok());
  EXPECT_EQ(store.limits(), memory->limits());
  EXPECT_EQ(store.TargetOf("key"), memory->TargetOf("key"));
  EXPECT_EQ(store.calls(), memory->calls().total());
}

}  // namespace
}  // namespace tailrace
