#include "tailrace/store_profile.h"

namespace tailrace {
namespace {

std::string NameOfStore(const std::string& endpoint, const std::string& bucket) {
  return "bucket '" + bucket + "' at " + (endpoint.empty() ? "AWS" : endpoint);
}

}  // namespace

Status StoreProfile::CheckIsFor(const Target& target) const {
  std::string ours;
  if (kind == "file") {
    const std::string prefix = folder.ends_with('/') ? folder : folder + "/";
    if (target.kind == "file" && ("/" + target.key).starts_with(prefix)) return Status::OK();
    ours = "the folder '" + folder + "'";
  } else {
    if (target.kind == kind && target.endpoint == endpoint && target.bucket == bucket) return Status::OK();
    ours = NameOfStore(endpoint, bucket);
  }
  const std::string theirs =
      target.kind == "s3" ? NameOfStore(target.endpoint, target.bucket) : "'/" + target.key + "'";
  return MakeError(ErrorKind::kInvalid, "store profile: it was made for " + ours + ", not for " + theirs +
                                            ": probe that store with `tailrace doctor`");
}

}  // namespace tailrace
