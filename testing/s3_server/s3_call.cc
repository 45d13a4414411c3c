#include "testing/s3_server/s3_call.h"

#include <array>
#include <cctype>
#include <charconv>

namespace tailrace {
namespace {

bool IsUnreserved(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.' || c == '~';
}

struct OperationRule {
  std::string_view name;
  std::string_view method;
  bool of_key;
  std::string_view marks;  // query parameters that make the difference, separated by a blank
  std::string_view header = {};
};

// The first that fits is meant; those with more marks stand first.
constexpr std::array kOperations{
    OperationRule{"UploadPartCopy", "PUT", true, "partNumber uploadId", "x-amz-copy-source"},
    OperationRule{"UploadPart", "PUT", true, "partNumber uploadId"},
    OperationRule{"PutObject", "PUT", true, ""},
    OperationRule{"CreateBucket", "PUT", false, ""},
    OperationRule{"CreateMultipartUpload", "POST", true, "uploads"},
    OperationRule{"CompleteMultipartUpload", "POST", true, "uploadId"},
    OperationRule{"DeleteObjects", "POST", false, "delete"},
    OperationRule{"ListParts", "GET", true, "uploadId"},
    OperationRule{"GetObjectTagging", "GET", true, "tagging"},
    OperationRule{"GetObject", "GET", true, ""},
    OperationRule{"ListMultipartUploads", "GET", false, "uploads"},
    OperationRule{"ListObjectsV2", "GET", false, "list-type"},
    OperationRule{"HeadObject", "HEAD", true, ""},
    OperationRule{"HeadBucket", "HEAD", false, ""},
    OperationRule{"AbortMultipartUpload", "DELETE", true, "uploadId"},
    OperationRule{"DeleteObject", "DELETE", true, ""},
};

bool HasAll(const std::map<std::string, std::string>& query, std::string_view marks) {
  while (!marks.empty()) {
    const size_t end = std::min(marks.find(' '), marks.size());
    if (!query.contains(std::string(marks.substr(0, end)))) return false;
    marks.remove_prefix(std::min(end + 1, marks.size()));
  }
  return true;
}

std::string OperationOf(const S3Call& call) {
  for (const OperationRule& rule : kOperations) {
    if (call.method != rule.method || rule.of_key == call.key.empty() || !HasAll(call.query, rule.marks)) continue;
    if (!rule.header.empty() && !call.HasHeader(std::string(rule.header))) continue;
    return std::string(rule.name);
  }
  return {};
}

std::optional<S3Error> ParseQuery(std::string_view text, S3Call* call) {
  while (!text.empty()) {
    const size_t end = std::min(text.find('&'), text.size());
    const std::string_view pair = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const size_t equals = std::min(pair.find('='), pair.size());
    const auto name = PercentDecode(pair.substr(0, equals));
    const auto value = PercentDecode(pair.substr(std::min(equals + 1, pair.size())));
    if (!name || !value) return S3Error{400, "InvalidURI", "a broken escape in the query"};
    if (!call->query.emplace(*name, *value).second) {
      return S3Error{400, "InvalidArgument", "the query parameter '" + *name + "' stands twice"};
    }
  }
  return std::nullopt;
}

}  // namespace

std::string S3Call::Query(const std::string& name) const {
  const auto found = query.find(name);
  return found == query.end() ? std::string() : found->second;
}

int S3Call::part_number() const {
  const std::string text = Query("partNumber");
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? number : 0;
}

std::optional<std::string> PercentDecode(std::string_view text) {
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      plain += text[i];
      continue;
    }
    unsigned value = 0;
    if (i + 2 >= text.size()) return std::nullopt;
    const char* const digits = text.data() + i + 1;
    if (std::from_chars(digits, digits + 2, value, 16).ptr != digits + 2) return std::nullopt;
    plain += static_cast<char>(value);
    i += 2;
  }
  return plain;
}

std::string PercentEncode(std::string_view text, bool keep_slash) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string encoded;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (IsUnreserved(c) || (keep_slash && c == '/')) {
      encoded += c;
    } else {
      encoded += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
    }
  }
  return encoded;
}

std::variant<S3Call, S3Error> ParseS3Call(const ServerRequest& request, std::string_view domain) {
  S3Call call{.method = request.method, .headers = request.headers};
  const size_t question = std::min(request.target.find('?'), request.target.size());
  call.raw_path = request.target.substr(0, question);
  call.raw_query = request.target.substr(std::min(question + 1, request.target.size()));
  const auto path = PercentDecode(call.raw_path);
  if (!path || !path->starts_with('/') || PercentEncode(*path, true) != call.raw_path) {
    return S3Error{400, "InvalidURI", "the path is not encoded as SigV4 encodes it: " + call.raw_path};
  }
  if (auto error = ParseQuery(call.raw_query, &call)) return *error;
  const std::string authority = call.Header("host");
  const std::string host = authority.substr(0, authority.find(':'));
  const std::string suffix = "." + std::string(domain);
  if (host.ends_with(suffix)) {
    call.virtual_host = true;
    call.bucket = host.substr(0, host.size() - suffix.size());
    call.key = path->substr(1);
  } else {
    const size_t slash = std::min(path->find('/', 1), path->size());
    call.bucket = path->substr(1, slash - 1);
    call.key = path->substr(std::min(slash + 1, path->size()));
  }
  call.operation = OperationOf(call);
  return call;
}

}  // namespace tailrace
