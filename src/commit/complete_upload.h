// Completes an upload and finds out what became of it: the one place that settles lost and odd answers to Complete.
#pragma once

#include <functional>
#include <vector>

#include "settle/identity.h"
#include "tailrace/commit.h"
#include "tailrace/options.h"
#include "tailrace/store.h"

namespace tailrace {

// What a commit asks of the key.
PutCondition ConditionOf(OverwritePolicy overwrite);

struct CompleteRequest {
  MultipartStore* store = nullptr;
  std::string key;
  Upload* upload = nullptr;
  std::vector<PartReceipt> parts;
  PutCondition condition;
  ExpectedObject expected;
  SettleRules rules;
  // After Complete was refused for a part: given what the store lists, the parts to name in the next try, some of them
  // maybe stored again; kFenced where one that nobody here holds was replaced.
  std::function<Result<std::vector<PartReceipt>>(const std::vector<PartReceipt>& listed)> mend;
};

struct Completed {
  ObjectMeta meta;
  bool found_there = false;  // it was not this call that made it
};

// OK only when the object is known to be there, whole, ours and durable. See Finish for the errors.
Result<Completed> CompleteAndSettle(CompleteRequest request);

}  // namespace tailrace
