// Arrays of random values of any type that a Parquet file can hold, the same for the same seed.
#pragma once

#include <cstdint>
#include <memory>

#include <arrow/type_fwd.h>

namespace tailrace {

struct RandomShape {
  double null_share = 0.1;      // of nullable slots
  int64_t distinct = 0;         // how many values there are of each type; 0: no bound
  int64_t max_list_length = 4;  // lists and maps
  int64_t max_string_bytes = 24;
  // Lists and structs that are null keep what was in them, as Arrow allows and some producers do.
  bool values_below_nulls = true;
};

// Floats are sometimes NaN, infinite or minus zero; strings sometimes empty, and not only ASCII.
std::shared_ptr<arrow::Array> RandomArray(const arrow::Field& field, int64_t length, uint64_t seed,
                                          const RandomShape& shape = {});

}  // namespace tailrace
