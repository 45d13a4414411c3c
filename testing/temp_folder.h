// A folder for one test.
#pragma once

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <system_error>

namespace tailrace {

// Empty at first, open to read for every user, removed with all that is in it at the end. A path in it is also the key
// of the local store, with the leading slash taken away.
class TempFolder {
 public:
  TempFolder() {
    std::string path = (std::filesystem::temp_directory_path() / "tailrace-XXXXXX").string();
    if (::mkdtemp(path.data()) == nullptr) {
      std::perror("mkdtemp");
      std::abort();
    }
    path_ = path;
    std::filesystem::permissions(path_, std::filesystem::perms(0755));
  }
  ~TempFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string PathOf(const std::string& name) const { return path_ + "/" + name; }
  std::string KeyOf(const std::string& name) const { return PathOf(name).substr(1); }

  std::string Read(const std::string& name) const {
    std::ifstream in(PathOf(name), std::ios::binary);
    std::stringstream bytes;
    bytes << in.rdbuf();
    return bytes.str();
  }
  void Write(const std::string& name, const std::string& bytes) const {
    std::ofstream(PathOf(name), std::ios::binary) << bytes;
  }
  bool Has(const std::string& name) const { return std::filesystem::exists(PathOf(name)); }
  // Of the entries of a folder in it; 0 where it is missing.
  int Count(const std::string& name) const {
    std::error_code error;
    int count = 0;
    for (std::filesystem::directory_iterator it(PathOf(name), error), end; !error && it != end; it.increment(error)) {
      ++count;
    }
    return count;
  }

 private:
  std::string path_;
};

}  // namespace tailrace
