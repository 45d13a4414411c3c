// The probe of an S3 store.
#pragma once

#include <functional>
#include <string>

#include <arrow/result.h>

#include "store/s3/s3_store.h"
#include "tailrace/doctor.h"

namespace tailrace {

struct S3DoctorOptions {
  bool checksum_is_asked = false;  // by the options of the store
  bool quick = false;
  std::function<bool()> stop;  // may be empty
};

// Below `prefix`, with a name that ends in `random`. An error only where the store does not answer at all.
Result<StoreReport> ProbeS3(const S3Context& context, const std::string& prefix, const std::string& random,
                            const S3DoctorOptions& options);

}  // namespace tailrace
