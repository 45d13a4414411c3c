#include <algorithm>
#include <system_error>
#include <thread>
#include <utility>

#include "auth/credentials.h"
#include "base/clock.h"
#include "base/mutex.h"

namespace tailrace {
namespace {

using std::chrono::microseconds;
using std::chrono::minutes;
using std::chrono::seconds;

// The times that a set of credentials is used by.
struct Schedule {
  Timestamp refresh_at = Timestamp::max();    // fetch others in the background from here on
  Timestamp usable_until = Timestamp::max();  // Get waits for others from here on
};

// Five minutes ahead, as other clients; a quarter of the life of short-lived ones. What is sent must arrive before they
// expire, hence the small margin at the end.
Schedule ScheduleOf(const Credentials& credentials, Timestamp now) {
  if (!credentials.expires) return {};
  const microseconds life = *credentials.expires - now;
  // Expired by our clock, which may be wrong: they are tried, and asked for again after a while.
  if (life <= microseconds(0)) return {now + minutes(1), now + minutes(1)};
  return {*credentials.expires - std::min<microseconds>(minutes(5), life / 4),
          *credentials.expires - std::min<microseconds>(seconds(10), life / 10)};
}

// After a failed refresh in the background.
constexpr seconds kRefreshPause(15);
// A source that gave the same credentials again, though the store calls them expired, is left alone for so long.
constexpr seconds kSameAgainPause(5);

class RefreshingProvider final : public CredentialsProvider {
 public:
  RefreshingProvider(std::string name, CredentialFetch fetch, Clock* clock)
      : name_(std::move(name)), fetch_(std::move(fetch)), clock_(clock) {}

  ~RefreshingProvider() override {
    cancel_.Cancel();
    if (refresher_.joinable()) refresher_.join();
  }

  Result<Credentials> Get() override {
    uint64_t fetch_number;
    {
      MutexLock lock(&mutex_);
      const Timestamp now = clock_->Now();
      if (current_ && !called_expired_ && now < schedule_.usable_until) {
        if (now >= schedule_.refresh_at && !fetching_) StartRefresh();
        return *current_;
      }
      fetch_number = fetches_;
      if (fetching_) {
        while (fetches_ == fetch_number) fetched_.Wait(&mutex_);
        return last_;
      }
      fetching_ = true;
    }
    return Fetch();
  }

  void Expired(const Credentials& credentials) override {
    MutexLock lock(&mutex_);
    const bool is_current = current_ && current_->access_key_id == credentials.access_key_id &&
                            current_->session_token == credentials.session_token;
    if (is_current && clock_->Now() >= not_again_before_) called_expired_ = true;
  }

 private:
  // REQUIRES: fetching_ was set by the caller.
  Result<Credentials> Fetch() {
    Result<Credentials> fetched = fetch_(cancel_);
    if (!fetched.ok()) fetched = WithContext(fetched.status(), name_);
    MutexLock lock(&mutex_);
    const Timestamp now = clock_->Now();
    if (fetched.ok()) {
      not_again_before_ = current_ == *fetched ? now + kSameAgainPause : Timestamp::min();
      current_ = *fetched;
      called_expired_ = false;
      schedule_ = ScheduleOf(*current_, now);
    } else {
      schedule_.refresh_at = now + kRefreshPause;
    }
    last_ = fetched;
    fetching_ = false;
    ++fetches_;
    fetched_.NotifyAll();
    return fetched;
  }

  void StartRefresh() TAILRACE_REQUIRES(mutex_) {
    // Its last refresh is over, or fetching_ were set.
    if (refresher_.joinable()) refresher_.join();
    try {
      fetching_ = true;
      refresher_ = std::thread([this] { (void)Fetch(); });
    } catch (const std::system_error&) {
      // No thread to be had: Get fetches when it must.
      fetching_ = false;
    }
  }

  const std::string name_;
  const CredentialFetch fetch_;
  Clock* const clock_;
  CancelToken cancel_;
  Mutex mutex_;
  CondVar fetched_;
  std::optional<Credentials> current_ TAILRACE_GUARDED_BY(mutex_);
  Schedule schedule_ TAILRACE_GUARDED_BY(mutex_);
  bool called_expired_ TAILRACE_GUARDED_BY(mutex_) = false;
  Timestamp not_again_before_ TAILRACE_GUARDED_BY(mutex_) = Timestamp::min();
  bool fetching_ TAILRACE_GUARDED_BY(mutex_) = false;
  uint64_t fetches_ TAILRACE_GUARDED_BY(mutex_) = 0;
  Result<Credentials> last_ TAILRACE_GUARDED_BY(mutex_);  // of the last fetch, for those who waited for it
  std::thread refresher_;                                 // started under mutex_, joined by the destructor
};

}  // namespace

std::shared_ptr<CredentialsProvider> RefreshingCredentials(std::string name, CredentialFetch fetch, Clock* clock) {
  return std::make_shared<RefreshingProvider>(std::move(name), std::move(fetch), clock);
}

std::shared_ptr<CredentialsProvider> RefreshingCredentials(std::string name, std::function<Result<Credentials>()> fetch,
                                                           Clock* clock) {
  return RefreshingCredentials(
      std::move(name), [fetch = std::move(fetch)](const CancelToken&) { return fetch(); }, clock);
}

}  // namespace tailrace
