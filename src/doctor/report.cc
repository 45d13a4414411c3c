#include <algorithm>

#include "tailrace/doctor.h"

namespace tailrace {

std::string_view VerdictName(Verdict verdict) {
  switch (verdict) {
    case Verdict::kGood:
      return "good";
    case Verdict::kNote:
      return "note";
    case Verdict::kWarning:
      return "warning";
    case Verdict::kFatal:
      return "fatal";
    case Verdict::kUnknown:
      break;
  }
  return "unknown";
}

const Finding* StoreReport::Find(const std::string& name) const {
  const auto found =
      std::find_if(findings.begin(), findings.end(), [&](const Finding& one) { return one.name == name; });
  return found == findings.end() ? nullptr : &*found;
}

Verdict StoreReport::worst() const {
  constexpr Verdict kOrder[] = {Verdict::kFatal, Verdict::kWarning, Verdict::kUnknown, Verdict::kNote};
  for (const Verdict verdict : kOrder) {
    const auto has = [verdict](const Finding& one) { return one.verdict == verdict; };
    if (std::any_of(findings.begin(), findings.end(), has)) return verdict;
  }
  return Verdict::kGood;
}

bool StoreReport::can_write() const {
  const Finding* const write = Find(profile.kind == "file" ? "write" : "upload");
  return write != nullptr && write->verdict == Verdict::kGood && worst() != Verdict::kFatal;
}

}  // namespace tailrace
