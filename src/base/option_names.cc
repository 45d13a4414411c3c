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

std::string SmallFilesName(SmallFiles small_files) {
  switch (small_files) {
    case SmallFiles::kInline:
      return "inline";
    case SmallFiles::kUpload:
      return "upload";
  }
  return "unknown";
}

std::string CheckpointModeName(CheckpointMode mode) {
  switch (mode) {
    case CheckpointMode::kFlush:
      return "flush";
    case CheckpointMode::kCarry:
      return "carry";
  }
  return "unknown";
}

std::string ParquetVersionName(ParquetVersion version) {
  switch (version) {
    case ParquetVersion::k1_0:
      return "1.0";
    case ParquetVersion::k2_4:
      return "2.4";
    case ParquetVersion::k2_6:
      return "2.6";
  }
  return "unknown";
}

std::string DataPageVersionName(DataPageVersion version) {
  switch (version) {
    case DataPageVersion::kV1:
      return "1";
    case DataPageVersion::kV2:
      return "2";
  }
  return "unknown";
}

std::string TextNotUtf8Name(TextNotUtf8 text) {
  switch (text) {
    case TextNotUtf8::kRefuse:
      return "refuse";
    case TextNotUtf8::kBinary:
      return "binary";
  }
  return "unknown";
}

}  // namespace tailrace
