// A schema, checked and made ready for encoding.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <arrow/result.h>
#include <arrow/type_fwd.h>

#include "encode/leaf_columns.h"
#include "tailrace/error.h"
#include "tailrace/options.h"
#include "tailrace/state.h"

namespace tailrace {

using arrow::Result;

struct PreparedSchema {
  std::shared_ptr<arrow::Schema> input;  // as given (text_not_utf8 apart); kept in the file's ARROW:schema
  std::shared_ptr<arrow::Schema>
      encoded;                  // what libparquet gets (encoded_type.h): dictionaries replaced by their values
  std::string schema_ipc;       // `input` as an encapsulated IPC message
  std::string footer_template;  // thrift FileMetaData of the file without rows, user metadata included
  std::vector<LeafColumn> leaves;
};

// kInvalid names the field path: duplicate names among siblings, empty struct, a type that Parquet cannot hold or that
// would come back as another, a name that is not UTF-8; or the option: reserved or duplicate metadata keys, columns
// that do not exist, a version that lacks a type. Reserved keys in the schema's own metadata are dropped: they are what
// another file, from which it was read, said about itself.
Result<PreparedSchema> PrepareSchema(const std::shared_ptr<arrow::Schema>& schema, const ParquetOptions& options);
// The same from a state. kBadState where its bytes make no sense.
Result<PreparedSchema> RestoreSchema(const ParquetContent& content);
// "parquet-cpp-arrow version 26.0.1"
std::string EncoderVersion();

}  // namespace tailrace
