#include <algorithm>
#include <charconv>

#include "http/transport.h"

namespace tailrace {
namespace {

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool SameName(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return Lower(x) == Lower(y); });
}

std::string ToLower(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), Lower);
  return lower;
}

// Visible ASCII: all that may stand in a URL on the wire.
bool IsVisible(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < '\x7f'; });
}

int DefaultPort(std::string_view scheme) { return scheme == "https" ? 443 : 80; }

Status Malformed(std::string_view what) {
  return MakeError(ErrorKind::kInvalid,
                   "malformed URL: " + std::string(what) + "; it looks like https://host:port/path");
}

Result<int> ParsePort(std::string_view text) {
  int port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc() || end != text.data() + text.size() || port < 1 || port > 65535) {
    return Malformed("the port is no number from 1 to 65535");
  }
  return port;
}

// "host", "host:port", "[address]" or "[address]:port".
Status ParseAuthority(std::string_view text, HttpUrl* url) {
  if (text.find('@') != text.npos) return Malformed("a user name in a URL is not supported");
  std::string_view rest;
  if (text.starts_with('[')) {
    const size_t end = text.find(']');
    if (end == text.npos) return Malformed("'[' without ']'");
    url->host = ToLower(text.substr(1, end - 1));
    // Digits, colons, a dotted end, a zone; without a colon it would be written without brackets.
    if (url->host.find(':') == text.npos || url->host.find('[') != text.npos) {
      return Malformed("what stands in brackets is no IPv6 address");
    }
    rest = text.substr(end + 1);
  } else {
    const size_t end = std::min(text.find(':'), text.size());
    url->host = ToLower(text.substr(0, end));
    rest = text.substr(end);
  }
  if (url->host.empty()) return Malformed("the host is missing");
  if (!text.starts_with('[') && url->host.find_first_of("[]") != text.npos) return Malformed("a bracket in the host");
  if (rest.empty()) return Status::OK();
  if (!rest.starts_with(':')) return Malformed("something other than a port follows the host");
  ARROW_ASSIGN_OR_RAISE(url->port, ParsePort(rest.substr(1)));
  if (url->port == DefaultPort(url->scheme)) url->port = 0;
  return Status::OK();
}

}  // namespace

void HttpHeaders::Set(std::string_view name, std::string value) {
  Remove(name);
  Add(std::string(name), std::move(value));
}

void HttpHeaders::Remove(std::string_view name) {
  std::erase_if(fields_, [&](const auto& field) { return SameName(field.first, name); });
}

std::optional<std::string> HttpHeaders::Get(std::string_view name) const {
  for (const auto& [field, value] : fields_) {
    if (SameName(field, name)) return value;
  }
  return std::nullopt;
}

Result<HttpUrl> HttpUrl::Parse(std::string_view text) {
  HttpUrl url;
  const size_t colon = text.find("://");
  if (colon == text.npos) return Malformed("no scheme");
  url.scheme = ToLower(text.substr(0, colon));
  if (url.scheme != "http" && url.scheme != "https") return Malformed("the scheme is neither http nor https");
  text.remove_prefix(colon + 3);
  if (!IsVisible(text)) return Malformed("blanks, control characters and non-ASCII must be percent-encoded");
  if (text.find('#') != text.npos) return Malformed("a fragment ('#') never reaches a server");
  const size_t query = std::min(text.find('?'), text.size());
  if (query < text.size()) url.query = text.substr(query + 1);
  text = text.substr(0, query);
  const size_t slash = std::min(text.find('/'), text.size());
  if (slash < text.size()) url.path = text.substr(slash);
  ARROW_RETURN_NOT_OK(ParseAuthority(text.substr(0, slash), &url));
  return url;
}

std::string HttpUrl::Authority() const {
  std::string text = host.find(':') == host.npos ? host : "[" + host + "]";
  if (port != 0 && port != DefaultPort(scheme)) text += ":" + std::to_string(port);
  return text;
}

std::string HttpUrl::WithoutQuery() const { return scheme + "://" + Authority() + path; }

std::string HttpUrl::ToString() const { return query.empty() ? WithoutQuery() : WithoutQuery() + "?" + query; }

}  // namespace tailrace
