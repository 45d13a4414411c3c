// The probe of a folder of the local store.
#pragma once

#include <functional>
#include <string>

#include <arrow/result.h>

#include "store/file_calls.h"
#include "tailrace/doctor.h"

namespace tailrace {

// `folder` is absolute and must be there: kNotFound, kInvalid for something else than a folder. `stop` may be empty.
// `random` ends the names of what is made.
Result<StoreReport> ProbeFolder(FileCalls* files, const std::string& folder, const std::string& random,
                                const std::function<bool()>& stop);

}  // namespace tailrace
