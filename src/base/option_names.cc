#include "tailrace/option_names.h"

namespace tailrace {

std::string CodecName(Codec codec) {
  switch (codec) {
    case Codec::kNone:
      return "none";
    case Codec::kSnappy:
      return "snappy";
    case Codec::kGzip:
      return "gzip";
    case Codec::kBrotli:
      return "brotli";
    case Codec::kZstd:
      return "zstd";
    case Codec::kLz4:
      return "lz4";
  }
  return "unknown";
}

std::string EncodingsName(Encodings encodings) {
  switch (encodings) {
    case Encodings::kPortable:
      return "portable";
    case Encodings::kSpark:
      return "spark";
    case Encodings::kAll:
      return "all";
  }
  return "unknown";
}

std::string OverwriteName(OverwritePolicy overwrite) {
  switch (overwrite) {
    case OverwritePolicy::kOverwrite:
      return "overwrite";
    case OverwritePolicy::kFailIfExists:
      return "fail";
    case OverwritePolicy::kFailIfExistsAtomically:
      return "fail atomically";
  }
  return "unknown";
}

}  // namespace tailrace
