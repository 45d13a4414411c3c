#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "auth/credentials.h"
#include "auth/credentials_test.h"

namespace tailrace {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;
using testing::HasSubstr;

// Gives out "id1", "id2", ... each good for `life`.
struct Source {
  FakeClock* clock;
  std::chrono::seconds life{3600};
  std::atomic<int> calls = 0;
  std::atomic<bool> fails = false;

  Result<Credentials> operator()() {
    const int call = ++calls;
    if (fails) return MakeError(ErrorKind::kTransient, "the source is away");
    return Credentials{
        .access_key_id = "id" + std::to_string(call), .secret_access_key = "secret", .expires = clock->Now() + life};
  }
};

void WaitFor(const std::function<bool()>& condition) {
  const auto end = std::chrono::steady_clock::now() + seconds(20);
  while (!condition() && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  ASSERT_TRUE(condition());
}

std::string IdOf(CredentialsProvider* provider) {
  const Result<Credentials> got = provider->Get();
  return got.ok() ? got->access_key_id : got.status().ToString();
}

class Refreshing : public testing::Test {
 protected:
  FakeClock clock_;
  Source source_{&clock_};
  std::shared_ptr<CredentialsProvider> provider_ =
      RefreshingCredentials("test source", [this] { return source_(); }, &clock_);
};

TEST_F(Refreshing, FetchesOnceWhileTheyAreGood) {
  EXPECT_EQ(source_.calls, 0);
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(IdOf(provider_.get()), "id1");
    clock_.Advance(minutes(10));
  }
  EXPECT_EQ(source_.calls, 1);
}

TEST_F(Refreshing, ThoseWithoutExpiryAreNeverFetchedAgain) {
  int calls = 0;
  const auto provider = RefreshingCredentials(
      "test source",
      [&]() -> Result<Credentials> {
        ++calls;
        return Credentials{.access_key_id = "id"};
      },
      &clock_);
  EXPECT_EQ(IdOf(provider.get()), "id");
  clock_.Advance(std::chrono::hours(24 * 365));
  EXPECT_EQ(IdOf(provider.get()), "id");
  EXPECT_EQ(calls, 1);
}

TEST_F(Refreshing, AheadOfExpiryTheOldOnesAreGivenWhileOthersAreFetched) {
  std::mutex mutex;
  std::condition_variable changed;
  bool open = true;
  const auto provider = RefreshingCredentials(
      "test source",
      [&] {
        std::unique_lock lock(mutex);
        changed.wait(lock, [&] { return open; });
        return source_();
      },
      &clock_);
  EXPECT_EQ(IdOf(provider.get()), "id1");
  {
    std::lock_guard lock(mutex);
    open = false;
  }
  clock_.Advance(minutes(56));
  // The fetch hangs; nobody waits for it.
  for (int i = 0; i < 5; ++i) EXPECT_EQ(IdOf(provider.get()), "id1");
  {
    std::lock_guard lock(mutex);
    open = true;
  }
  changed.notify_all();
  WaitFor([&] { return IdOf(provider.get()) == "id2"; });
  EXPECT_EQ(source_.calls, 2);
}

TEST_F(Refreshing, AFailureAheadOfExpiryIsNobodysFailure) {
  EXPECT_EQ(IdOf(provider_.get()), "id1");
  source_.fails = true;
  clock_.Advance(minutes(56));
  EXPECT_EQ(IdOf(provider_.get()), "id1");
  WaitFor([&] { return source_.calls == 2; });
  // Not again at once, but after a while.
  clock_.Advance(seconds(14));
  EXPECT_EQ(IdOf(provider_.get()), "id1");
  source_.fails = false;
  // The failed fetch may be noted only now, on its own thread: its while begins then.
  int advanced = 0;
  WaitFor([&] {
    if (advanced++ < 40) clock_.Advance(seconds(1));
    return IdOf(provider_.get()) == "id3";
  });
  EXPECT_EQ(source_.calls, 3);
}

TEST_F(Refreshing, WhenTheOldOnesNoLongerWorkTheFailureIsTold) {
  EXPECT_EQ(IdOf(provider_.get()), "id1");
  source_.fails = true;
  clock_.Advance(minutes(60));
  const Result<Credentials> got = provider_->Get();
  EXPECT_KIND(ErrorKind::kTransient, got);
  EXPECT_THAT(got.status().message(), HasSubstr("test source: the source is away"));
  source_.fails = false;
  EXPECT_EQ(IdOf(provider_.get()), "id3");
}

TEST_F(Refreshing, ShortLivedOnesAreRefreshedInTime) {
  source_.life = seconds(3);
  EXPECT_EQ(IdOf(provider_.get()), "id1");
  clock_.Advance(seconds(2));
  EXPECT_EQ(IdOf(provider_.get()), "id1");
  clock_.Advance(std::chrono::milliseconds(400));
  EXPECT_EQ(IdOf(provider_.get()), "id1");
  WaitFor([&] { return source_.calls == 2; });
  clock_.Advance(std::chrono::milliseconds(400));
  EXPECT_EQ(IdOf(provider_.get()), "id2");
}

TEST_F(Refreshing, ThoseThatTheStoreCallsExpiredAreFetchedAgainOnce) {
  const Credentials first = *provider_->Get();
  // Several requests were under way with them, and each comes back with the same answer.
  provider_->Expired(first);
  provider_->Expired(first);
  EXPECT_EQ(IdOf(provider_.get()), "id2");
  provider_->Expired(first);
  EXPECT_EQ(IdOf(provider_.get()), "id2");
  EXPECT_EQ(source_.calls, 2);
}

TEST_F(Refreshing, ASourceThatGivesTheSameAgainIsLeftAloneForAWhile) {
  int calls = 0;
  const auto provider = RefreshingCredentials(
      "test source",
      [&]() -> Result<Credentials> {
        ++calls;
        return Credentials{.access_key_id = "same"};
      },
      &clock_);
  for (int i = 0; i < 10; ++i) provider->Expired(*provider->Get());
  EXPECT_EQ(calls, 2);
  clock_.Advance(seconds(6));
  provider->Expired(*provider->Get());
  EXPECT_EQ(IdOf(provider.get()), "same");
  EXPECT_EQ(calls, 3);
}

TEST_F(Refreshing, ExpiredOnArrivalIsTriedAndSoonAskedForAgain) {
  source_.life = seconds(-3600);
  EXPECT_EQ(IdOf(provider_.get()), "id1");
  EXPECT_EQ(IdOf(provider_.get()), "id1");
  clock_.Advance(seconds(61));
  EXPECT_EQ(IdOf(provider_.get()), "id2");
}

TEST_F(Refreshing, ManyThreadsAskTheSourceOneAtATime) {
  std::atomic<int> inside = 0, most = 0, bad = 0;
  const auto provider = RefreshingCredentials(
      "test source",
      [&] {
        most = std::max<int>(most, ++inside);
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        --inside;
        return source_();
      },
      &clock_);
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      for (int k = 0; k < 50; ++k) {
        const Result<Credentials> got = provider->Get();
        if (!got.ok()) ++bad;
        if (i == 0 && k % 10 == 0) clock_.Advance(minutes(56));
        if (i == 1 && k % 10 == 5) provider->Expired(*got);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(bad, 0);
  EXPECT_EQ(most, 1);
  EXPECT_LT(source_.calls, 30);
}

TEST_F(Refreshing, DestructionCancelsAFetchInTheBackground) {
  std::atomic<int> calls = 0;
  std::atomic<bool> cancelled = false;
  auto provider =
      RefreshingCredentials("test source", CredentialFetch([&](const CancelToken& cancel) -> Result<Credentials> {
                              while (++calls > 1 && !cancel.cancelled())
                                std::this_thread::sleep_for(std::chrono::milliseconds(1));
                              cancelled = cancel.cancelled();
                              return source_();
                            }),
                            &clock_);
  EXPECT_EQ(IdOf(provider.get()), "id1");
  clock_.Advance(minutes(56));
  EXPECT_EQ(IdOf(provider.get()), "id1");
  WaitFor([&] { return calls > 1; });
  provider.reset();
  EXPECT_TRUE(cancelled);
}

TEST(StaticCredentials, StayWhatTheyAre) {
  const auto provider = StaticCredentials({.access_key_id = "id", .secret_access_key = "secret"});
  provider->Expired(*provider->Get());
  ExpectCredentials(provider->Get(), "id", "secret");
  EXPECT_TRUE(AnonymousCredentials()->Get()->anonymous());
}

}  // namespace
}  // namespace tailrace
