#include "c/store_options.h"

#include <initializer_list>
#include <utility>

#include "c/fields.h"
#include "c/s3_options.h"
#include "c/structs.h"

namespace tailrace::c {
namespace {

constexpr std::initializer_list<std::pair<int32_t, StrayParts>> kStrayParts = {
    {TAILRACE_STRAY_PARTS_UNKNOWN, StrayParts::kUnknown},
    {TAILRACE_STRAY_PARTS_LEFT_OUT, StrayParts::kLeftOut},
    {TAILRACE_STRAY_PARTS_REFUSED, StrayParts::kRefused},
};

tailrace_store_limits ToC(const StoreLimits& limits) {
  tailrace_store_limits out{};
  out.struct_size = sizeof out;
  out.min_part_bytes = limits.min_part_bytes;
  out.max_part_bytes = limits.max_part_bytes;
  out.max_parts = limits.max_parts;
  out.max_object_bytes = limits.max_object_bytes;
  out.max_put_bytes = limits.max_put_bytes;
  out.checks_part_etags = limits.checks_part_etags;
  for (const auto& [number, stray_parts] : kStrayParts) {
    if (stray_parts == limits.stray_parts) out.stray_parts = number;
  }
  out.conditional_put = limits.conditional_put;
  out.reads_settle_at_once = limits.reads_settle_at_once;
  out.equal_parts = limits.equal_parts;
  return out;
}

Result<StoreLimits> ReadLimits(const tailrace_store_limits* given) {
  tailrace_store_limits read = ToC(StoreLimits());
  ARROW_RETURN_NOT_OK(ReadStruct(given, "tailrace_store_limits", &read));
  StoreLimits limits;
  limits.min_part_bytes = read.min_part_bytes;
  limits.max_part_bytes = read.max_part_bytes;
  ARROW_RETURN_NOT_OK(ReadInt("max_parts", read.max_parts, &limits.max_parts));
  limits.max_object_bytes = read.max_object_bytes;
  limits.max_put_bytes = read.max_put_bytes;
  ARROW_RETURN_NOT_OK(ReadFlag("checks_part_etags", read.checks_part_etags, &limits.checks_part_etags));
  ARROW_RETURN_NOT_OK(ReadChoice("stray_parts", read.stray_parts, kStrayParts, &limits.stray_parts));
  ARROW_RETURN_NOT_OK(ReadFlag("conditional_put", read.conditional_put, &limits.conditional_put));
  ARROW_RETURN_NOT_OK(ReadFlag("reads_settle_at_once", read.reads_settle_at_once, &limits.reads_settle_at_once));
  ARROW_RETURN_NOT_OK(ReadFlag("equal_parts", read.equal_parts, &limits.equal_parts));
  return limits;
}

tailrace_store_options StoreDefaults() {
  tailrace_store_options defaults{};
  defaults.struct_size = sizeof defaults;
  defaults.create_folders = StoreOptions().create_folders;
  return defaults;
}

}  // namespace

Result<StoreOptions> ReadStoreOptions(const tailrace_store_options* given) {
  tailrace_store_options read = StoreDefaults();
  const Status whole = ReadStruct(given, "tailrace_store_options", &read);
  StoreOptions options;
  // First, so that the context of a callback has its owner whatever fails.
  ARROW_ASSIGN_OR_RAISE(options.s3, ReadS3Options(read.s3));
  ARROW_RETURN_NOT_OK(whole);
  ARROW_RETURN_NOT_OK(ReadFlag("create_folders", read.create_folders, &options.create_folders));
  if (read.limits != nullptr) {
    ARROW_ASSIGN_OR_RAISE(options.limits, ReadLimits(read.limits));
  }
  if (read.profile != nullptr) {
    ARROW_ASSIGN_OR_RAISE(options.profile, LoadStoreProfile(read.profile));
  }
  return options;
}

Status WriteLimits(const StoreLimits& limits, tailrace_store_limits* out) {
  ARROW_ASSIGN_OR_RAISE(const size_t size, StructSize(out, "tailrace_store_limits"));
  InitStruct(ToC(limits), out, size);
  return Status::OK();
}

}  // namespace tailrace::c

extern "C" {

void tailrace_store_limits_init(tailrace_store_limits* limits, size_t struct_size) {
  tailrace::c::InitStruct(tailrace::c::ToC(tailrace::StoreLimits()), limits, struct_size);
}

void tailrace_store_options_init(tailrace_store_options* options, size_t struct_size) {
  tailrace::c::InitStruct(tailrace::c::StoreDefaults(), options, struct_size);
}

}  // extern "C"
