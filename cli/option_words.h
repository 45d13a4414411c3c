// The library's messages name its own options; people at a shell know them by other names.
#pragma once

#include <string>

namespace tailrace::cli {

// `message` with the library's options called as on the command line: "S3 option storage_class: ..." becomes
// "--storage-class: ...".
std::string InCommandLineWords(std::string message);

}  // namespace tailrace::cli
