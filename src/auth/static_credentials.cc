#include <utility>

#include "auth/credentials.h"

namespace tailrace {
namespace {

class StaticProvider final : public CredentialsProvider {
 public:
  explicit StaticProvider(Credentials credentials) : credentials_(std::move(credentials)) {}
  Result<Credentials> Get() override { return credentials_; }
  void Expired(const Credentials&) override {}

 private:
  const Credentials credentials_;
};

}  // namespace

std::shared_ptr<CredentialsProvider> StaticCredentials(Credentials credentials) {
  return std::make_shared<StaticProvider>(std::move(credentials));
}

std::shared_ptr<CredentialsProvider> AnonymousCredentials() { return StaticCredentials({}); }

}  // namespace tailrace
