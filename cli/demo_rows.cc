#include "cli/demo_rows.h"

#include <cstdio>
#include <cstring>

#include "cli/csv_scanner.h"

namespace tailrace::cli {

std::string MakeDemoCsv(int64_t rows) {
  static constexpr const char* kCities[] = {"Berlin", "Lima", "Nairobi", "Osaka", "Porto", "Quito", "Tampere"};
  std::string csv = "id,sold_at,city,pieces,price,customer\n";
  uint64_t random = 42;
  for (int64_t id = 0; id < rows; ++id) {
    random = random * 6364136223846793005u + 1442695040888963407u;  // Knuth's MMIX
    const auto bits = static_cast<unsigned>(random >> 33);
    char line[160];
    std::snprintf(line, sizeof line, "%lld,2026-01-%02dT%02d:%02d:%02d,%s,%u,%u.%02u,c%08x\n",
                  static_cast<long long>(id), static_cast<int>(1 + id / 86400 % 28), static_cast<int>(id / 3600 % 24),
                  static_cast<int>(id / 60 % 60), static_cast<int>(id % 60), kCities[bits % 7], 1 + bits % 9,
                  bits % 500, bits / 512 % 100, bits);
    csv += line;
  }
  return csv;
}

int64_t CountCsvRows(const std::string& csv) {
  CsvScanner scanner;
  scanner.Feed(csv);
  scanner.FeedEnd();
  return scanner.rows() > 0 ? scanner.rows() - 1 : 0;
}

int64_t PlaceAfterRows(const std::string& csv, int64_t rows) {
  CsvScanner scanner;
  size_t at = 0;
  while (at < csv.size() && scanner.rows() < rows + 1) {
    const size_t line_end = csv.find('\n', at);
    const size_t next = line_end == std::string::npos ? csv.size() : line_end + 1;
    scanner.Feed(std::string_view(csv).substr(at, next - at));
    at = next;
  }
  return static_cast<int64_t>(at);
}

}  // namespace tailrace::cli
