#include "c/credentials.h"

#include <chrono>
#include <memory>
#include <string>

#include "c/names.h"
#include "c/structs.h"

struct tailrace_credentials_reply {
  arrow::Result<tailrace::S3Credentials> answer =
      tailrace::MakeError(tailrace::ErrorKind::kInvalid, "credentials_callback returned without an answer");
};

namespace tailrace::c {
namespace {

// Owns what the callback works with.
class Callback {
 public:
  explicit Callback(const tailrace_s3_options& options)
      : call_(options.credentials_callback),
        context_(options.credentials_context),
        release_(options.credentials_release) {}
  ~Callback() {
    if (release_ != nullptr) release_(context_);
  }
  Callback(const Callback&) = delete;
  Callback& operator=(const Callback&) = delete;

  Result<S3Credentials> Call() const {
    tailrace_credentials_reply reply;
    call_(context_, &reply);
    return std::move(reply.answer);
  }

 private:
  const tailrace_credentials_callback call_;
  void* const context_;
  void (*const release_)(void*);
};

}  // namespace

Result<S3Credentials> ReadCredentials(const tailrace_s3_credentials* given) {
  tailrace_s3_credentials read{};
  ARROW_RETURN_NOT_OK(ReadStruct(given, "tailrace_s3_credentials", &read));
  if (read.access_key_id == nullptr || read.secret_access_key == nullptr) {
    return MakeError(ErrorKind::kInvalid, "credentials: access_key_id and secret_access_key are both needed");
  }
  S3Credentials credentials;
  credentials.access_key_id = read.access_key_id;
  credentials.secret_access_key = read.secret_access_key;
  if (read.session_token != nullptr) credentials.session_token = read.session_token;
  if (read.expires_us != 0) credentials.expires = Timestamp(std::chrono::microseconds(read.expires_us));
  return credentials;
}

std::function<Result<S3Credentials>()> CredentialsFunction(const tailrace_s3_options& options) {
  if (options.credentials_callback == nullptr) return nullptr;
  return [callback = std::make_shared<Callback>(options)] { return callback->Call(); };
}

}  // namespace tailrace::c

extern "C" {

void tailrace_s3_credentials_init(tailrace_s3_credentials* credentials, size_t struct_size) {
  tailrace::c::InitStruct(tailrace_s3_credentials{}, credentials, struct_size);
}

void tailrace_credentials_reply_set(tailrace_credentials_reply* reply, const tailrace_s3_credentials* credentials) {
  if (reply == nullptr) return;
  try {
    reply->answer = tailrace::c::ReadCredentials(credentials);
  } catch (...) {
    // No memory for the copy: the answer stays what it was, which is no credentials or older ones.
  }
}

void tailrace_credentials_reply_fail(tailrace_credentials_reply* reply, tailrace_kind kind, const char* message) {
  if (reply == nullptr) return;
  try {
    reply->answer = tailrace::MakeError(tailrace::c::KindFromC(kind),
                                        std::string("credentials_callback: ") + (message == nullptr ? "" : message));
  } catch (...) {
    // As above.
  }
}

}  // extern "C"
