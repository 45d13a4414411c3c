// What the URL or path of a store means. Pure.
#pragma once

#include <string>
#include <string_view>

#include <arrow/result.h>

#include "tailrace/error.h"

namespace tailrace {

using arrow::Result;

// The key of the local store that `url` names: "file:///abs/path" or "file:/abs/path" (percent-decoded), or a path,
// taken relative to `working_folder` (absolute) and normalised as text: "a/../b" is "b" even where "a" is a link.
// kInvalid: unknown scheme, a host, bad percent-encoding, a name that ends in '/', "." or "..".
Result<std::string> LocalKeyOf(std::string_view url, std::string_view working_folder);

}  // namespace tailrace
