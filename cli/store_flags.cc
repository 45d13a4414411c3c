#include "cli/store_flags.h"

#include "cli/customer_key.h"
#include "cli/size_text.h"
#include "cli/time_text.h"
#include "tailrace/error.h"
#include "tailrace/uploads.h"

namespace tailrace::cli {

namespace {

constexpr char kPlaceGroup[] = "S3 and stores like it";
constexpr char kNetworkGroup[] = "Network";
constexpr char kS3[] = "s3";
constexpr int kMaxConnections = 1024;
constexpr int kMaxAttempts = 1000;

Status Refuse(const std::string& message) { return MakeError(ErrorKind::kInvalid, message); }

Result<S3Addressing> ParseAddressing(const std::string& text) {
  if (text.empty() || text == "auto") return S3Addressing::kAuto;
  if (text == "path") return S3Addressing::kPath;
  if (text == "virtual") return S3Addressing::kVirtualHost;
  return Refuse("--addressing " + text + ": must be auto, path or virtual");
}

// User name and password would be seen by everybody who lists processes; the message does not repeat them.
Status CheckHoldsNoSecret(const std::string& option, const std::string& url, const std::string& instead) {
  if (url.find('@') == std::string::npos) return Status::OK();
  return Refuse(option + ": a user name or password has no place on a command line; " + instead);
}

Status ParseInt(const std::string& option, const std::string& text, int most, int* value) {
  if (text.empty()) return Status::OK();
  ARROW_ASSIGN_OR_RAISE(const int64_t count, ParseCount(option, text, 1, most));
  *value = static_cast<int>(count);
  return Status::OK();
}

Status ParseTime(const std::string& option, const std::string& text, std::chrono::milliseconds* value) {
  if (text.empty()) return Status::OK();
  return ParseDuration(option, text).Value(value);
}

}  // namespace

void StoreFlags::AddPlace(CLI::App* command) {
  const auto AddOption = [&](const char* name, std::string* value, const char* type, const char* help) {
    options_.push_back(command->add_option(name, *value, help)->type_name(type)->group(kPlaceGroup));
  };
  const auto AddFlag = [&](const char* name, bool* value, const char* help) {
    options_.push_back(command->add_flag(name, *value, help)->group(kPlaceGroup));
  };
  AddOption("--endpoint", &endpoint_, "URL", "https://HOST[:PORT] (AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL, else AWS)");
  AddOption("--region", &region_, "NAME", "(AWS_REGION, the profile's, else as the store says)");
  AddOption("--addressing", &addressing_, "auto|path|virtual", "where the bucket stands: auto, path or virtual (auto)");
  AddOption("--aws-profile", &aws_profile_, "NAME", "profile of AWS's config and credentials files (AWS_PROFILE)");
  AddFlag("--anonymous", &anonymous_, "sign nothing");
  AddFlag("--no-http", &no_http_, "refuse an endpoint without TLS");
  AddFlag("--requester-pays", &requester_pays_, "agree to be charged where the bucket asks for it");
  AddOption("--expected-bucket-owner", &expected_bucket_owner_, "ACCOUNT", "fail where the bucket is another's");
  AddFlag("--sign-payload", &sign_payload_, "sign the SHA-256 of each body as well");
  AddOption("--sse-customer-key-file", &customer_key_file_, "FILE",
            "the key of SSE-C: 32 bytes, or their base64; needed by each process");
  AddOption("--store-profile", &store_profile_, "FILE", "what `tailrace doctor` found of this store");
  profile_option_ = options_.back();
}

void StoreFlags::AddNetwork(CLI::App* command) {
  const auto AddOption = [&](const char* name, std::string* value, const char* type, const char* help) {
    options_.push_back(command->add_option(name, *value, help)->type_name(type)->group(kNetworkGroup));
  };
  AddOption("--ca-file", &ca_file_, "FILE", "trust these certificates (AWS_CA_BUNDLE, SSL_CERT_FILE, the system's)");
  AddOption("--proxy", &proxy_, "URL", "(HTTPS_PROXY, HTTP_PROXY, ALL_PROXY)");
  AddOption("--no-proxy", &no_proxy_, "HOSTS", "hosts that are reached directly, with commas between; * is all");
  AddOption("--max-connections", &max_connections_, "N", "connections at the same time (16)");
  options_.push_back(command->add_flag("--http2", http2_, "speak HTTP/2 where the store does")->group(kNetworkGroup));
  AddOption("--connect-timeout", &connect_timeout_, "TIME", "of one attempt to connect (10s)");
  AddOption("--request-timeout", &request_timeout_, "TIME", "of a request without a byte of progress (60s)");
  AddOption("--complete-timeout", &complete_timeout_, "TIME", "of completing an upload, without an answer (10min)");
  AddOption("--max-attempts", &max_attempts_, "N", "of one request (8)");
  AddOption("--retry-timeout", &retry_timeout_, "TIME", "of one request, all attempts together (3min)");
}

void StoreFlags::AddTo(CLI::App* command) {
  AddPlace(command);
  AddNetwork(command);
}

void StoreFlags::AddWithObjectTo(CLI::App* command) {
  const auto added = object_.AddTo(command);
  options_.insert(options_.end(), added.begin(), added.end());
  AddTo(command);
}

arrow::Status StoreFlags::ParseNetwork(S3Options* s3) const {
  s3->ca_file = ca_file_;
  ARROW_RETURN_NOT_OK(CheckHoldsNoSecret("--proxy", proxy_, "set HTTPS_PROXY instead"));
  s3->proxy = proxy_;
  s3->no_proxy = no_proxy_;
  s3->http2 = http2_;
  ARROW_RETURN_NOT_OK(ParseInt("--max-connections", max_connections_, kMaxConnections, &s3->max_connections));
  ARROW_RETURN_NOT_OK(ParseInt("--max-attempts", max_attempts_, kMaxAttempts, &s3->max_attempts));
  ARROW_RETURN_NOT_OK(ParseTime("--connect-timeout", connect_timeout_, &s3->connect_timeout));
  ARROW_RETURN_NOT_OK(ParseTime("--request-timeout", request_timeout_, &s3->request_timeout));
  ARROW_RETURN_NOT_OK(ParseTime("--complete-timeout", complete_timeout_, &s3->complete_timeout));
  return ParseTime("--retry-timeout", retry_timeout_, &s3->retry_timeout);
}

arrow::Result<StoreOptions> StoreFlags::Parse() const {
  StoreOptions options;
  S3Options& s3 = options.s3;
  ARROW_RETURN_NOT_OK(
      CheckHoldsNoSecret("--endpoint", endpoint_, "credentials come from the environment or AWS's files"));
  s3.endpoint = endpoint_;
  s3.region = region_;
  ARROW_ASSIGN_OR_RAISE(s3.addressing, ParseAddressing(addressing_));
  s3.allow_http = !no_http_;
  if (anonymous_ && !aws_profile_.empty()) return Refuse("--anonymous: goes without --aws-profile");
  s3.anonymous = anonymous_;
  s3.profile = aws_profile_;
  s3.requester_pays = requester_pays_;
  s3.expected_bucket_owner = expected_bucket_owner_;
  s3.sign_payload = sign_payload_;
  if (!customer_key_file_.empty()) {
    ARROW_ASSIGN_OR_RAISE(s3.encryption.customer_key, ReadCustomerKey("--sse-customer-key-file", customer_key_file_));
    s3.encryption.kind = S3EncryptionKind::kSseC;
  }
  if (!store_profile_.empty()) {
    const auto profile = LoadStoreProfile(store_profile_);
    if (!profile.ok()) return WithContext(profile.status(), "--store-profile");
    options.profile = *profile;
  }
  ARROW_RETURN_NOT_OK(ParseNetwork(&s3));
  ARROW_RETURN_NOT_OK(object_.Parse(&s3));
  return options;
}

arrow::Status StoreFlags::CheckUnderstood(const Target& target) const {
  if (target.kind == kS3) return Status::OK();
  for (const CLI::Option* option : options_) {
    if (option->count() > 0 && option != profile_option_)
      return Refuse(option->get_name() + ": means nothing to " + target.ToUrl());
  }
  return Status::OK();
}

arrow::Result<StoreAndKey> StoreFlags::Checked(const arrow::Result<StoreAndKey>& at) const {
  // An endpoint may also be the environment's.
  if (!at.ok() && !endpoint_.empty() && at.status().message().starts_with("S3 endpoint")) {
    return WithContext(at.status(), "--endpoint");
  }
  ARROW_RETURN_NOT_OK(at);
  ARROW_RETURN_NOT_OK(CheckUnderstood(at->store->TargetOf(at->key)));
  return at;
}

arrow::Result<StoreAndKey> StoreFlags::Open(const std::string& url, const StoreOptions& options) const {
  return Checked(OpenStore(url, options));
}

arrow::Result<StoreAndKey> StoreFlags::OpenPrefix(const std::string& url, const StoreOptions& options) const {
  return Checked(tailrace::OpenPrefix(url, options));
}

arrow::Status StoreFlags::CheckSamePlace(const Target& target, const StoreOptions& options) const {
  const bool any_addressing = addressing_.empty() || addressing_ == "auto";
  if (endpoint_.empty() && region_.empty() && any_addressing) return Status::OK();
  ARROW_ASSIGN_OR_RAISE(const StoreAndKey elsewhere, OpenStore(target.ToUrl(), options));
  const Target other = elsewhere.store->TargetOf(elsewhere.key);
  const auto Differ = [](const std::string& option, const std::string& given, const std::string& ours) {
    return MakeError(ErrorKind::kBadState, option + " " + given + ": the write is at " +
                                               (ours.empty() ? "AWS's own" : ours) +
                                               "; --retarget URL goes on elsewhere");
  };
  if (!endpoint_.empty() && other.endpoint != target.endpoint) return Differ("--endpoint", endpoint_, target.endpoint);
  if (!region_.empty() && other.region != target.region) return Differ("--region", region_, target.region);
  if (!any_addressing && other.addressing != target.addressing) {
    return Differ("--addressing", addressing_, target.addressing);
  }
  return Status::OK();
}

arrow::Result<StoreAndKey> StoreFlags::OpenSame(const Target& target, const ObjectOptions& object,
                                                const StoreOptions& options) const {
  ARROW_RETURN_NOT_OK(CheckUnderstood(target));
  if (target.kind == kS3) ARROW_RETURN_NOT_OK(CheckSamePlace(target, options));
  if (!customer_key_file_.empty() && object.encryption != S3EncryptionKind::kSseC) {
    return Refuse("--sse-customer-key-file: the object of this write is not encrypted with a customer's key");
  }
  return OpenTarget(target, options);
}

std::vector<std::string> StoreFlags::Arguments() const {
  std::vector<std::string> arguments;
  for (const CLI::Option* option : options_) {
    for (const std::string& value : option->results()) {
      arguments.push_back(option->get_name());
      if (option->get_items_expected_max() > 0) arguments.push_back(value);
    }
  }
  return arguments;
}

}  // namespace tailrace::cli
