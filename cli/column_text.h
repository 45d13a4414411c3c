// What single columns are given, as people write it: COLUMN=WORDS, split at the last '=', so that a column's name may
// have one where words follow.
#pragma once

#include <string>
#include <vector>

#include <arrow/result.h>

#include "tailrace/error.h"
#include "tailrace/options.h"

namespace tailrace::cli {

// "on" or "off". kInvalid naming `option` for anything else.
arrow::Result<bool> ParseOnOff(const std::string& option, const std::string& text);

// Each adds to `columns` what one option says of them, several options to the same entry of a column. kInvalid names
// `option`, the value, and what is allowed; a column that is named twice by one option is refused.
//
// "city=off"
Status AddDictionaries(const std::string& option, const std::vector<std::string>& texts,
                       std::vector<ColumnOptions>* columns);
// "id", "id=500000", "id=500000,0.01": distinct values of one row group, and the share of absent values that seem to
// be there
Status AddBloomFilters(const std::string& option, const std::vector<std::string>& texts,
                       std::vector<ColumnOptions>* columns);

// "time", "time=descending", "time=ascending,nulls-first", in the order they are given.
arrow::Result<std::vector<SortingColumn>> ParseSortingColumns(const std::string& option,
                                                              const std::vector<std::string>& texts);

}  // namespace tailrace::cli
