// What libparquet is told, from our options. Included only by the files that talk to libparquet.
#pragma once

#include <exception>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include <parquet/exception.h>
#include <parquet/properties.h>

#include "encode/leaf_columns.h"
#include "tailrace/column_choice.h"
#include "tailrace/error.h"
#include "tailrace/options.h"

namespace tailrace {

// A dictionary that outgrows it gives way to plain pages.
inline constexpr int64_t kDictionaryPageBytes = int64_t{1} << 20;

// kInvalid where an option cannot be met: it names the option and its limits.
// `leaves` are those of the columns to be written, and checked (column_properties.h); none where only a schema is
// wanted. `choices` are one for each, or none. Sorting columns are left to whoever puts a row group together.
arrow::Result<std::shared_ptr<parquet::WriterProperties>> MakeWriterProperties(const ParquetOptions& options,
                                                                               const std::vector<LeafColumn>& leaves,
                                                                               const std::vector<ColumnChoice>& choices,
                                                                               arrow::MemoryPool* pool);

// For a trial of `encoding` on the columns of `paths`: their sizes are asked for, nothing else.
arrow::Result<std::shared_ptr<parquet::WriterProperties>> MakeTrialProperties(const ParquetOptions& options,
                                                                              const std::vector<std::string>& paths,
                                                                              ChunkEncoding encoding,
                                                                              arrow::MemoryPool* pool);

// A failed status of libparquet with a kind of ours. What AdaptBatch let through should not fail, so that anything but
// a lack of memory or a limit is a fault of ours.
Status FromEncoder(const Status& status);

// Runs `body`, which returns a Status or Result and may throw: libparquet's exceptions end here.
template <typename Body>
auto CatchEncoder(Body&& body) -> decltype(body()) {
  try {
    return body();
  } catch (const parquet::ParquetStatusException& error) {
    return FromEncoder(error.status());
  } catch (const std::bad_alloc&) {
    return Status::OutOfMemory("Parquet encoder: out of memory");
  } catch (const std::exception& error) {
    return MakeError(ErrorKind::kInternal, std::string("Parquet encoder: ") + error.what());
  }
}

}  // namespace tailrace
