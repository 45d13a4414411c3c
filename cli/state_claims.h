// What state files say of uploads.
#pragma once

#include <string>
#include <vector>

#include "tailrace/error.h"
#include "tailrace/uploads.h"

namespace tailrace::cli {

// Of each file, and of each state and pending commit in each folder (not in folders below): those before the newest
// ("FILE.prev") too; none of writes that were marked as committed or aborted, which need no upload any more. kBadState
// for one that cannot be read, in a folder too: nobody could tell which upload needs to stay. Other files in a folder
// are passed over.
arrow::Result<std::vector<UploadClaim>> ReadClaims(const std::vector<std::string>& paths);

}  // namespace tailrace::cli
