#include <algorithm>
#include <filesystem>
#include <memory>

#include "base/environment.h"
#include "base/uuid.h"
#include "doctor/local_doctor.h"
#include "doctor/s3_doctor.h"
#include "store/posix_files.h"
#include "store/s3/s3_open.h"
#include "store/s3/s3_url.h"
#include "tailrace/doctor.h"

namespace tailrace {
namespace {

// What is refused on purpose, or looks as if it would pass, is asked for so often: a few seconds in all.
constexpr int kMaxAttempts = 3;

Result<StoreReport> ProbeS3Url(const std::string& url, const ProbeOptions& options, const std::string& random) {
  StoreOptions store = options.store;
  store.profile.reset();
  store.limits.reset();
  if (!store.s3.lock_mode.empty() || store.s3.lock_until || store.s3.legal_hold) {
    return MakeError(ErrorKind::kInvalid,
                     "a store is not probed with an object lock: what is locked cannot be removed");
  }
  store.s3.max_attempts = std::min(store.s3.max_attempts, kMaxAttempts);
  ARROW_ASSIGN_OR_RAISE(const StoreAndKey at, OpenS3Url(url, store, ProcessEnvironment()));
  const S3Context context = std::static_pointer_cast<S3Store>(at.store)->context();
  return ProbeS3(context, at.key, random,
                 {.checksum_is_asked = store.s3.checksum.has_value(), .quick = options.quick, .stop = options.stop});
}

// "/data" of "file:///data", "file:///data/", "data" and "data/".
Result<std::string> FolderOf(std::string url) {
  while (url.ends_with('/') && url.size() > 1 && !url.ends_with(":///")) url.pop_back();
  // The root itself has no name of its own.
  const bool is_root = url == "/" || url.ends_with(":///");
  ARROW_ASSIGN_OR_RAISE(const StoreAndKey at, OpenStore(is_root ? url + "x" : url == "." ? "./x" : url));
  std::string path = "/" + at.key;
  if (is_root || url == ".") path = std::filesystem::path(path).parent_path().string();
  return path;
}

}  // namespace

Result<StoreReport> ProbeStore(const std::string& url, const ProbeOptions& options) {
  const std::string random = MakeInstanceId().substr(0, 16);
  if (LooksLikeS3Url(url)) return ProbeS3Url(url, options, random);
  ARROW_ASSIGN_OR_RAISE(const std::string folder, FolderOf(url));
  return ProbeFolder(PosixFiles::Get(), folder, random, options.stop);
}

}  // namespace tailrace
