#include "tailrace/store_profile.h"

#include <cerrno>
#include <cstdio>
#include <limits>
#include <memory>
#include <string_view>

#include <nlohmann/json.hpp>

#include "base/iso_time.h"
#include "store/file_error.h"

namespace tailrace {
namespace {

using Json = nlohmann::ordered_json;

constexpr char kFormat[] = "tailrace-store-profile";
constexpr int64_t kVersion = 1;
constexpr int64_t kMaxBytes = int64_t{1} << 20;
// Far beyond any store; keeps sums of sizes from overflowing.
constexpr int64_t kMaxSize = int64_t{1} << 62;

struct ChecksumName {
  S3Checksum kind;
  std::string_view name;
};
constexpr ChecksumName kChecksums[] = {
    {S3Checksum::kNone, "none"},     {S3Checksum::kMd5, "md5"},       {S3Checksum::kCrc32, "crc32"},
    {S3Checksum::kCrc32c, "crc32c"}, {S3Checksum::kSha256, "sha256"}, {S3Checksum::kCrc64Nvme, "crc64nvme"},
};

// One table for both directions.
struct SizeField {
  std::string_view name;
  int64_t StoreLimits::* member;
};
constexpr SizeField kSizes[] = {
    {"min_part_bytes", &StoreLimits::min_part_bytes},
    {"max_part_bytes", &StoreLimits::max_part_bytes},
    {"max_object_bytes", &StoreLimits::max_object_bytes},
    {"max_put_bytes", &StoreLimits::max_put_bytes},
};
struct FlagField {
  std::string_view name;
  bool StoreLimits::* member;
};
constexpr FlagField kFlags[] = {
    {"checks_part_etags", &StoreLimits::checks_part_etags},
    {"equal_parts", &StoreLimits::equal_parts},
    {"conditional_put", &StoreLimits::conditional_put},
    {"reads_settle_at_once", &StoreLimits::reads_settle_at_once},
};

struct StrayPartsName {
  StrayParts value;
  std::string_view name;
};
constexpr StrayPartsName kStrayParts[] = {
    {StrayParts::kUnknown, "unknown"},
    {StrayParts::kLeftOut, "left out"},
    {StrayParts::kRefused, "refused"},
};

Status Bad(const std::string& why) { return MakeError(ErrorKind::kInvalid, "store profile: " + why); }

// Whole messages of `Take...` end in which field is wrong; the first error stays.
class FieldReader {
 public:
  FieldReader(const Json& object, std::string path) : object_(object), path_(std::move(path)) {
    if (!object.is_object()) status_ = Bad((path_.empty() ? "it" : path_) + " must be an object");
  }

  std::string Text(std::string_view name) {
    const Json* const value = Find(name);
    if (value == nullptr) return {};
    if (!value->is_string()) Fail(name, "must be a text");
    return status_.ok() ? value->get<std::string>() : std::string();
  }
  int64_t Number(std::string_view name, int64_t min, int64_t max) {
    const Json* const value = Find(name);
    if (value == nullptr) return 0;
    const bool fits = value->is_number_integer() && *value >= min && *value <= max;
    if (!fits) Fail(name, "must be a whole number from " + std::to_string(min) + " to " + std::to_string(max));
    return fits ? value->get<int64_t>() : 0;
  }
  bool Flag(std::string_view name) {
    const Json* const value = Find(name);
    if (value == nullptr) return false;
    if (!value->is_boolean()) Fail(name, "must be true or false");
    return status_.ok() && value->get<bool>();
  }
  const Json& Object(std::string_view name) {
    static const Json kEmpty = Json::object();
    const Json* const value = Find(name);
    if (value == nullptr) return kEmpty;
    if (!value->is_object()) Fail(name, "must be an object");
    return value->is_object() ? *value : kEmpty;
  }
  void Fail(std::string_view name, const std::string& why) {
    if (status_.ok()) status_ = Bad(path_ + std::string(name) + " " + why);
  }
  const Status& status() const { return status_; }

 private:
  const Json* Find(std::string_view name) {
    if (!status_.ok()) return nullptr;
    const auto found = object_.find(std::string(name));
    if (found != object_.end()) return &*found;
    Fail(name, "is missing");
    return nullptr;
  }

  const Json& object_;
  const std::string path_;
  Status status_;
};

Result<StoreLimits> ReadLimits(const Json& json) {
  StoreLimits limits;
  FieldReader fields(json, "limits.");
  for (const SizeField& field : kSizes) limits.*field.member = fields.Number(field.name, 1, kMaxSize);
  limits.max_parts = static_cast<int>(fields.Number("max_parts", 1, std::numeric_limits<int>::max()));
  const std::string stray_parts = fields.Text("stray_parts");
  bool known = false;
  for (const StrayPartsName& one : kStrayParts) {
    if (one.name != stray_parts) continue;
    limits.stray_parts = one.value;
    known = true;
  }
  if (!known) fields.Fail("stray_parts", "must be left out, refused or unknown");
  for (const FlagField& field : kFlags) limits.*field.member = fields.Flag(field.name);
  if (limits.min_part_bytes > limits.max_part_bytes) fields.Fail("min_part_bytes", "is above limits.max_part_bytes");
  ARROW_RETURN_NOT_OK(fields.status());
  return limits;
}

Json LimitsToJson(const StoreLimits& limits) {
  Json json;
  for (const SizeField& field : kSizes) json[std::string(field.name)] = limits.*field.member;
  json["max_parts"] = limits.max_parts;
  for (const StrayPartsName& one : kStrayParts) {
    if (one.value == limits.stray_parts) json["stray_parts"] = one.name;
  }
  for (const FlagField& field : kFlags) json[std::string(field.name)] = limits.*field.member;
  return json;
}

Status ReadTarget(const Json& json, StoreProfile* profile) {
  FieldReader fields(json, "target.");
  profile->kind = fields.Text("kind");
  if (profile->kind == "file") {
    profile->folder = fields.Text("folder");
    if (!profile->folder.starts_with('/')) fields.Fail("folder", "must be an absolute path");
  } else if (profile->kind == "s3") {
    profile->endpoint = fields.Text("endpoint");
    profile->bucket = fields.Text("bucket");
    if (profile->bucket.empty()) fields.Fail("bucket", "is empty");
  } else {
    fields.Fail("kind", "must be \"s3\" or \"file\"");
  }
  return fields.status();
}

Result<StoreProfile> ReadProfile(const Json& json) {
  FieldReader fields(json, "");
  ARROW_RETURN_NOT_OK(fields.status());
  if (fields.Text("format") != kFormat) return Bad(std::string("this is none: its format is not \"") + kFormat + "\"");
  const int64_t version = fields.Number("version", 1, std::numeric_limits<int64_t>::max());
  ARROW_RETURN_NOT_OK(fields.status());
  if (version > kVersion) {
    return MakeError(ErrorKind::kStateTooNew, "store profile: version " + std::to_string(version) +
                                                  " is newer than this tailrace, which knows version " +
                                                  std::to_string(kVersion) + ": probe the store again");
  }
  StoreProfile profile;
  profile.tool_version = fields.Text("tool_version");
  const std::optional<Timestamp> probed = ParseIsoTime(fields.Text("probed"));
  if (!probed) fields.Fail("probed", "must be a time such as 2026-01-31T12:00:00Z");
  profile.probed = probed.value_or(Timestamp{});
  const std::string checksum = fields.Text("checksum");
  bool known = false;
  for (const ChecksumName& one : kChecksums) {
    if (one.name != checksum) continue;
    profile.checksum = one.kind;
    known = true;
  }
  if (!known) fields.Fail("checksum", "must be none, md5, crc32, crc32c, sha256 or crc64nvme");
  const Json& target = fields.Object("target");
  const Json& limits = fields.Object("limits");
  const Json& findings = fields.Object("findings");
  FieldReader found(findings, "findings.");
  for (const auto& [name, answer] : findings.items()) profile.findings.emplace_back(name, found.Text(name));
  ARROW_RETURN_NOT_OK(fields.status());
  ARROW_RETURN_NOT_OK(found.status());
  ARROW_RETURN_NOT_OK(ReadTarget(target, &profile));
  ARROW_ASSIGN_OR_RAISE(profile.limits, ReadLimits(limits));
  return profile;
}

}  // namespace

std::string StoreProfile::ToJson() const {
  Json json;
  json["format"] = kFormat;
  json["version"] = kVersion;
  json["tool_version"] = tool_version;
  json["probed"] = FormatIsoTime(probed);
  Json target = {{"kind", kind}};
  if (kind == "file") {
    target["folder"] = folder;
  } else {
    target["endpoint"] = endpoint;
    target["bucket"] = bucket;
  }
  json["target"] = std::move(target);
  json["limits"] = LimitsToJson(limits);
  for (const ChecksumName& one : kChecksums) {
    if (one.kind == checksum) json["checksum"] = one.name;
  }
  Json found = Json::object();
  for (const auto& [name, answer] : findings) found[name] = answer;
  json["findings"] = std::move(found);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<StoreProfile> StoreProfile::FromJson(std::string_view json) {
  const Json parsed = Json::parse(json, nullptr, /*allow_exceptions=*/false);
  if (parsed.is_discarded()) return Bad("this is no JSON, or it is cut");
  return ReadProfile(parsed);
}

Result<StoreProfile> LoadStoreProfile(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rbe"), &std::fclose);
  if (file == nullptr) return FileError("read the store profile", path, errno);
  std::string text(static_cast<size_t>(kMaxBytes) + 1, '\0');
  errno = 0;
  text.resize(std::fread(text.data(), 1, text.size(), file.get()));
  if (std::ferror(file.get()) != 0) return FileError("read the store profile", path, errno);
  if (static_cast<int64_t>(text.size()) > kMaxBytes) {
    return WithContext(Bad("larger than 1 MiB, so it is none"), path);
  }
  Result<StoreProfile> profile = StoreProfile::FromJson(text);
  return profile.ok() ? profile : WithContext(profile.status(), path);
}

}  // namespace tailrace
