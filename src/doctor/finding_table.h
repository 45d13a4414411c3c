// Every answer that a probe can give, and what it means for a writer: one table, which docs/guide/doctor.md repeats.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "tailrace/doctor.h"

namespace tailrace {

struct FindingRow {
  std::string_view name;
  std::string_view answer;
  Verdict verdict = Verdict::kGood;
  std::string_view meaning;
};
std::span<const FindingRow> FindingRows();

// The finding of a row. `shown` stands for the answer where that is a number or a name. REQUIRES: the row exists.
Finding MakeFinding(std::string_view name, std::string_view answer, std::string cause = {}, std::string shown = {});
// "not known" because of `cause`, which is not empty; "not asked" where it was left out on purpose.
Finding NotKnown(std::string_view name, std::string cause);
Finding NotAsked(std::string_view name, std::string cause);

}  // namespace tailrace
