// What differs between stores, as data.
#pragma once

#include <cstdint>

namespace tailrace {

// What a store does with stored parts that Complete does not name: those that a lost process left behind.
enum class StrayParts {
  kUnknown,  // nobody has said: a refused Complete will tell
  kLeftOut,
  kRefused,  // Complete has to name all of them
};

// Known before anything is written, so that limits are refused while the write can still be completed.
struct StoreLimits {
  int64_t min_part_bytes = 1;  // for all parts but the last
  int64_t max_part_bytes = int64_t{5} << 30;
  int max_parts = 10000;
  int64_t max_object_bytes = int64_t{5} << 40;
  int64_t max_put_bytes = int64_t{5} << 30;  // of a single Put
  bool checks_part_etags = true;             // Complete refuses a part that was replaced after its receipt
  StrayParts stray_parts = StrayParts::kUnknown;
  bool equal_parts = false;           // all parts but the last must be of one length
  bool conditional_put = true;        // PutCondition is honoured by Put and Complete
  bool reads_settle_at_once = false;  // an object that Head does not see now will not turn up in seconds
  friend bool operator==(const StoreLimits&, const StoreLimits&) = default;
};

}  // namespace tailrace
