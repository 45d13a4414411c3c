// Reads the footer of a Parquet object by ranged requests.
#pragma once

#include <string>

#include <arrow/result.h>

#include "tailrace/store.h"

namespace tailrace {

// The thrift FileMetaData of the object that `meta` describes. kInvalid where it is no Parquet file; kPrecondition
// where it was replaced meanwhile; other errors are the store's.
Result<std::string> ReadObjectFooter(ObjectStore* store, const std::string& key, const ObjectMeta& meta);

}  // namespace tailrace
