#include "cli/state_claims.h"

#include <algorithm>
#include <filesystem>

#include "cli/state_file.h"

namespace tailrace::cli {

namespace {

namespace fs = std::filesystem;

// A step of replacing a state file, never a state of its own.
constexpr std::string_view kStep = ".tmp";

Status AddClaim(const std::string& path, const std::string& bytes, std::vector<UploadClaim>* claims) {
  ARROW_ASSIGN_OR_RAISE(const BlobKind kind, KindOfBlob(bytes));
  UploadClaim claim;
  if (kind == BlobKind::kPendingCommit) {
    ARROW_ASSIGN_OR_RAISE(const PendingCommit pending, PendingCommit::FromBytes(bytes));
    claim = ClaimOf(pending, path);
  } else {
    ARROW_ASSIGN_OR_RAISE(const WriterState state, WriterState::FromBytes(bytes));
    claim = ClaimOf(state, path);
  }
  if (!HasEnded(path, claim.write_id)) claims->push_back(std::move(claim));
  return Status::OK();
}

Result<std::vector<std::string>> FilesIn(const std::string& folder) {
  std::error_code error;
  std::vector<std::string> files;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const std::string path = it->path().string();
    std::error_code gone;
    if (it->is_regular_file(gone) && !path.ends_with(kStep)) files.push_back(path);
  }
  if (error) {
    const bool denied = error == std::errc::permission_denied;
    return MakeError(denied ? ErrorKind::kDenied : ErrorKind::kTransient,
                     folder + ": cannot list the folder: " + error.message());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

arrow::Result<std::vector<UploadClaim>> ReadClaims(const std::vector<std::string>& paths) {
  std::vector<UploadClaim> claims;
  for (const std::string& path : paths) {
    ARROW_RETURN_NOT_OK(CheckIsPath(path));
    std::error_code error;
    const bool is_folder = fs::is_directory(path, error);
    std::vector<std::string> files = {path};
    if (is_folder) ARROW_RETURN_NOT_OK(FilesIn(path).Value(&files));
    for (const std::string& file : files) {
      const auto bytes = ReadBlobFile(file);
      // In a folder may be what does not even begin like a state.
      if (is_folder && !bytes.ok() && KindOf(bytes.status()) == ErrorKind::kBadState) continue;
      ARROW_RETURN_NOT_OK(bytes.status());
      ARROW_RETURN_NOT_OK(WithContext(AddClaim(file, *bytes, &claims), file));
    }
  }
  return claims;
}

}  // namespace tailrace::cli
