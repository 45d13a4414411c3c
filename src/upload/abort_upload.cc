#include "upload/abort_upload.h"

namespace tailrace {

namespace {
constexpr int kRounds = 3;
}  // namespace

Status AbortUntilGone(Upload* upload) {
  for (int round = 0; round < kRounds; ++round) {
    Status aborted = upload->Abort();
    if (round > 0 && !aborted.ok() && KindOf(aborted) == ErrorKind::kUploadGone) break;
    ARROW_RETURN_NOT_OK(aborted);
    if (!upload->ListParts({}).ok()) break;
  }
  return Status::OK();
}

}  // namespace tailrace
