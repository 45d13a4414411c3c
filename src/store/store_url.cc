#include "store/store_url.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>
#include <vector>

namespace tailrace {
namespace {

// The scheme of "scheme:/..." (RFC 3986); empty for a path. One slash is enough, so that a mistyped "s3:/bucket/x" is
// never a folder "s3:" here.
std::string_view SchemeOf(std::string_view url) {
  size_t end = 0;
  while (end < url.size() && (std::isalnum(static_cast<unsigned char>(url[end])) != 0 || url[end] == '+' ||
                              url[end] == '-' || url[end] == '.')) {
    ++end;
  }
  const bool is_url = end > 0 && std::isalpha(static_cast<unsigned char>(url[0])) != 0 && url.substr(end, 2) == ":/";
  return is_url ? url.substr(0, end) : std::string_view();
}

// `url` as messages may show it: users write credentials into URLs, before an '@' or after a '?'. In a path, both are
// plain characters.
std::string ShownUrl(std::string_view url) {
  url = url.substr(0, url.find('\0'));  // a NUL would cut the message where it is printed
  const std::string_view scheme = SchemeOf(url);
  const bool has_host = url.substr(scheme.size()).starts_with("://") && !url.substr(scheme.size()).starts_with(":///");
  if (scheme.empty() || (scheme == "file" && !has_host)) return std::string(url);
  std::string text(url);
  // The last '@' of all: whatever stands before it could be a password.
  if (const size_t at = text.rfind('@'); at != std::string::npos)
    text = std::string(scheme) + "://..." + text.substr(at);
  if (const size_t query = text.find_first_of("?#"); query != std::string::npos) text = text.substr(0, query) + "?...";
  return text;
}

Status BadUrl(std::string_view url, std::string_view why) {
  return MakeError(ErrorKind::kInvalid, "'" + ShownUrl(url) + "': " + std::string(why));
}

std::optional<int> HexValue(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return std::nullopt;
}

Result<std::string> PercentDecode(std::string_view url, std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out.push_back(text[i]);
      continue;
    }
    const auto high = i + 1 < text.size() ? HexValue(text[i + 1]) : std::nullopt;
    const auto low = i + 2 < text.size() ? HexValue(text[i + 2]) : std::nullopt;
    if (!high || !low) return BadUrl(url, "'%' must be followed by two hex digits; write %25 for '%' itself");
    const char decoded = static_cast<char>(*high * 16 + *low);
    if (decoded == '/') return BadUrl(url, "%2F would be part of a name, and no file name holds '/'");
    out.push_back(decoded);
    i += 2;
  }
  return out;
}

Result<std::string> Normalise(std::string_view url, std::string_view path) {
  std::vector<std::string_view> segments;
  std::string_view last;
  for (size_t begin = 0; begin <= path.size();) {
    const size_t end = std::min(path.find('/', begin), path.size());
    last = path.substr(begin, end - begin);
    if (last == "..") {
      if (!segments.empty()) segments.pop_back();
    } else if (!last.empty() && last != ".") {
      segments.push_back(last);
    }
    begin = end + 1;
  }
  if (last.empty() || last == "." || last == "..") {
    return BadUrl(url, "it names a folder; an object needs a name of its own, such as 'flights.parquet', at the end");
  }
  std::string key;
  for (std::string_view segment : segments) {
    if (!key.empty()) key.push_back('/');
    key.append(segment);
  }
  return key;
}

Result<std::string> PathOfFileUrl(std::string_view url, std::string_view rest) {
  if (rest.starts_with("//")) {
    rest.remove_prefix(2);
    if (!rest.starts_with('/')) {
      return BadUrl(url, "a file URL names no host: write file:///path, with three slashes");
    }
  }
  // Decoded first, so that an encoded ".." is one.
  return PercentDecode(url, rest);
}

}  // namespace

Result<std::string> LocalKeyOf(std::string_view url, std::string_view working_folder) {
  if (url.empty()) return MakeError(ErrorKind::kInvalid, "the URL of the target is empty");
  if (url.find('\0') != std::string_view::npos) return BadUrl(url, "it holds a NUL character");
  const std::string_view scheme = SchemeOf(url);
  if (scheme.empty()) {
    if (url.starts_with("file:")) return BadUrl(url, "a file URL needs an absolute path: file:///path");
    std::string path(url);
    if (!url.starts_with('/')) path = std::string(working_folder) + "/" + path;
    return Normalise(url, path);
  }
  std::string lower;
  for (char c : scheme) lower.push_back(static_cast<char>(std::tolower(static_cast<unsigned char>(c))));
  if (lower != "file") {
    return BadUrl(url, "the scheme '" + std::string(scheme) +
                           "' is unknown to this version, which knows: file (file:///path, or a plain path; a path "
                           "that looks like a URL is written ./" +
                           std::string(scheme) + ":/...); s3, s3a, r2, gs and https (s3://BUCKET/KEY)");
  }
  ARROW_ASSIGN_OR_RAISE(const std::string path, PathOfFileUrl(url, url.substr(scheme.size() + 1)));
  if (path.find('\0') != std::string::npos) return BadUrl(url, "it holds a NUL character (%00)");
  return Normalise(url, path);
}

}  // namespace tailrace
