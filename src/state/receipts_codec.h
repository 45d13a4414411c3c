// Part receipts as packed bytes, column by column (docs/formats/writer-state.md).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <arrow/result.h>

#include "tailrace/state.h"

namespace tailrace {

std::string EncodeReceipts(const std::vector<PartReceipt>& receipts);
// kBadState beginning with `path`. Whether numbers and offsets fit together is for the caller to check.
Result<std::vector<PartReceipt>> DecodeReceipts(std::string_view packed, const std::string& path);

}  // namespace tailrace
