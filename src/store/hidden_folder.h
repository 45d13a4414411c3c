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

// The same refusals as far as they can be told without making anything.
Status CheckPlace(FileCalls* files, const LocalPlace& place, bool create_folders);

// Makes the name of the target durable and, if `ancestors`, the folders above it on the same device, which this or
// another process may have made without syncing them.
Status SyncTargetFolder(FileCalls* files, const LocalPlace& place, bool ancestors);
// The same, and the names of uploads.
Status SyncFolders(FileCalls* files, const LocalPlace& place, bool ancestors);

// Removes names in the hidden folder that the published `object` still has (whoever published it was killed between
// link and unlink, or is about to unlink) and makes it durable that they are gone. REQUIRES: the target's name is.
Status SettleHiddenFolder(FileCalls* files, const LocalPlace& place, const FileFacts& object);

}  // namespace tailrace
