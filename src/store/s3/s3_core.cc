#include "store/s3/s3_core.h"

namespace tailrace {

Status S3Core::LookFirst(const std::string& key, PutCondition* condition) const {
  const bool wanted = condition->if_absent || !condition->if_match_etag.empty();
  if (!wanted || Limits().conditional_put) return Status::OK();
  if (condition->atomic) {
    return MakeError(ErrorKind::kInvalid, "object '" + key +
                                              "': this store is not known to honour conditions, and a look before "
                                              "is not atomic; a profile of it may tell otherwise (conditional_put)");
  }
  const Result<ObjectMeta> there = HeadObject(Context(), key);
  if (!there.ok() && KindOf(there.status()) != ErrorKind::kNotFound) {
    return WithContext(there.status(), "this store may ignore conditions, so the key is looked at first");
  }
  if (condition->if_absent && there.ok()) {
    return MakeError(ErrorKind::kPrecondition, "object '" + key + "' exists");
  }
  const std::string etag = there.ok() ? there->etag : "";
  if (!condition->if_match_etag.empty() && etag != condition->if_match_etag) {
    return MakeError(ErrorKind::kPrecondition, "object '" + key + "' " +
                                                   (there.ok() ? "has the etag " + etag : std::string("is absent")) +
                                                   ", not the etag " + condition->if_match_etag);
  }
  // If-Match is refused by one such store even where it holds, and Google means something else by both.
  condition->if_match_etag.clear();
  if (client->place().dialect == S3Dialect::kGcs) condition->if_absent = false;
  return Status::OK();
}

}  // namespace tailrace
