#include "auth/ini_file.h"

#include <algorithm>

namespace tailrace {
namespace {

bool IsBlank(char c) { return c == ' ' || c == '\t'; }

std::string_view Trim(std::string_view text) {
  while (!text.empty() && IsBlank(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsBlank(text.back())) text.remove_suffix(1);
  return text;
}

// Without a comment at its end, which needs a blank before it: '#' may be part of a value.
std::string_view WithoutComment(std::string_view text) {
  for (size_t i = 0; i < text.size(); ++i) {
    if ((text[i] == '#' || text[i] == ';') && (i == 0 || IsBlank(text[i - 1]))) return text.substr(0, i);
  }
  return text;
}

std::string ToLower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

// "profile  'a b'" is "profile a b".
std::string SectionName(std::string_view text) {
  std::string name;
  char quote = 0;
  for (const char c : text) {
    if (quote == 0 && (c == '"' || c == '\'')) {
      quote = c;
    } else if (c == quote) {
      quote = 0;
    } else if (quote != 0 || !IsBlank(c)) {
      name += c;
    } else if (!name.empty() && name.back() != ' ') {
      name += ' ';
    }
  }
  return name;
}

class Parser {
 public:
  explicit Parser(const std::string& path) : path_(path) {}

  Status Add(std::string_view line) {
    ++line_;
    if (line.find('\0') != line.npos) return Damaged("a NUL byte");
    const bool indented = !line.empty() && IsBlank(line.front());
    const std::string_view text = Trim(line);
    if (text.empty() || text.front() == '#' || text.front() == ';') return Status::OK();
    if (text.front() == '[' && !indented) return AddSection(text);
    return AddValue(text, indented);
  }

  std::vector<IniSection> Take() { return std::move(sections_); }

 private:
  Status Damaged(const std::string& what) const {
    return MakeError(ErrorKind::kInvalid, path_ + ":" + std::to_string(line_) + ": " + what);
  }

  Status AddSection(std::string_view text) {
    const size_t end = text.find(']');
    if (end == text.npos) return Damaged("'[' without ']'");
    if (!Trim(WithoutComment(Trim(text.substr(end + 1)))).empty()) return Damaged("something follows ']'");
    const std::string name = SectionName(Trim(text.substr(1, end - 1)));
    if (name.empty()) return Damaged("a section without a name");
    auto it = std::find_if(sections_.begin(), sections_.end(), [&](const auto& one) { return one.name == name; });
    if (it == sections_.end()) it = sections_.insert(it, {.name = name, .line = line_, .values = {}});
    current_ = static_cast<size_t>(it - sections_.begin());
    in_section_ = true;
    parent_.clear();
    return Status::OK();
  }

  Status AddValue(std::string_view text, bool indented) {
    if (!in_section_) return Damaged("a value before the first [section]");
    const size_t equals = text.find('=');
    const std::string name = ToLower(Trim(text.substr(0, std::min(equals, text.size()))));
    if (equals == text.npos || name.empty()) {
      // The rest of a longer value, which none that is used here has.
      if (indented && !parent_.empty()) return Status::OK();
      return Damaged("neither [section], name = value nor # comment");
    }
    const std::string value(Trim(WithoutComment(text.substr(equals + 1))));
    const bool nested = indented && !parent_.empty();
    sections_[current_].values[nested ? parent_ + "." + name : name] = value;
    if (!nested) parent_ = name;
    return Status::OK();
  }

  const std::string& path_;
  int line_ = 0;
  std::vector<IniSection> sections_;
  bool in_section_ = false;
  size_t current_ = 0;
  std::string parent_;  // the last name that was not indented
};

}  // namespace

arrow::Result<std::vector<IniSection>> ParseIniFile(std::string_view text, const std::string& path) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  Parser parser(path);
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    ARROW_RETURN_NOT_OK(parser.Add(line));
  }
  return parser.Take();
}

}  // namespace tailrace
