// The words for options, as messages, JSON and the command line use them.
#pragma once

#include <string>

#include "tailrace/options.h"

namespace tailrace {

// "zstd", "none". "unknown" for a number that is none of the enumerators, here and below. Thread-safe.
std::string CodecName(Codec codec);
// "portable".
std::string EncodingsName(Encodings encodings);
// "overwrite", "fail", "fail atomically".
std::string OverwriteName(OverwritePolicy overwrite);
// "inline".
std::string SmallFilesName(SmallFiles small_files);
// "flush".
std::string CheckpointModeName(CheckpointMode mode);
// "2.6".
std::string ParquetVersionName(ParquetVersion version);
// "1".
std::string DataPageVersionName(DataPageVersion version);
// "refuse".
std::string TextNotUtf8Name(TextNotUtf8 text);

}  // namespace tailrace
