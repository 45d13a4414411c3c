#include "upload/abort_upload.h"

namespace tailrace {

namespace {
constexpr int kRounds = 3;
}  // namespace

Status AbortUntilGone(Upload* upload) {
  for (int round = 0; round < kRounds; ++round) {
    ARROW_RETURN_NOT_OK(upload->Abort());
    if (!upload->ListParts({}).ok()) break;
  }
  return Status::OK();
}

}  // namespace tailrace
