#include "encode/misfit.h"

#include <cstring>

#include "encode/utf8.h"

namespace tailrace {
namespace {

constexpr char kTypeId[] = "tailrace::MisfitDetail";

}  // namespace

const char* MisfitDetail::type_id() const { return kTypeId; }

const MisfitDetail* MisfitOf(const Status& status) {
  const arrow::StatusDetail* detail = status.ok() ? nullptr : status.detail().get();
  if (detail == nullptr || std::strcmp(detail->type_id(), kTypeId) != 0) return nullptr;
  return static_cast<const MisfitDetail*>(detail);
}

Status Misfit(ErrorKind kind, int64_t slot, std::string what) {
  return Status(arrow::StatusCode::Invalid, std::move(what), std::make_shared<MisfitDetail>(kind, slot, ""));
}

Status DescribeMisfit(const Status& status, const std::string& column, int64_t first_row) {
  if (status.ok()) return status;
  const MisfitDetail* misfit = MisfitOf(status);
  if (misfit == nullptr) return WithContext(status, "column " + Printable(column));
  return MakeError(misfit->kind, "column " + Printable(column + misfit->path) + ", row " +
                                     std::to_string(first_row + misfit->slot) + ": " + status.message());
}

}  // namespace tailrace
