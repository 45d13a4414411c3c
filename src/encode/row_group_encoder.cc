#include "encode/row_group_encoder.h"

#include <utility>

#include "encode/row_group_units.h"

namespace tailrace {
namespace {

class SerialEncoder : public RowGroupEncoder {
 public:
  // `two_before` is looked at by the first Write.
  SerialEncoder(const PreparedSchema* schema, const ParquetOptions& options, arrow::MemoryPool* pool,
                std::optional<RowGroupEntry> two_before, Division division)
      : schema_(schema),
        options_(options),
        pool_(pool),
        two_before_(std::move(two_before)),
        division_(std::move(division)) {}

  Status Write(const arrow::RecordBatch& chunk) override {
    if (units_ == nullptr) {
      if (division_.empty()) division_ = DivideFields(chunk, *schema_, 1);
      const RowGroupEntry* before = two_before_ ? &*two_before_ : nullptr;
      ARROW_ASSIGN_OR_RAISE(units_, RowGroupUnits::Make(schema_, &options_, pool_, chunk, before, division_));
      two_before_.reset();
    }
    for (size_t unit = 0; unit < units_->size(); ++unit) ARROW_RETURN_NOT_OK(units_->Write(unit, chunk));
    return Status::OK();
  }

  Result<EncodedRowGroup> Finish() override {
    if (units_ == nullptr) return MakeError(ErrorKind::kInternal, "Parquet encoder: a row group without rows");
    for (size_t unit = 0; unit < units_->size(); ++unit) ARROW_RETURN_NOT_OK(units_->Finish(unit));
    return units_->Assemble();
  }

 private:
  const PreparedSchema* const schema_;
  const ParquetOptions options_;
  arrow::MemoryPool* const pool_;
  std::optional<RowGroupEntry> two_before_;
  Division division_;
  std::unique_ptr<RowGroupUnits> units_;
};

}  // namespace

std::unique_ptr<RowGroupEncoder> RowGroupEncoder::Make(const PreparedSchema& schema, const ParquetOptions& options,
                                                       arrow::MemoryPool* pool, std::optional<RowGroupEntry> two_before,
                                                       Division division) {
  return std::make_unique<SerialEncoder>(&schema, options, pool, std::move(two_before), std::move(division));
}

std::optional<RowGroupEntry> TwoBefore(const std::vector<RowGroupEntry>& row_groups) {
  if (row_groups.size() < 2) return std::nullopt;
  const RowGroupEntry& entry = row_groups[row_groups.size() - 2];
  // Only what choosing encodings looks at.
  RowGroupEntry out;
  out.metadata = entry.metadata;
  out.choices = entry.choices;
  return out;
}

}  // namespace tailrace
