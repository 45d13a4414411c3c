// How a store is reached over the network: options of every command that takes a URL or a state. What the object is
// given is for `write` alone (object_flags.h): later processes know it from the state.
#pragma once

#include <string>
#include <vector>

#include <arrow/result.h>
#include <CLI/CLI.hpp>

#include "cli/object_flags.h"
#include "tailrace/store.h"

namespace tailrace::cli {

// Filled by CLI11 as text, so that all errors are worded in one place. No option takes a secret: credentials come from
// where AWS's own tools find them, a customer's key from a file.
class StoreFlags {
 public:
  // `command` keeps pointers to this.
  void AddTo(CLI::App* command);
  // The options of `write` besides.
  void AddWithObjectTo(CLI::App* command);

  // kInvalid names option and limit.
  arrow::Result<StoreOptions> Parse() const;

  // Opens the store of `url`. kInvalid where an option is given that means nothing to it.
  arrow::Result<StoreAndKey> Open(const std::string& url, const StoreOptions& options) const;
  // The same of a bucket, a folder, the start of keys.
  arrow::Result<StoreAndKey> OpenPrefix(const std::string& url, const StoreOptions& options) const;
  // Opens the store of a state or pending commit whose object is given `object`. kBadState where an option says that it
  // is elsewhere, kInvalid where a customer's key is given and none is used.
  arrow::Result<StoreAndKey> OpenSame(const Target& target, const ObjectOptions& object,
                                      const StoreOptions& options) const;

  // The options that were given, to be handed on to another process.
  std::vector<std::string> Arguments() const;

 private:
  void AddPlace(CLI::App* command);
  void AddNetwork(CLI::App* command);
  arrow::Status ParseNetwork(S3Options* s3) const;
  arrow::Status CheckUnderstood(const Target& target) const;
  arrow::Result<StoreAndKey> Checked(const arrow::Result<StoreAndKey>& at) const;
  arrow::Status CheckSamePlace(const Target& target, const StoreOptions& options) const;

  std::string endpoint_;
  std::string region_;
  std::string addressing_;
  bool no_http_ = false;
  bool anonymous_ = false;
  std::string aws_profile_;
  bool requester_pays_ = false;
  std::string expected_bucket_owner_;
  bool sign_payload_ = false;
  std::string customer_key_file_;
  std::string store_profile_;
  std::string max_connections_;
  bool http2_ = false;
  std::string ca_file_;
  std::string proxy_;
  std::string no_proxy_;
  std::string connect_timeout_;
  std::string request_timeout_;
  std::string complete_timeout_;
  std::string max_attempts_;
  std::string retry_timeout_;
  ObjectFlags object_;
  // All of the above, to tell which were given; a profile may be of any store.
  std::vector<const CLI::Option*> options_;
  const CLI::Option* profile_option_ = nullptr;
};

}  // namespace tailrace::cli
