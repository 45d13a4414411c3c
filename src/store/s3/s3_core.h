// What a store and its uploads share.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/mutex.h"
#include "store/s3/s3_calls.h"
#include "store/s3/s3_client.h"
#include "store/s3/s3_limits.h"
#include "store/s3/s3_requests.h"

namespace tailrace {

// What the answers of a server have told so far. Thread-safe.
class S3Knowledge {
 public:
  explicit S3Knowledge(S3Traits traits) : traits_(std::move(traits)) {}

  S3Traits Get() const {
    MutexLock lock(&mutex_);
    return traits_;
  }
  void Learn(const HttpHeaders& headers) {
    MutexLock lock(&mutex_);
    LearnFrom(headers, &traits_);
  }
  void ForgetChecksum() {
    MutexLock lock(&mutex_);
    traits_.checksum = S3Checksum::kNone;
  }

 private:
  mutable Mutex mutex_;
  S3Traits traits_ TAILRACE_GUARDED_BY(mutex_);
};

struct S3Core {
  std::shared_ptr<S3Client> client;
  std::shared_ptr<S3Knowledge> knowledge;
  S3Settings settings;                // of the checksum only where one of the two is set
  bool checksum_is_asked = false;     // by the options: never given up
  bool may_drop_checksum = true;      // false: a probe has shown that it works
  bool checksum_is_fixed = false;     // by a state: what its upload was created with, or what its PUT should have
  std::optional<StoreLimits> limits;  // of the options: instead of what is known

  S3Context Context() const {
    S3Context context{.client = client.get(), .settings = settings};
    if (!checksum_is_asked && !checksum_is_fixed) context.settings.object.checksum = knowledge->Get().checksum;
    return context;
  }
  StoreLimits Limits() const { return limits ? *limits : knowledge->Get().limits; }

  // Create or PUT with a checksum was refused, perhaps for the checksum, and nobody asked for it.
  bool MayDropChecksum(const S3Context& context, const S3Failure& failure) const {
    const S3Checksum usual = TraitsOf(settings.place.dialect).checksum;
    return may_drop_checksum && !checksum_is_asked && context.settings.object.checksum == usual &&
           usual != S3Checksum::kNone && (failure.status == 400 || failure.status == 501) &&
           KindOfFailure(failure) == ErrorKind::kInvalid;
  }
  // Whether the condition may be sent and, where it may be ignored, the key has to be looked at first. OK where the
  // request may go on; `condition` is then what to send with it.
  Status LookFirst(const std::string& key, PutCondition* condition) const;
};

}  // namespace tailrace
