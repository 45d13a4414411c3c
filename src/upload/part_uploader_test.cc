#include "upload/part_uploader.h"

#include <algorithm>
#include <atomic>
#include <set>
#include <string>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/fault_store.h"
#include "testing/memory_store.h"
#include "testing/step_executor.h"

namespace tailrace {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Part MakePart(int number) {
  return {number, (number - int64_t{1}) * 2, ByteSlices(ByteSlice::Copy(number % 2 == 0 ? "ab" : "cd"))};
}

// What was reported, as it came.
class Heard {
 public:
  PartUploader::Reports reports() {
    return {
        .upload_created =
            [this](PartUploader::UploadResult result) {
              MutexLock lock(&mutex_);
              EXPECT_GE(result.duration.count(), 0);
              uploads_.push_back(result.upload.ok() ? (*result.upload)->id().text : result.upload.status().message());
            },
        .part_stored =
            [this](PartUploader::PartResult result) {
              MutexLock lock(&mutex_);
              EXPECT_EQ(result.size_bytes, 2);
              (result.receipt.ok() ? stored_ : failed_).push_back(result.number);
            }};
  }
  std::vector<int> stored() { return Locked(&stored_); }
  std::vector<int> failed() { return Locked(&failed_); }
  std::vector<std::string> uploads() { return Locked(&uploads_); }

 private:
  template <typename T>
  T Locked(T* value) {
    MutexLock lock(&mutex_);
    return *value;
  }
  Mutex mutex_;
  std::vector<int> stored_;
  std::vector<int> failed_;
  std::vector<std::string> uploads_;
};

class PartUploaderTest : public ::testing::Test {
 protected:
  std::shared_ptr<Upload> MakeUpload(MultipartStore* store) {
    Result<std::unique_ptr<Upload>> upload = store->CreateUpload({"key", {}});
    EXPECT_TRUE(upload.ok()) << upload.status();
    return *std::move(upload);
  }
  // Numbers of the parts that the store has, over all its uploads.
  std::set<int> PartsInStore() {
    std::set<int> numbers;
    for (const auto& [id, facts] : store_->Uploads()) {
      for (const auto& [number, bytes] : facts.parts) numbers.insert(number);
    }
    return numbers;
  }

  std::shared_ptr<MemoryStore> store_ = MemoryStore::Make();
  std::shared_ptr<Upload> upload_ = MakeUpload(store_.get());
  StepExecutor steps_;
  Heard heard_;
};

TEST_F(PartUploaderTest, NoMoreThanTheLimitIsSpawnedAndTheNextFollowsByItself) {
  PartUploader uploader(&steps_, 2, heard_.reports());
  for (int number = 1; number <= 5; ++number) uploader.PutPart(upload_, MakePart(number));
  EXPECT_EQ(steps_.queued(), 2u);
  for (int done = 1; done <= 5; ++done) {
    ASSERT_TRUE(steps_.TryRunOne());
    EXPECT_EQ(heard_.stored().size(), static_cast<size_t>(done));
    EXPECT_EQ(steps_.queued(), static_cast<size_t>(std::min(2, 5 - done)));
  }
  EXPECT_THAT(heard_.stored(), ElementsAre(1, 2, 3, 4, 5));
  EXPECT_THAT(heard_.failed(), IsEmpty());
}

TEST_F(PartUploaderTest, CreatesUploadsWithinTheSameLimit) {
  PartUploader uploader(&steps_, 1, heard_.reports());
  uploader.PutPart(upload_, MakePart(1));
  uploader.CreateUpload(store_, {"other", {}});
  EXPECT_EQ(steps_.queued(), 1u);
  steps_.TryRunOne();
  EXPECT_THAT(heard_.uploads(), IsEmpty());
  steps_.TryRunOne();
  EXPECT_THAT(heard_.uploads(), ElementsAre("upload-2"));
}

TEST_F(PartUploaderTest, FailuresAreReportedWithTheirPartAndStopNothing) {
  auto faulty = std::make_shared<FaultStore>(store_);
  std::shared_ptr<Upload> upload = MakeUpload(faulty.get());
  faulty->SetFault([](const FaultPoint& point) {
    const bool chosen = point.part_number == 2 || point.call == StoreCall::kCreateUpload;
    return chosen ? MakeError(ErrorKind::kTransient, "chosen") : Status::OK();
  });
  PartUploader uploader(&steps_, 2, heard_.reports());
  for (int number = 1; number <= 3; ++number) uploader.PutPart(upload, MakePart(number));
  uploader.CreateUpload(faulty, {"other", {}});
  steps_.RunAll();
  EXPECT_THAT(heard_.stored(), ElementsAre(1, 3));
  EXPECT_THAT(heard_.failed(), ElementsAre(2));
  EXPECT_THAT(heard_.uploads(), ElementsAre("chosen"));
}

TEST_F(PartUploaderTest, AReportMayAskForMore) {
  constexpr int kChain = 100'000;
  PartUploader* self = nullptr;
  std::vector<int> stored;
  PartUploader::Reports reports = heard_.reports();
  reports.part_stored = [&](PartUploader::PartResult result) {
    stored.push_back(result.number);
    if (result.number < kChain) self->PutPart(upload_, MakePart(result.number + 1));
  };
  // Inline, the whole chain runs inside the first call. A stack that grew with it would not hold this many.
  std::shared_ptr<Executor> executor = MakeInlineExecutor();
  PartUploader uploader(executor.get(), 1, reports);
  self = &uploader;
  uploader.PutPart(upload_, MakePart(1));
  ASSERT_EQ(stored.size(), static_cast<size_t>(kChain));
  EXPECT_TRUE(std::ranges::is_sorted(stored));
}

TEST_F(PartUploaderTest, WhatWasNotBegunCanBeDropped) {
  PartUploader uploader(&steps_, 1, heard_.reports());
  for (int number = 1; number <= 3; ++number) uploader.PutPart(upload_, MakePart(number));
  steps_.TryRunOne();
  uploader.DropWaiting();
  steps_.RunAll();
  EXPECT_THAT(heard_.stored(), ElementsAre(1));
  uploader.PutPart(upload_, MakePart(7));  // it still takes new ones
  steps_.RunAll();
  EXPECT_THAT(heard_.stored(), ElementsAre(1, 7));
  EXPECT_THAT(heard_.failed(), IsEmpty());
}

TEST_F(PartUploaderTest, AfterShutdownNothingRunsAndNothingIsHeld) {
  PartUploader uploader(&steps_, 2, heard_.reports());
  for (int number = 1; number <= 3; ++number) uploader.PutPart(upload_, MakePart(number));
  uploader.Shutdown();
  EXPECT_EQ(steps_.queued(), 0u);  // it ran the tasks, which found nothing to do
  EXPECT_EQ(upload_.use_count(), 1);
  uploader.PutPart(upload_, MakePart(4));
  uploader.CreateUpload(store_, {"other", {}});
  uploader.Shutdown();
  EXPECT_EQ(steps_.RunAll(), 0);
  EXPECT_THAT(heard_.stored(), IsEmpty());
  EXPECT_THAT(heard_.uploads(), IsEmpty());
  EXPECT_THAT(PartsInStore(), IsEmpty());
}

TEST_F(PartUploaderTest, AReportComesWhenTheRequestHasLetGo) {
  std::vector<long> handles;
  std::shared_ptr<arrow::Buffer> bytes = MakePart(1).body.slices()[0].buffer;
  std::vector<long> buffers;
  PartUploader::Reports reports = heard_.reports();
  reports.part_stored = [&](PartUploader::PartResult) {
    handles.push_back(upload_.use_count());
    buffers.push_back(bytes.use_count());
  };
  PartUploader uploader(&steps_, 1, reports);
  uploader.PutPart(upload_, Part{1, 0, ByteSlices(ByteSlice::Of(bytes))});
  EXPECT_EQ(upload_.use_count(), 2);
  steps_.RunAll();
  EXPECT_THAT(handles, ElementsAre(1));
  EXPECT_THAT(buffers, ElementsAre(1));
}

TEST_F(PartUploaderTest, ShutdownWaitsForWhatRunsAndItIsReported) {
  std::atomic<bool> entered = false;
  std::atomic<bool> leave = false;
  auto slow = std::make_shared<FaultStore>(store_, [&](const FaultPoint& point) {
    if (point.call == StoreCall::kCreateUpload && !point.done) {
      entered = true;
      while (!leave) std::this_thread::yield();
    }
    return Status::OK();
  });
  std::shared_ptr<Executor> pool = MakeThreadPool(2);
  PartUploader uploader(pool.get(), 1, heard_.reports());
  uploader.CreateUpload(slow, {"other", {}});
  uploader.PutPart(upload_, MakePart(1));
  while (!entered) std::this_thread::yield();
  std::atomic<bool> down = false;
  std::thread stopper([&] {
    uploader.Shutdown();
    down = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(down);
  leave = true;
  stopper.join();
  // An upload that was made meanwhile is not lost; what waited behind it was not begun.
  EXPECT_THAT(heard_.uploads(), ElementsAre("upload-2"));
  EXPECT_THAT(heard_.stored(), IsEmpty());
  EXPECT_THAT(PartsInStore(), IsEmpty());
}

TEST_F(PartUploaderTest, ManyThreadsAskAndTheLimitHolds) {
  for (int limit : {1, 3}) {
    SCOPED_TRACE(limit);
    std::atomic<int> now = 0;
    std::atomic<int> most = 0;
    auto counting = std::make_shared<FaultStore>(store_, [&](const FaultPoint& point) {
      if (point.call != StoreCall::kPutPart) return Status::OK();
      if (point.done) return --now, Status::OK();
      int running = ++now;
      for (int seen = most; running > seen && !most.compare_exchange_weak(seen, running);) {
      }
      std::this_thread::yield();
      return Status::OK();
    });
    std::shared_ptr<Upload> upload = MakeUpload(counting.get());
    std::shared_ptr<Executor> pool = MakeThreadPool(4);
    Heard heard;
    constexpr int kThreads = 4;
    constexpr int kEach = 100;
    {
      PartUploader uploader(pool.get(), limit, heard.reports());
      std::vector<std::thread> threads;
      for (int t = 0; t < kThreads; ++t) {
        threads.emplace_back([&, t] {
          for (int i = 0; i < kEach; ++i) uploader.PutPart(upload, MakePart(1 + t * kEach + i));
        });
      }
      for (std::thread& thread : threads) thread.join();
      while (heard.stored().size() < kThreads * kEach) std::this_thread::yield();
    }
    std::vector<int> stored = heard.stored();
    EXPECT_EQ(std::set<int>(stored.begin(), stored.end()).size(), static_cast<size_t>(kThreads * kEach));
    EXPECT_LE(most, limit);
    EXPECT_THAT(heard.failed(), IsEmpty());
  }
}

TEST_F(PartUploaderTest, DestructionAtAnyMomentLosesNoReport) {
  std::shared_ptr<Executor> pool = MakeThreadPool(3);
  for (int round = 0; round < 200; ++round) {
    Heard heard;
    std::shared_ptr<Upload> upload = MakeUpload(store_.get());
    const UploadId id = upload->id();
    {
      PartUploader uploader(pool.get(), 2, heard.reports());
      for (int number = 1; number <= round % 20; ++number) uploader.PutPart(upload, MakePart(number));
    }
    ASSERT_EQ(upload.use_count(), 1);
    std::vector<int> stored = heard.stored();
    ASSERT_EQ(store_->Uploads().at(id).parts.size(), stored.size());
    ASSERT_TRUE(upload->Abort().ok());
  }
}

}  // namespace
}  // namespace tailrace
