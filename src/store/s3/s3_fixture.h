// A store over the test's S3 service, without a network.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "store/s3/s3_store.h"
#include "testing/fake_clock.h"
#include "testing/s3_fake_transport.h"
#include "testing/status_macros.h"

namespace tailrace {

inline const WriteId kTestWrite{"019b76da-a800-7000-8000-00000000cafe"};

inline ByteSlices Bytes(std::string text) { return ByteSlices(ByteSlice::Copy(std::move(text))); }

// Hands out keys in turn, the next one when the last is said to have expired.
class RotatingCredentials final : public CredentialsProvider {
 public:
  explicit RotatingCredentials(std::vector<Credentials> keys) : keys_(std::move(keys)) {}
  Result<Credentials> Get() override {
    ++gets;
    return keys_[at_];
  }
  void Expired(const Credentials& credentials) override {
    ++expired;
    if (credentials.access_key_id == keys_[at_].access_key_id && at_ + 1 < keys_.size()) ++at_;
  }
  int gets = 0;
  int expired = 0;

 private:
  const std::vector<Credentials> keys_;
  size_t at_ = 0;
};

inline Credentials CredentialsOf(const S3Key& key) {
  return {.access_key_id = key.access_key_id,
          .secret_access_key = key.secret_access_key,
          .session_token = key.session_token};
}

class S3Fixture : public ::testing::Test {
 protected:
  S3Fixture() {
    setup_.settings.place = {.dialect = S3Dialect::kOther, .endpoint = "http://localhost:9000", .bucket = "bucket"};
    setup_.client.transport = transport_;
    setup_.client.clock = &clock_;
    setup_.client.credentials = std::make_shared<RotatingCredentials>(std::vector{CredentialsOf(S3Key{})});
    setup_.client.chance = [] { return 0.5; };
    // Tests store small parts.
    transport_->service().Change([](S3Rules* rules) { rules->min_part_bytes = 1; });
  }

  std::shared_ptr<S3Store> Store() const { return S3Store::Make(setup_); }
  void Rules(const std::function<void(S3Rules*)>& change) { transport_->service().Change(change); }
  void Faults(std::vector<FaultRule> rules) { transport_->Use(std::move(rules)); }
  using Calls = std::map<std::string, int>;
  Calls calls() const { return transport_->calls(); }

  static Part MakePart(int number, std::string text) {
    return {.number = number, .offset_bytes = (number - 1) * int64_t{10}, .body = Bytes(std::move(text))};
  }
  // Parts 1 to n of ten bytes, but the last, which has five.
  static std::string PartText(int number, int parts) {
    return std::string(number == parts ? 5 : 10, static_cast<char>('a' + number - 1));
  }
  static std::string Content(int parts) {
    std::string text;
    for (int i = 1; i <= parts; ++i) text += PartText(i, parts);
    return text;
  }
  static std::vector<PartReceipt> PutParts(Upload* upload, int parts) {
    std::vector<PartReceipt> receipts;
    for (int i = 1; i <= parts; ++i) receipts.push_back(upload->PutPart(MakePart(i, PartText(i, parts))).ValueOrDie());
    return receipts;
  }
  std::optional<std::string> Object(const std::string& key) const {
    const auto objects = transport_->service().Objects();
    const auto found = objects.find({"bucket", key});
    return found == objects.end() ? std::nullopt : std::optional(found->second.bytes);
  }

  FakeClock clock_;
  const std::shared_ptr<S3FakeTransport> transport_ = std::make_shared<S3FakeTransport>(&clock_);
  S3StoreSetup setup_;
};

}  // namespace tailrace
