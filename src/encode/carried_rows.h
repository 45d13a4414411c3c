// The rows of an open row group as a state carries them: compressed Arrow IPC messages, one for each chunk.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include <arrow/result.h>
#include <arrow/type_fwd.h>

#include "encode/prepared_schema.h"
#include "tailrace/error.h"
#include "tailrace/options.h"
#include "tailrace/state.h"

namespace tailrace {

using arrow::Result;

// Packs chunks and unpacks them again. Thread-safe.
class CarriedCodec {
 public:
  // `encoded`: PreparedSchema::encoded.
  explicit CarriedCodec(std::shared_ptr<arrow::Schema> encoded);

  // `rows`, of the schema, as one message. Views become plain text and bytes, and only what the rows refer to is
  // stored, so that equal rows take as much however they lie in memory (values below nulls apart, which stay). What it
  // takes on the way comes from `pool`: twice the rows without compression.
  Result<std::string> Pack(const arrow::RecordBatch& rows, arrow::MemoryPool* pool) const;
  // kBadState where the chunk does not hold its number of rows of the schema, all of them fit for the file.
  Result<std::shared_ptr<arrow::RecordBatch>> Unpack(const CarriedChunk& chunk) const;

 private:
  const std::shared_ptr<arrow::Schema> encoded_;
  const std::shared_ptr<arrow::Schema> stored_;  // of the messages
};

// That every chunk can be unpacked and all of them together leave their row group open; kBadState else.
Status CheckCarriedRows(const CarriedRows& carried, const PreparedSchema& schema, const ParquetOptions& options);

}  // namespace tailrace
