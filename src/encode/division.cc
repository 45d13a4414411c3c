#include "encode/division.h"

#include <algorithm>

#include <arrow/record_batch.h>
#include <arrow/type.h>

#include "encode/columns_writer.h"
#include "encode/recutter.h"

namespace tailrace {
namespace {

// Referenced bytes in one chunk that are worth a writer, or a unit, of its own. One more writer costs 20 to 30 us for
// each row group; to encode 16 KiB of integers without a codec takes 20, and a row group mostly has more than one
// chunk.
constexpr int64_t kWorthAWriterBytes = int64_t{16} << 10;

int64_t SumOf(const std::vector<FieldWeight>& fields) {
  int64_t sum = 0;
  for (const FieldWeight& field : fields) sum += field.weight;
  return sum;
}

}  // namespace

Division DivideFields(const arrow::RecordBatch& chunk, const PreparedSchema& schema, int most_units) {
  std::vector<FieldWeight> fields;
  for (int i = 0; i < chunk.num_columns(); ++i) {
    const int64_t bytes = ReferencedBits(*chunk.column(i), 0, chunk.num_rows()) / 8;
    fields.push_back({bytes, bytes >= kWorthAWriterBytes && IsFlat(*schema.encoded->field(i))});
  }
  const int64_t worth = SumOf(fields) / kWorthAWriterBytes;
  return DivideWeights(fields, static_cast<int>(std::min<int64_t>(most_units, worth)));
}

Division DivideWeights(const std::vector<FieldWeight>& fields, int most_units) {
  const int64_t units = std::max(most_units, 1);
  const int64_t all = std::max<int64_t>(1, SumOf(fields));
  Division division;
  int64_t before = 0, last_share = -1;
  bool last_alone = false;
  for (const FieldWeight& field : fields) {
    // The share of the sum in which the middle of this field lies; a heavy field thus has one of its own.
    const auto middle = static_cast<__int128>(before) * 2 + field.weight;
    const int64_t share = std::min(units - 1, static_cast<int64_t>(middle * units / (2 * static_cast<__int128>(all))));
    const bool new_unit = share != last_share;
    if (new_unit) division.emplace_back();
    if (new_unit || field.alone || last_alone) division.back().field_counts.push_back(0);
    ++division.back().field_counts.back();
    division.back().weight += field.weight;
    before += field.weight;
    last_share = share;
    last_alone = field.alone;
  }
  return division;
}

}  // namespace tailrace
