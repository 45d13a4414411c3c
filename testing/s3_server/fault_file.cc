#include <fstream>
#include <set>
#include <sstream>

#include <nlohmann/json.hpp>

#include "tailrace/error.h"
#include "testing/s3_server/fault.h"

namespace tailrace {
namespace {

using Json = nlohmann::json;

// Takes members of one JSON object, and knows which nobody took.
class Members {
 public:
  Members(const Json& object, std::string where) : object_(object), where_(std::move(where)) {
    if (!object.is_object()) throw std::invalid_argument(where_ + " is no object");
  }
  template <typename T>
  void Take(const char* name, T* value) {
    names_.insert(name);
    if (const auto found = object_.find(name); found != object_.end()) Read(*found, value);
  }
  const Json* Find(const char* name) {
    names_.insert(name);
    const auto found = object_.find(name);
    return found == object_.end() ? nullptr : &*found;
  }
  void CheckAllTaken() const {
    for (const auto& [name, value] : object_.items()) {
      if (!names_.contains(name)) throw std::invalid_argument(where_ + " knows no '" + name + "'");
    }
  }

 private:
  template <typename T>
  static void Read(const Json& json, T* value) {
    json.get_to(*value);
  }
  template <typename T>
  static void Read(const Json& json, std::optional<T>* value) {
    T one;
    Read(json, &one);
    *value = std::move(one);
  }
  static void Read(const Json& json, std::chrono::milliseconds* value) {
    *value = std::chrono::milliseconds(json.get<int64_t>());
  }
  static void Read(const Json& json, std::chrono::seconds* value) {
    *value = std::chrono::seconds(json.get<int64_t>());
  }

  const Json& object_;
  const std::string where_;
  std::set<std::string> names_;
};

template <typename T>
T OneOf(const Json& json, const std::map<std::string, T>& names) {
  const auto found = names.find(json.get<std::string>());
  if (found == names.end()) throw std::invalid_argument("no such choice: " + json.dump());
  return found->second;
}

FaultWhen ParseWhen(const Json& json) {
  FaultWhen when;
  Members members(json, "\"when\"");
  members.Take("operation", &when.operation);
  members.Take("part_number", &when.part_number);
  members.Take("key", &when.key);
  members.Take("skip", &when.skip);
  members.Take("times", &when.times);
  members.Take("percent", &when.percent);
  members.CheckAllTaken();
  if (when.operation.empty()) throw std::invalid_argument("\"when\" names no operation");
  return when;
}

Fault ParseFault(const Json& json) {
  Fault fault;
  Members members(json, "\"then\"");
  members.Take("read_body_bytes", &fault.read_body_bytes);
  members.Take("apply", &fault.apply);
  members.Take("check_signature", &fault.check_signature);
  members.Take("delay_ms", &fault.delay);
  members.Take("status", &fault.status);
  members.Take("code", &fault.code);
  members.Take("message", &fault.message);
  members.Take("body", &fault.body);
  members.Take("ignore_range", &fault.ignore_range);
  members.Take("shift_range_bytes", &fault.shift_range_bytes);
  members.Take("keep_body_bytes", &fault.keep_body_bytes);
  members.Take("upper_case_headers", &fault.upper_case_headers);
  members.Take("lead", &fault.lead);
  members.Take("lead_pause_ms", &fault.lead_pause);
  members.Take("send_bytes", &fault.send_bytes);
  members.Take("drip_bytes", &fault.drip_bytes);
  members.Take("drip_pause_ms", &fault.drip_pause);
  members.Take("no_reply", &fault.no_reply);
  members.Take("expire_upload", &fault.expire_upload);
  members.Take("delete_object", &fault.delete_object);
  members.Take("expire_keys", &fault.expire_keys);
  members.Take("put_foreign", &fault.put_foreign);
  members.Take("clock_offset_s", &fault.clock_offset);
  members.Take("region", &fault.region);
  if (const Json* const headers = members.Find("headers")) {
    for (const auto& [name, value] : headers->items()) {
      fault.headers[name] = value.is_null() ? std::nullopt : std::optional(value.get<std::string>());
    }
  }
  if (const Json* const framing = members.Find("framing")) {
    fault.framing = OneOf<Fault::Framing>(*framing, {{"plain", Fault::Framing::kPlain},
                                                     {"chunked", Fault::Framing::kChunked},
                                                     {"http10", Fault::Framing::kHttp10}});
  }
  if (const Json* const end = members.Find("end")) {
    fault.end = OneOf<Fault::End>(*end, {{"keep", Fault::End::kKeep},
                                         {"close", Fault::End::kClose},
                                         {"reset", Fault::End::kReset},
                                         {"hang", Fault::End::kHang}});
  }
  members.CheckAllTaken();
  return fault;
}

// Values of JSON are read when the file is, so that a mistake shows there.
S3Rules ReadRules(const Json& json, S3Rules rules) {
  Members members(json, "\"store\"");
  members.Take("min_part_bytes", &rules.min_part_bytes);
  members.Take("max_part_bytes", &rules.max_part_bytes);
  members.Take("max_parts", &rules.max_parts);
  members.Take("equal_parts", &rules.equal_parts);
  members.Take("leaves_strays_out", &rules.leaves_strays_out);
  members.Take("checks_part_etags", &rules.checks_part_etags);
  members.Take("opaque_etags", &rules.opaque_etags);
  members.Take("empty_complete_etag", &rules.empty_complete_etag);
  members.Take("complete_twice_is_ok", &rules.complete_twice_is_ok);
  members.Take("lists_unsorted", &rules.lists_unsorted);
  members.Take("page_size", &rules.page_size);
  members.Take("require_checksum", &rules.require_checksum);
  members.Take("default_encryption", &rules.default_encryption);
  members.Take("required_headers", &rules.required_headers);
  members.Take("missing_upload_code", &rules.missing_upload_code);
  members.Take("keeps_metadata", &rules.keeps_metadata);
  members.Take("reply_headers", &rules.reply_headers);
  members.Take("clock_offset_s", &rules.clock_offset);
  members.Take("region", &rules.signature.region);
  members.Take("buckets", &rules.buckets);
  members.Take("anonymous", &rules.signature.allow_anonymous);
  if (const Json* const choice = members.Find("checksums")) {
    rules.checksums = OneOf<S3Rules::Checksums>(*choice, {{"strict", S3Rules::Checksums::kStrict},
                                                          {"ignored", S3Rules::Checksums::kIgnored},
                                                          {"refused", S3Rules::Checksums::kRefused}});
  }
  const std::map<std::string, S3Rules::Conditions> conditions = {{"honoured", S3Rules::Conditions::kHonoured},
                                                                 {"ignored", S3Rules::Conditions::kIgnored},
                                                                 {"refused", S3Rules::Conditions::kRefused}};
  if (const Json* const choice = members.Find("put_conditions")) rules.put_conditions = OneOf(*choice, conditions);
  if (const Json* const choice = members.Find("complete_conditions")) {
    rules.complete_conditions = OneOf(*choice, conditions);
  }
  if (const Json* const choice = members.Find("wrong_region")) {
    rules.signature.wrong_region =
        OneOf<WrongRegionAnswer>(*choice, {{"malformed", WrongRegionAnswer::kMalformed400},
                                           {"redirect301", WrongRegionAnswer::kRedirect301},
                                           {"redirect307", WrongRegionAnswer::kRedirect307},
                                           {"silent", WrongRegionAnswer::kMalformedNoRegion}});
  }
  if (const Json* const denied = members.Find("denied")) {
    for (S3Key& key : rules.signature.keys) key.denied = denied->get<std::vector<std::string>>();
  }
  members.CheckAllTaken();
  return rules;
}

std::function<void(S3Rules*)> RulesOf(const Json& json) {
  ReadRules(json, {});
  return [json](S3Rules* rules) { *rules = ReadRules(json, *rules); };
}

}  // namespace

arrow::Result<FaultFile> ParseFaultFile(const std::string& name, const std::string& json) try {
  const Json document = Json::parse(json);
  FaultFile file{.name = name, .change_rules = [](S3Rules*) {}};
  Members members(document, "a fault file");
  members.Take("about", &file.about);
  members.Take("cases", &file.cases);
  if (const Json* const store = members.Find("store")) file.change_rules = RulesOf(*store);
  if (const Json* const rules = members.Find("rules")) {
    for (const Json& rule : *rules) {
      Members parts(rule, "a rule");
      const Json* const when = parts.Find("when");
      const Json* const then = parts.Find("then");
      parts.CheckAllTaken();
      if (when == nullptr || then == nullptr) throw std::invalid_argument("a rule needs \"when\" and \"then\"");
      file.rules.push_back({ParseWhen(*when), ParseFault(*then)});
    }
  }
  members.CheckAllTaken();
  if (file.about.empty()) throw std::invalid_argument("\"about\" is missing");
  return file;
} catch (const std::exception& error) {
  return MakeError(ErrorKind::kInvalid, name + ": " + error.what());
}

arrow::Result<FaultFile> ReadFaultFile(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  if (!in) return MakeError(ErrorKind::kNotFound, "cannot read '" + path + "'");
  return ParseFaultFile(path.substr(path.rfind('/') + 1), text.str());
}

arrow::Result<std::function<void(S3Rules*)>> ParseS3Rules(const std::string& json) try {
  return RulesOf(Json::parse(json));
} catch (const std::exception& error) {
  return MakeError(ErrorKind::kInvalid, std::string("rules of the server: ") + error.what());
}

}  // namespace tailrace
