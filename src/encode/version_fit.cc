#include "encode/version_fit.h"

#include <string>

#include <arrow/extension_type.h>
#include <arrow/type.h>
#include <arrow/util/checked_cast.h>

#include "encode/encoded_type.h"

namespace tailrace {
namespace {

using arrow::internal::checked_cast;

Status Refuse(const std::string& path, const arrow::DataType& type, const std::string& why) {
  return MakeError(ErrorKind::kInvalid, "column " + path + " of type " + type.ToString() + ": version: " + why);
}

Status CheckType(const arrow::DataType& type, const std::string& path, ParquetVersion version) {
  if (type.id() == arrow::Type::EXTENSION) {
    return CheckType(*checked_cast<const arrow::ExtensionType&>(type).storage_type(), path, version);
  }
  if (type.id() == arrow::Type::UINT32 && version == ParquetVersion::k1_0) {
    return Refuse(path, type, "Parquet 1.0 has no unsigned integers; it would come back as int64");
  }
  if (type.id() == arrow::Type::TIMESTAMP && version != ParquetVersion::k2_6 &&
      checked_cast<const arrow::TimestampType&>(type).unit() == arrow::TimeUnit::NANO) {
    return Refuse(path, type, "Parquet before 2.6 has no nanoseconds; it would come back in microseconds");
  }
  for (int i = 0; i < type.num_fields(); ++i) {
    ARROW_RETURN_NOT_OK(CheckType(*type.field(i)->type(), ChildPath(path, type, i), version));
  }
  return Status::OK();
}

}  // namespace

Status CheckVersionHolds(const arrow::Schema& encoded, ParquetVersion version) {
  for (const auto& field : encoded.fields()) ARROW_RETURN_NOT_OK(CheckType(*field->type(), field->name(), version));
  return Status::OK();
}

}  // namespace tailrace
