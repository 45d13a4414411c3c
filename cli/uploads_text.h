// Open uploads as lines for people and for programs.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "tailrace/uploads.h"

namespace tailrace::cli {

// "3d", "5h", "12min", "40s": the largest unit.
std::string AgeText(std::chrono::seconds age);
// "abort", "too_young", ...: what a verdict is called in JSON.
std::string VerdictName(SweepVerdict verdict);
// ... and what it means, for people.
std::string VerdictText(SweepVerdict verdict);

// One line: url, age, size, whose it is, and which state knows it.
std::string UploadText(const std::string& url, const OpenUpload& upload, Timestamp now);
// Its members are in docs/guide/cli.md; null for what is not known.
nlohmann::ordered_json UploadJson(const std::string& url, const OpenUpload& upload, Timestamp now);

}  // namespace tailrace::cli
