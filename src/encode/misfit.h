// A value that cannot go into a file, on its way up from where it was found to the row and column that hold it.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "tailrace/error.h"

namespace tailrace {

// A failed status that knows the slot of the array that the failing function was given.
Status Misfit(ErrorKind kind, int64_t slot, std::string what);
// Turns the misfit of a child into one of its parent: `path` is put before the child's, and `to_parent` maps the slot.
// Other failures stay.
template <typename ToParent>
Status LiftMisfit(const Status& status, const std::string& path, ToParent&& to_parent);
// "column c.d, row 17: what", with the misfit's kind. Other failures get the column alone.
Status DescribeMisfit(const Status& status, const std::string& column, int64_t first_row);

class MisfitDetail : public arrow::StatusDetail {
 public:
  MisfitDetail(ErrorKind kind, int64_t slot, std::string path) : kind(kind), slot(slot), path(std::move(path)) {}
  const char* type_id() const override;
  std::string ToString() const override { return "misfit"; }

  const ErrorKind kind;
  const int64_t slot;
  const std::string path;
};
const MisfitDetail* MisfitOf(const Status& status);

template <typename ToParent>
Status LiftMisfit(const Status& status, const std::string& path, ToParent&& to_parent) {
  const MisfitDetail* misfit = MisfitOf(status);
  if (misfit == nullptr) return status;
  return Status(status.code(), status.message(),
                std::make_shared<MisfitDetail>(misfit->kind, to_parent(misfit->slot), path + misfit->path));
}

}  // namespace tailrace
