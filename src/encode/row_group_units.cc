#include "encode/row_group_units.h"

#include <iterator>
#include <utility>

#include <arrow/record_batch.h>

#include "encode/adaptive_columns.h"
#include "encode/column_run.h"
#include "encode/columns_writer.h"

namespace tailrace {
namespace {

struct Unit {
  ColumnRun columns;
  std::vector<int> field_counts;  // of each writer
  std::vector<ColumnChoice> choices;
  std::vector<ColumnRun> runs;                          // of each writer
  std::vector<std::unique_ptr<ColumnsWriter>> writers;  // none before the first chunk
  std::vector<EncodedColumns> encoded;
};

class Units : public RowGroupUnits {
 public:
  Units(const PreparedSchema* schema, const ParquetOptions* options, arrow::MemoryPool* pool, ChoiceBasis basis,
        const Division& division)
      : schema_(schema), options_(options), pool_(pool), basis_(std::move(basis)) {
    const ColumnRun all = WholeRun(*schema);
    int field = 0;
    for (const UnitFields& fields : division) {
      int count = 0;
      for (const int writer : fields.field_counts) count += writer;
      units_.push_back({.columns = PartOf(all, field, count), .field_counts = fields.field_counts});
      field += count;
    }
  }

  size_t size() const override { return units_.size(); }

  Status Write(size_t index, const arrow::RecordBatch& chunk) override {
    Unit& unit = units_[index];
    if (unit.writers.empty()) ARROW_RETURN_NOT_OK(Start(chunk, &unit));
    for (size_t i = 0; i < unit.writers.size(); ++i) {
      ARROW_RETURN_NOT_OK(unit.writers[i]->Write(*ColumnsOf(chunk, unit.runs[i])));
    }
    return Status::OK();
  }

  Status Finish(size_t index) override {
    Unit& unit = units_[index];
    for (auto& writer : unit.writers) {
      ARROW_ASSIGN_OR_RAISE(EncodedColumns encoded, writer->Finish());
      unit.encoded.push_back(std::move(encoded));
      writer.reset();
    }
    return Status::OK();
  }

  Result<EncodedRowGroup> Assemble() override {
    std::vector<EncodedColumns> columns;
    std::vector<ColumnChoice> choices;
    for (Unit& unit : units_) {
      std::move(unit.encoded.begin(), unit.encoded.end(), std::back_inserter(columns));
      std::move(unit.choices.begin(), unit.choices.end(), std::back_inserter(choices));
    }
    ARROW_ASSIGN_OR_RAISE(EncodedRowGroup out, AssembleRowGroup(std::move(columns), schema_->leaves, *options_));
    out.entry.choices = std::move(choices);
    return out;
  }

 private:
  Status Start(const arrow::RecordBatch& first_chunk, Unit* unit) const {
    ARROW_ASSIGN_OR_RAISE(
        unit->choices, ChooseColumns(*ColumnsOf(first_chunk, unit->columns), unit->columns, *options_, basis_, pool_));
    int field = unit->columns.first_field;
    for (const int fields : unit->field_counts) {
      const ColumnRun run = PartOf(unit->columns, field, fields);
      std::vector<ColumnChoice> choices;
      if (!unit->choices.empty()) {
        const auto first = unit->choices.begin() + static_cast<ptrdiff_t>(run.first_leaf - unit->columns.first_leaf);
        choices.assign(first, first + static_cast<ptrdiff_t>(run.leaves.size()));
      }
      ARROW_ASSIGN_OR_RAISE(auto writer, ColumnsWriter::Make(run, choices, *options_, pool_));
      unit->writers.push_back(std::move(writer));
      unit->runs.push_back(run);
      field += fields;
    }
    return Status::OK();
  }

  const PreparedSchema* const schema_;
  const ParquetOptions* const options_;
  arrow::MemoryPool* const pool_;
  const ChoiceBasis basis_;
  std::vector<Unit> units_;
};

}  // namespace

Result<std::unique_ptr<RowGroupUnits>> RowGroupUnits::Make(const PreparedSchema* schema, const ParquetOptions* options,
                                                           arrow::MemoryPool* pool,
                                                           const arrow::RecordBatch& first_chunk,
                                                           const RowGroupEntry* two_before, const Division& division) {
  ARROW_ASSIGN_OR_RAISE(ChoiceBasis basis, MakeChoiceBasis(first_chunk, schema->leaves.size(), *options, two_before));
  return std::make_unique<Units>(schema, options, pool, std::move(basis), division);
}

}  // namespace tailrace
