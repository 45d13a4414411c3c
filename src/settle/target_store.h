// From the target in a state or pending commit to the store and key to work on.
#pragma once

#include <memory>
#include <string>

#include <arrow/result.h>

#include "tailrace/store.h"

namespace tailrace {

struct StoreChoice {
  std::shared_ptr<MultipartStore> store;  // nullptr: open the target's own
  std::string key;                        // empty: the target's
  bool retarget = false;
  // The target that is worked on for a value made for `target`; opens and checks nothing.
  Target TargetFor(const Target& target) const;
};
// Opens the target's store, or takes the given one; it then gives objects what `object` says. kBadState where the given
// store and key are another target and `retarget` is not set: a value must never be applied to an object that it was
// not made for.
Result<StoreAndKey> ChooseStore(const Target& target, const ObjectOptions& object, const StoreChoice& choice);

}  // namespace tailrace
