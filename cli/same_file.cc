#include "cli/same_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <optional>

namespace tailrace::cli {

namespace {

// Of regular files and folders; nullopt for what is absent, and for pipes and terminals, which nothing replaces.
std::optional<std::pair<dev_t, ino_t>> IdOf(const std::string& path) {
  struct stat info{};
  const int rc = path == "-" ? fstat(STDIN_FILENO, &info) : stat(path.c_str(), &info);
  if (rc != 0 || !S_ISREG(info.st_mode)) return std::nullopt;
  return std::pair(info.st_dev, info.st_ino);
}

bool IsSame(const std::string& a, const std::string& b) {
  const auto id_a = IdOf(a), id_b = IdOf(b);
  if (id_a && id_b) return id_a == id_b;
  if (id_a || id_b || a == "-" || b == "-") return false;
  std::error_code error;
  const auto path_a = std::filesystem::weakly_canonical(a, error);
  if (error) return false;
  const auto path_b = std::filesystem::weakly_canonical(b, error);
  return !error && path_a == path_b && !std::filesystem::exists(path_a, error);
}

Status CheckPair(const NamedFile& a, const NamedFile& b) {
  if (a.path.empty() || b.path.empty() || !IsSame(a.path, b.path)) return Status::OK();
  return MakeError(ErrorKind::kInvalid, b.option + " " + b.path + ": is the same file as the " + a.option + " " +
                                            a.path + "; each needs one of its own");
}

}  // namespace

std::vector<NamedFile> InputsNamed(const std::vector<std::string>& paths) {
  std::vector<NamedFile> inputs;
  for (const std::string& path : paths) inputs.push_back({"input", path});
  return inputs;
}

std::string LocalPathOf(const StoreAndKey& at) {
  const Target target = at.store->TargetOf(at.key);
  return target.kind == "file" ? "/" + target.key : std::string();
}

Status CheckDistinct(const std::vector<NamedFile>& inputs, const std::vector<NamedFile>& outputs) {
  for (size_t i = 0; i < outputs.size(); ++i) {
    for (const NamedFile& input : inputs) ARROW_RETURN_NOT_OK(CheckPair(input, outputs[i]));
    for (size_t j = 0; j < i; ++j) ARROW_RETURN_NOT_OK(CheckPair(outputs[j], outputs[i]));
  }
  return Status::OK();
}

}  // namespace tailrace::cli
