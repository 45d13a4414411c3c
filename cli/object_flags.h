// What a store gives the object beside its bytes: options of `write` alone. States and pending commits remember it.
#pragma once

#include <string>
#include <vector>

#include <arrow/result.h>
#include <CLI/CLI.hpp>

#include "tailrace/s3_options.h"

namespace tailrace::cli {

class ObjectFlags {
 public:
  // `command` keeps pointers to this. Returns the options that were added.
  std::vector<const CLI::Option*> AddTo(CLI::App* command);
  // Sets what was given; kInvalid names the option. `s3->encryption.customer_key` is there already, if there is one.
  arrow::Status Parse(S3Options* s3) const;

 private:
  arrow::Status ParseEncryption(S3Encryption* encryption) const;

  std::string checksum_;
  std::string sse_;
  std::string kms_key_id_;
  std::string storage_class_;
  std::string acl_;
  std::vector<std::string> tags_;
  std::vector<std::string> metadata_;
  std::string content_type_;
  std::string lock_mode_;
  std::string lock_until_;
  bool legal_hold_ = false;
};

}  // namespace tailrace::cli
