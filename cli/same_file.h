// Files that one command line names twice.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tailrace/error.h"
#include "tailrace/store.h"

namespace tailrace::cli {

struct NamedFile {
  std::string option;  // "input", "--state", as a message calls it
  std::string path;    // "-" is standard input; empty: none
};

// As arguments of CheckDistinct.
std::vector<NamedFile> InputsNamed(const std::vector<std::string>& paths);
// Of a target in the local file system; empty for any other.
std::string LocalPathOf(const StoreAndKey& at);

// kInvalid where two of them are one file, under whatever names, unless both are inputs: what is written would replace
// what is read or kept.
Status CheckDistinct(const std::vector<NamedFile>& inputs, const std::vector<NamedFile>& outputs);

}  // namespace tailrace::cli
