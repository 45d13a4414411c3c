// The rows that the demo streams.
#pragma once

#include <cstdint>
#include <string>

namespace tailrace::cli {

// A CSV with a header line and `rows` made-up sales, always the same.
std::string MakeDemoCsv(int64_t rows);

// Rows of a CSV after its header line.
int64_t CountCsvRows(const std::string& csv);
// The place right after the header and the first `rows` rows; the end of the CSV if it has fewer.
int64_t PlaceAfterRows(const std::string& csv, int64_t rows);

}  // namespace tailrace::cli
