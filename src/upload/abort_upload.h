// Aborts an upload for good.
#pragma once

#include "tailrace/store.h"

namespace tailrace {

// Aborts, and aborts again while parts are still listed, a few times at most: on some stores a part that was under way
// is stored after the first abort. A listing that is denied or finds no upload ends it. kUploadGone where it was gone
// before, from stores that are told so. REQUIRES: no request of ours is under way.
Status AbortUntilGone(Upload* upload);

}  // namespace tailrace
