// Questions to servers that speak S3, and what S3 itself answers.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tests/conformance/s3_wire.h"

namespace tailrace {

// The answer is a few words: a status with the code of the error, or what was seen.
struct WireCheck {
  std::string name;
  std::string aws;  // what S3's reference leads one to expect
  std::function<std::string(S3Wire&)> ask;
};

std::vector<WireCheck> CompleteChecks();
std::vector<WireCheck> ChecksumChecks();
std::vector<WireCheck> PartChecks();
std::vector<WireCheck> SignatureChecks();
std::vector<WireCheck> ObjectChecks();

// Of all parts that a server wants a minimum for.
inline constexpr int64_t kWholePart = int64_t{5} << 20;

}  // namespace tailrace
