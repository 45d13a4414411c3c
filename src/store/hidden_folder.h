// The folders that an upload needs: made, checked, and synced.
#pragma once

#include "store/file_calls.h"
#include "store/local_place.h"

namespace tailrace {

// Makes the hidden folder of `place` where it is missing, with the permissions of the folder it lies in, so that
// whoever may write there may write here. Refuses what is known to fail later: the target is a folder; its folder is
// missing (kNotFound; made with its parents if `create_folders`) or may not be written; the hidden folder is something
// else or on another device.
Status PrepareFolders(FileCalls* files, const LocalPlace& place, bool create_folders);

// Makes the names on the way to `place` durable: hidden folder, folder and, if `ancestors`, the folders above it on the
// same device, which this or another process may have made without syncing them.
Status SyncFolders(FileCalls* files, const LocalPlace& place, bool ancestors);

}  // namespace tailrace
