#include "store/s3/s3_client.h"

#include <random>
#include <utility>

#include "store/s3/s3_exchange.h"

namespace tailrace {
namespace {

double SystemChance() {
  thread_local std::mt19937_64 engine(std::random_device{}());
  return std::uniform_real_distribution<double>(0, 1)(engine);
}

S3ClientOptions WithDefaults(S3ClientOptions options) {
  if (!options.chance) options.chance = &SystemChance;
  if (options.clock == nullptr) options.clock = Clock::System();
  return options;
}

}  // namespace

S3Client::S3Client(S3Place place, S3ClientOptions options)
    : place_(std::move(place)),
      options_(WithDefaults(std::move(options))),
      clock_(options_.clock),
      gate_(options_.max_requests),
      region_(place_.FirstRegion()) {}

Result<HttpResponse> S3Client::Send(HttpRequest request, const S3CallInfo& call, S3Failure* failure) {
  S3Exchange exchange(this, &request, call);
  Result<HttpResponse> answer = exchange.Run();
  if (failure != nullptr) *failure = exchange.failure().value_or(S3Failure{});
  return answer;
}

std::string S3Client::region() const {
  MutexLock lock(&mutex_);
  return region_;
}

void S3Client::SetRegion(const std::string& region) {
  MutexLock lock(&mutex_);
  region_ = region;
}

std::chrono::microseconds S3Client::clock_offset() const {
  MutexLock lock(&mutex_);
  return clock_offset_;
}

void S3Client::SetClockOffset(std::chrono::microseconds offset) {
  MutexLock lock(&mutex_);
  clock_offset_ = offset;
}

}  // namespace tailrace
