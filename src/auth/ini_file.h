// The form of AWS's shared config and credentials files.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <arrow/result.h>

#include "tailrace/error.h"

namespace tailrace {

struct IniSection {
  std::string name;  // as between the brackets, blanks squeezed, quotes taken away: "profile dev"
  int line = 0;
  // Names in lower case. A nested value ("s3 =" and below it, indented, "max_retries = 3") is "s3.max_retries".
  std::map<std::string, std::string> values;
};

// Sections in their order; those of one name are merged, later values win. Comments begin with '#' or ';' at the start
// of a line or after a blank. kInvalid for anything else; the message names `path` and the line, and repeats nothing of
// it, since it may be a secret in the wrong place.
arrow::Result<std::vector<IniSection>> ParseIniFile(std::string_view text, const std::string& path);

}  // namespace tailrace
