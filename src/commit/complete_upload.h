// Completes an upload and finds out what became of it: the one place that settles lost and odd answers to Complete.
#pragma once

#include <functional>
#include <vector>

#include "settle/identity.h"
#include "tailrace/commit.h"
#include "tailrace/store.h"

namespace tailrace {

struct CompleteRequest {
  MultipartStore* store = nullptr;
  std::string key;
  Upload* upload = nullptr;
  std::vector<PartReceipt> parts;
  PutCondition condition;
  ExpectedObject expected;
  SettleRules rules;
  // Stores part `number` again, from bytes that the caller holds; empty result where it does not hold them.
  std::function<std::optional<Result<PartReceipt>>(int number)> put_again;
};

struct Completed {
  ObjectMeta meta;
  bool found_there = false;  // it was not this call that made it
};

// OK only when the object is known to be there, whole, ours and durable. See Finish for the errors.
Result<Completed> CompleteAndSettle(CompleteRequest request);

}  // namespace tailrace
