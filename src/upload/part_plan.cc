#include "upload/part_plan.h"

#include <algorithm>
#include <limits>
#include <string>

namespace tailrace {
namespace {

// What a file of unknown size may grow to, where the store takes it. To plan for the 48.8 TiB that some take would make
// the parts of every file longer.
constexpr int64_t kUnknownSizeBytes = int64_t{5} << 40;
// Lengths change this often before the part numbers are used up.
constexpr int kSteps = 100;

int64_t Sum(int64_t a, int64_t b) {
  int64_t sum;
  return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<int64_t>::max() : sum;
}

// A round number of bytes, at least `bytes`.
int64_t RoundUp(int64_t bytes) {
  const int64_t unit = bytes >= int64_t{1} << 20 ? int64_t{1} << 20 : bytes >= 1024 ? 1024 : 1;
  return (bytes + unit - 1) / unit * unit;
}

class Planner {
 public:
  explicit Planner(const PartPlanQuestion& question)
      : q_(question), longest_(std::min(question.limits.max_part_bytes, question.memory_part_bytes)) {}

  Result<PartLengths> Run() const {
    if (q_.growing_parts && q_.limits.equal_parts) {
      return MakeError(ErrorKind::kInvalid,
                       "growing_parts: this store takes parts of one length only (equal_parts); give expected_bytes "
                       "instead, so that all parts are as long as the file needs");
    }
    if (q_.expected_bytes > q_.limits.max_object_bytes) {
      return MakeError(ErrorKind::kLimit, Expected() + " is more than the store takes in one object: " +
                                              std::to_string(q_.limits.max_object_bytes) + " (max_object_bytes)");
    }
    const PartLengths equal{q_.part_size_bytes};
    if (q_.growing_parts) {
      const PartLengths growing = Growing(Holds(equal, Wanted()) ? OfUnknownSize() : Wanted());
      if (Holds(growing, Needed())) return growing;
      const PartLengths steeper = Mildest(Needed(), longest_);
      if (Holds(steeper, Needed())) return steeper;
    }
    if (Holds(equal, Wanted())) return equal;
    const int64_t length = LengthOfEqual(Wanted());
    if (length <= longest_) return PartLengths{length};
    if (Holds(PartLengths{longest_}, Needed())) return PartLengths{longest_};
    return Refuse();
  }

 private:
  std::string Expected() const { return "expected_bytes = " + std::to_string(q_.expected_bytes); }

  // Half as much again as is expected, since expectations err.
  int64_t Wanted() const {
    if (q_.expected_bytes == 0) return 0;
    const int64_t wanted = Sum(Sum(q_.expected_bytes, q_.expected_bytes / 2), q_.margin_bytes);
    return std::min(wanted, q_.limits.max_object_bytes);
  }

  int64_t Needed() const {
    if (q_.expected_bytes == 0) return 0;
    const int64_t needed = Sum(Sum(q_.expected_bytes, q_.expected_bytes / 64), q_.margin_bytes);
    return std::min(needed, q_.limits.max_object_bytes);
  }

  // Of growth that reaches the longest part with the last number, as a third of all parts of that length would hold.
  int64_t OfUnknownSize() const {
    const int64_t third = PartLengths{q_.limits.max_part_bytes}.BytesOf(q_.limits.max_parts) / 3;
    return std::min({kUnknownSizeBytes, q_.limits.max_object_bytes, third});
  }

  bool Holds(const PartLengths& lengths, int64_t bytes) const { return lengths.BytesOf(q_.limits.max_parts) >= bytes; }

  int64_t LengthOfEqual(int64_t bytes) const {
    const int64_t parts = q_.limits.max_parts;
    return std::max(q_.part_size_bytes, RoundUp(bytes / parts + (bytes % parts > 0 ? 1 : 0)));
  }

  // The mildest growth, up to `longest`, that holds `bytes`, or the steepest where none does.
  PartLengths Mildest(int64_t bytes, int64_t longest) const {
    if (longest <= q_.part_size_bytes) return PartLengths{q_.part_size_bytes};
    PartLengths lengths{.part_size_bytes = q_.part_size_bytes,
                        .step_parts = std::max(1, q_.limits.max_parts / kSteps),
                        .growth_bytes = 1,
                        .largest_bytes = longest};
    int64_t too_little = 0, enough = longest - q_.part_size_bytes;
    while (enough - too_little > 1) {
      lengths.growth_bytes = too_little + (enough - too_little) / 2;
      (Holds(lengths, bytes) ? enough : too_little) = lengths.growth_bytes;
    }
    lengths.growth_bytes = enough;
    return lengths;
  }

  // As if there were memory enough, so that little of it does not make the first parts longer.
  PartLengths Growing(int64_t bytes) const {
    PartLengths lengths = Mildest(bytes, q_.limits.max_part_bytes);
    if (!lengths.grows() || longest_ <= q_.part_size_bytes) return PartLengths{q_.part_size_bytes};
    lengths.largest_bytes = std::min(lengths.largest_bytes, longest_);
    return lengths;
  }

  Status Refuse() const {
    const int64_t length = LengthOfEqual(Needed());
    const std::string parts = Expected() + " takes " + std::to_string(q_.limits.max_parts) +
                              " parts (max_parts) of at least " + std::to_string(length) + " bytes";
    if (length > q_.limits.max_part_bytes) {
      return MakeError(ErrorKind::kLimit, parts + "; the store takes parts of at most " +
                                              std::to_string(q_.limits.max_part_bytes) + " (max_part_bytes)");
    }
    const int64_t more = 2 * (length - q_.memory_part_bytes);
    return MakeError(ErrorKind::kInvalid, parts + ", and memory_budget_bytes has room for two of " +
                                              std::to_string(q_.memory_part_bytes) + ": it must be at least " +
                                              std::to_string(more) + " more, or row_group_bytes less");
  }

  const PartPlanQuestion& q_;
  const int64_t longest_;
};

}  // namespace

Result<PartLengths> PlanParts(const PartPlanQuestion& question) { return Planner(question).Run(); }

}  // namespace tailrace
