// Record batches of random rows, and the same rows in other batches.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <arrow/type_fwd.h>

#include "testing/random_arrays.h"

namespace tailrace {

// A column of each flat type that libparquet writes, most of them nullable.
std::shared_ptr<arrow::Schema> FlatSchema();
// Structs, lists, maps, and these within one another.
std::shared_ptr<arrow::Schema> NestedSchema();
// Dictionary columns of 32-bit indices, flat ones beside them.
std::shared_ptr<arrow::Schema> DictionarySchema();

// Depends on all arguments and nothing else. No column is like another, even of the same type.
std::shared_ptr<arrow::RecordBatch> MakeBatch(const std::shared_ptr<arrow::Schema>& schema, int64_t rows, uint64_t seed,
                                              const RandomShape& shape = {});

// How the same rows can lie in memory.
enum class RowStorage {
  kSlice,    // a view into the whole
  kAmid,     // a view into a copy that has other rows before and behind
  kRebuilt,  // new arrays; nothing below nulls, dictionaries in another order
};
std::shared_ptr<arrow::RecordBatch> StoreRows(const arrow::RecordBatch& batch, int64_t offset, int64_t rows,
                                              RowStorage storage);

// The rows of `batch` in batches of 0 to `max_rows` rows, each stored in a way of its own, at random by `seed`.
std::vector<std::shared_ptr<arrow::RecordBatch>> Rebatch(const arrow::RecordBatch& batch, int64_t max_rows,
                                                         uint64_t seed);

}  // namespace tailrace
