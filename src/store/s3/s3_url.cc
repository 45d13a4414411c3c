#include "store/s3/s3_url.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace tailrace {
namespace {

constexpr std::string_view kR2Suffix = ".r2.cloudflarestorage.com";
constexpr std::string_view kGcsHost = "storage.googleapis.com";

Status BadUrl(std::string_view url, std::string_view why) {
  // A query may be a signature, and user information a password: neither is for a message.
  std::string_view shown = url.substr(0, url.find_first_of(std::string_view("?\0", 2)));
  if (shown.find('@') != shown.npos) shown = shown.substr(0, shown.find(':'));
  return MakeError(ErrorKind::kInvalid, "'" + std::string(shown) + "': " + std::string(why));
}

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

int HexValue(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

Result<std::string> PercentDecode(std::string_view url, std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out.push_back(text[i]);
      continue;
    }
    const int high = i + 1 < text.size() ? HexValue(text[i + 1]) : -1;
    const int low = i + 2 < text.size() ? HexValue(text[i + 2]) : -1;
    if (high < 0 || low < 0) {
      return BadUrl(url, "'%' must be followed by two hex digits; write %25 for '%' itself");
    }
    out.push_back(static_cast<char>(high * 16 + low));
    i += 2;
  }
  if (out.find('\0') != out.npos) return BadUrl(url, "it holds a NUL character");
  return out;
}

Status CheckBucket(std::string_view url, std::string_view bucket) {
  if (bucket.empty()) return BadUrl(url, "the name of the bucket is missing");
  const bool good = std::all_of(bucket.begin(), bucket.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
           c == '.';
  });
  // A bucket named by dots alone would be a dot segment of the path.
  if (!good || bucket.find_first_not_of('.') == bucket.npos) {
    return BadUrl(url, "a bucket's name holds letters, digits, '-', '_' and '.'");
  }
  return Status::OK();
}

// S3 allows 1,024 bytes; nobody allows more.
constexpr size_t kMaxKeyBytes = 1024;

// "BUCKET/KEY", "BUCKET/", "BUCKET"
Status ReadBucketAndKey(std::string_view url, std::string_view text, S3Url* out) {
  const size_t slash = std::min(text.find('/'), text.size());
  ARROW_ASSIGN_OR_RAISE(out->bucket, PercentDecode(url, text.substr(0, slash)));
  ARROW_RETURN_NOT_OK(CheckBucket(url, out->bucket));
  if (slash < text.size()) {
    ARROW_ASSIGN_OR_RAISE(out->key, PercentDecode(url, text.substr(slash + 1)));
  }
  if (out->key.starts_with('/')) return BadUrl(url, "a key does not begin with '/': two slashes follow the bucket");
  if (out->key.size() > kMaxKeyBytes) {
    return BadUrl(url, "the key has " + std::to_string(out->key.size()) + " bytes; S3 allows 1024");
  }
  return Status::OK();
}

// The bucket stands in the host name, `text` is the path behind its first slash.
Status ReadKey(std::string_view url, std::string bucket, std::string_view text, S3Url* out) {
  out->virtual_host = true;
  return ReadBucketAndKey(url, std::move(bucket) + "/" + std::string(text), out);
}

// The labels before ".r2.cloudflarestorage.com", from the right: a jurisdiction where there is one, the account, and
// the bucket where the path does not hold it. A jurisdiction is one of few words, and never an account's 32 hex digits.
struct R2Labels {
  std::string host;  // of the endpoint
  std::string bucket;
};
std::optional<R2Labels> SplitR2Host(std::string_view host) {
  constexpr std::array<std::string_view, 3> kJurisdictions = {"eu", "fedramp", "fedramp-high"};
  const auto last_label = [](std::string_view text) { return text.substr(text.rfind('.') + 1); };
  std::string_view rest = host.substr(0, host.size() - kR2Suffix.size());
  std::string_view tail = host.substr(rest.size());
  const auto take = [&] {
    const std::string_view label = last_label(rest);
    tail = host.substr(rest.size() - label.size());
    rest = label.size() == rest.size() ? std::string_view() : rest.substr(0, rest.size() - label.size() - 1);
  };
  const bool jurisdiction = rest.find('.') != rest.npos && std::find(kJurisdictions.begin(), kJurisdictions.end(),
                                                                     last_label(rest)) != kJurisdictions.end();
  if (jurisdiction) take();
  if (last_label(rest).empty()) return std::nullopt;
  take();
  return R2Labels{.host = std::string(tail), .bucket = std::string(rest)};
}

struct HttpsForm {
  std::string_view url;
  HttpUrl http;
  std::string_view path;  // behind the first slash, still encoded
};

Result<S3Url> ReadR2(const HttpsForm& form) {
  S3Url out{.dialect = S3Dialect::kR2};
  const std::optional<R2Labels> labels = SplitR2Host(form.http.host);
  if (!labels) return BadUrl(form.url, "the host names no account");
  out.endpoint = "https://" + labels->host;
  if (labels->bucket.empty()) {
    out.virtual_host = false;
    ARROW_RETURN_NOT_OK(ReadBucketAndKey(form.url, form.path, &out));
  } else {
    ARROW_RETURN_NOT_OK(ReadKey(form.url, labels->bucket, form.path, &out));
  }
  return out;
}

Result<S3Url> ReadGcs(const HttpsForm& form) {
  S3Url out{.dialect = S3Dialect::kGcs, .endpoint = "https://" + std::string(kGcsHost)};
  if (form.http.host == kGcsHost) {
    out.virtual_host = false;
    ARROW_RETURN_NOT_OK(ReadBucketAndKey(form.url, form.path, &out));
  } else {
    const std::string bucket = form.http.host.substr(0, form.http.host.size() - kGcsHost.size() - 1);
    ARROW_RETURN_NOT_OK(ReadKey(form.url, bucket, form.path, &out));
  }
  return out;
}

// The bucket, which may hold dots, and behind it the first dot after which an AWS host stands; nullopt where none does.
Result<std::optional<S3Url>> ReadAws(const HttpsForm& form) {
  const std::string& host = form.http.host;
  for (size_t begin = 0; begin != host.npos && begin < host.size();) {
    const std::optional<AwsHost> aws = ParseAwsHost(std::string_view(host).substr(begin));
    if (aws) {
      S3Url out{.dialect = S3Dialect::kAws, .is_aws = aws->plain, .region = aws->region};
      if (!aws->plain) out.endpoint = "https://" + host.substr(begin);
      if (begin == 0) {
        out.virtual_host = false;
        ARROW_RETURN_NOT_OK(ReadBucketAndKey(form.url, form.path, &out));
      } else {
        ARROW_RETURN_NOT_OK(ReadKey(form.url, host.substr(0, begin - 1), form.path, &out));
      }
      return std::optional<S3Url>(std::move(out));
    }
    const size_t dot = host.find('.', begin);
    begin = dot == host.npos ? dot : dot + 1;
  }
  return std::optional<S3Url>();
}

Result<HttpsForm> SplitHttps(std::string_view url, std::string_view http) {
  // HttpUrl wants what stands on the wire; keys here may hold raw Unicode and blanks, so only the host is given to it.
  const size_t authority = http.find("://") + 3;
  const size_t slash = std::min(http.find('/', authority), http.size());
  if (http.find_first_of("?#") != http.npos) {
    return BadUrl(url, "a query or fragment is not supported; in a key write %3F for '?' and %23 for '#'");
  }
  HttpsForm form{.url = url};
  Result<HttpUrl> parsed = HttpUrl::Parse(http.substr(0, slash));
  if (!parsed.ok()) return BadUrl(url, parsed.status().message());
  form.http = *std::move(parsed);
  if (slash < http.size()) form.path = http.substr(slash + 1);
  return form;
}

Result<S3Url> ReadHttps(std::string_view url) {
  ARROW_ASSIGN_OR_RAISE(const HttpsForm form, SplitHttps(url, url));
  const std::string& host = form.http.host;
  const bool plain = form.http.scheme == "https" && form.http.port == 0;
  if (plain && host.ends_with(kR2Suffix)) return ReadR2(form);
  if (plain && (host == kGcsHost || host.ends_with("." + std::string(kGcsHost)))) return ReadGcs(form);
  if (plain) {
    ARROW_ASSIGN_OR_RAISE(std::optional<S3Url> aws, ReadAws(form));
    if (aws) return *std::move(aws);
  }
  return BadUrl(url,
                "the host is none of AWS, R2 or Google Cloud Storage; for another store write "
                "s3::https://HOST/BUCKET/KEY, or s3://BUCKET/KEY with the endpoint as an option");
}

// "s3::https://HOST[:PORT]/BUCKET/KEY"
Result<S3Url> ReadExplicitEndpoint(std::string_view url, std::string_view http) {
  ARROW_ASSIGN_OR_RAISE(const HttpsForm form, SplitHttps(url, http));
  ARROW_ASSIGN_OR_RAISE(S3Endpoint endpoint, ParseS3Endpoint(form.http.scheme + "://" + form.http.Authority()));
  S3Url out{.dialect = endpoint.dialect,
            .endpoint = endpoint.text,
            .is_aws = endpoint.text.empty(),
            .region = endpoint.region};
  out.virtual_host = false;
  ARROW_RETURN_NOT_OK(ReadBucketAndKey(url, form.path, &out));
  return out;
}

std::string SchemeOf(std::string_view url) { return Lower(url.substr(0, std::min(url.find(':'), url.size()))); }

}  // namespace

bool LooksLikeS3Url(std::string_view url) {
  const std::string scheme = SchemeOf(url);
  const std::string_view rest = url.substr(scheme.size());
  constexpr std::array<std::string_view, 6> kSchemes = {"s3", "s3a", "r2", "gs", "http", "https"};
  const bool known = std::find(kSchemes.begin(), kSchemes.end(), scheme) != kSchemes.end();
  // One slash is enough, so that a mistyped URL is never the name of a local file.
  return known && (rest.starts_with(":/") || (scheme == "s3" && rest.starts_with("::")));
}

Result<S3Url> ParseS3Url(std::string_view url) {
  const std::string scheme = SchemeOf(url);
  if (scheme == "http" || scheme == "https") return ReadHttps(url);
  std::string_view rest = url.substr(std::min(scheme.size(), url.size()));
  if (scheme == "s3" && rest.starts_with("::")) {
    rest.remove_prefix(2);
    const std::string inner = SchemeOf(rest);
    if (inner != "http" && inner != "https") return BadUrl(url, "http:// or https:// has to follow s3::");
    return ReadExplicitEndpoint(url, rest);
  }
  if (!rest.starts_with("://")) return BadUrl(url, "'://' has to follow the scheme");
  rest.remove_prefix(3);
  S3Url out;
  if (scheme == "r2") {
    out.dialect = S3Dialect::kR2;
    const size_t at = rest.substr(0, rest.find('/')).find('@');
    if (at != rest.npos) {
      out.account = Lower(rest.substr(0, at));
      rest.remove_prefix(at + 1);
      const bool label = !out.account.empty() &&
                         out.account.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-.") == out.account.npos;
      if (!label) return BadUrl(url, "the account before '@' is the identifier that Cloudflare gave it");
    }
  } else if (scheme == "gs") {
    out.dialect = S3Dialect::kGcs;
  } else if (scheme != "s3" && scheme != "s3a") {
    return BadUrl(url, "the scheme is none of s3, s3a, r2, gs, http, https");
  }
  ARROW_RETURN_NOT_OK(ReadBucketAndKey(url, rest, &out));
  return out;
}

}  // namespace tailrace
