// Thrift field ids of Parquet's metadata that we read or change (parquet-format 2.12, parquet.thrift).
#pragma once

#include <cstdint>

namespace tailrace {

namespace file_metadata {
inline constexpr int16_t kVersion = 1, kSchema = 2, kNumRows = 3, kRowGroups = 4, kKeyValueMetadata = 5, kCreatedBy = 6;
}
namespace schema_element {
inline constexpr int16_t kType = 1, kName = 4, kNumChildren = 5;
}
namespace key_value {
inline constexpr int16_t kKey = 1, kValue = 2;
}
namespace row_group {
inline constexpr int16_t kColumns = 1, kTotalByteSize = 2, kNumRows = 3, kSortingColumns = 4, kFileOffset = 5,
                         kTotalCompressedSize = 6, kOrdinal = 7;
}
namespace column_chunk {
inline constexpr int16_t kFileOffset = 2, kMetaData = 3, kOffsetIndexOffset = 4, kOffsetIndexLength = 5,
                         kColumnIndexOffset = 6, kColumnIndexLength = 7;
}
namespace column_metadata {
inline constexpr int16_t kType = 1, kEncodings = 2, kPath = 3, kCodec = 4, kNumValues = 5, kTotalUncompressedSize = 6,
                         kTotalCompressedSize = 7, kDataPageOffset = 9, kIndexPageOffset = 10,
                         kDictionaryPageOffset = 11, kStatistics = 12, kEncodingStats = 13, kBloomFilterOffset = 14,
                         kBloomFilterLength = 15;
}
namespace sorting_column {
inline constexpr int16_t kColumn = 1, kDescending = 2, kNullsFirst = 3;
}
namespace statistics {
inline constexpr int16_t kNullCount = 3;
}
namespace page_encoding_stats {
inline constexpr int16_t kPageType = 1, kEncoding = 2;
}
namespace page_header {
inline constexpr int16_t kUncompressedSize = 2, kCompressedSize = 3, kDictionaryPageHeader = 7;
}
namespace dictionary_page_header {
inline constexpr int16_t kNumValues = 1;
}
namespace offset_index {
inline constexpr int16_t kPageLocations = 1;
}
namespace page_location {
inline constexpr int16_t kOffset = 1;
}

}  // namespace tailrace
