#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <memory>

#include "base/environment.h"
#include "store/file_error.h"
#include "store/local_place.h"
#include "store/local_store.h"
#include "store/s3/s3_open.h"
#include "store/s3/s3_url.h"
#include "store/store_url.h"
#include "tailrace/store.h"

namespace tailrace {
namespace {

Result<std::string> WorkingFolder() {
  const std::unique_ptr<char, decltype(&std::free)> path(::getcwd(nullptr, 0), &std::free);
  // "(unreachable)..." is what the kernel says of a folder outside of this process's root.
  if (path == nullptr || path.get()[0] != '/') return FileError("find the working folder of", "this process", errno);
  return std::string(path.get());
}

}  // namespace

Result<StoreAndKey> OpenStore(const std::string& url, const StoreOptions& options) {
  if (LooksLikeS3Url(url)) return OpenS3Url(url, options, ProcessEnvironment());
  std::string working_folder;
  const bool relative = !url.starts_with('/');
  if (relative) {
    ARROW_ASSIGN_OR_RAISE(working_folder, WorkingFolder());
  }
  ARROW_ASSIGN_OR_RAISE(std::string key, LocalKeyOf(url, working_folder));
  // Now rather than at the first call.
  ARROW_RETURN_NOT_OK(LocalPlace::Of(key));
  std::shared_ptr<LocalStore> store = LocalStore::Make(options);
  if (options.profile) ARROW_RETURN_NOT_OK(options.profile->CheckIsFor(store->TargetOf(key)));
  return StoreAndKey{std::move(store), std::move(key)};
}

Result<StoreAndKey> OpenTarget(const Target& target, const StoreOptions& options) {
  if (target.kind == "s3") return OpenS3Target(target, options, ProcessEnvironment());
  return OpenStore(target.ToUrl(), options);
}

}  // namespace tailrace
