// Gives a finished upload file its name: the one moment at which an object appears.
#pragma once

#include "store/upload_file.h"
#include "tailrace/object.h"

namespace tailrace {

// kPrecondition where `condition` does not hold now. if_match_etag is only checked here, if_absent once more by the
// rename itself.
Status CheckCondition(FileCalls* files, const LocalPlace& place, const PutCondition& condition);

// Renames `file`, whose bytes are synced, to the target and syncs both folders (and those above, if `sync_ancestors`).
// Safe to repeat: where the target is this very file already, only what is missing is done. After an error the object
// may be visible.
Status Publish(FileCalls* files, const LocalPlace& place, UploadFile* file, const PutCondition& condition,
               bool sync_ancestors);

}  // namespace tailrace
