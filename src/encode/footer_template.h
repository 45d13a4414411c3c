// The footer of a file without rows, from which every footer of that file is made.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <arrow/result.h>
#include <arrow/type_fwd.h>

#include "encode/footer_key_values.h"
#include "tailrace/error.h"
#include "tailrace/options.h"

namespace tailrace {

using arrow::Result;

// The thrift FileMetaData that libparquet writes for `encoded`, with `metadata` and then ARROW:schema, which is
// `schema_ipc`, as its key-value metadata. kInvalid, naming the column, where libparquet refuses a type.
Result<std::string> MakeFooterTemplate(const arrow::Schema& encoded, std::string_view schema_ipc, KeyValues metadata,
                                       const ParquetOptions& options);
// With an entry by which a file is known that was finished from a state with carried rows (ContentId).
Result<std::string> WithCarriedId(std::string_view footer_template, uint64_t id);
// The ARROW:schema of `footer_template` as an IPC message; kBadState where it is no template.
Result<std::string> SchemaOfTemplate(std::string_view footer_template);

}  // namespace tailrace
