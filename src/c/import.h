// Arrow C Data that a call was given, as batches and schemas of the library. Nothing is copied.
#pragma once

#include <memory>

#include <arrow/result.h>
#include <arrow/type_fwd.h>

#include "tailrace/error.h"
#include "tailrace/tailrace.h"

namespace tailrace::c {

using arrow::Result;

// Owns an Arrow struct that a call took over: releases it at the end of the call, unless somebody moved it out.
template <typename Struct>
class Taken {
 public:
  explicit Taken(Struct* given) : given_(given) {}
  ~Taken() {
    if (present()) given_->release(given_);
  }
  Taken(const Taken&) = delete;
  Taken& operator=(const Taken&) = delete;

  bool present() const { return given_ != nullptr && given_->release != nullptr; }
  Struct* get() const { return given_; }

 private:
  Struct* const given_;
};

Result<std::shared_ptr<arrow::Schema>> ImportSchema(const Taken<ArrowSchema>& schema);
// `type` absent: the batch is of `schema`. kInvalid for a batch with nulls of its own or with other columns.
Result<std::shared_ptr<arrow::RecordBatch>> ImportBatch(const Taken<ArrowArray>& batch, const Taken<ArrowSchema>& type,
                                                        const std::shared_ptr<arrow::Schema>& schema);
Status ExportSchema(const arrow::Schema& schema, ArrowSchema* out);

}  // namespace tailrace::c
