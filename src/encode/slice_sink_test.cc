#include "encode/slice_sink.h"

#include <memory>
#include <string>

#include <arrow/buffer.h>
#include <arrow/memory_pool.h>
#include <gtest/gtest.h>

#include "base/crc64.h"
#include "testing/status_macros.h"

namespace tailrace {
namespace {

TEST(SliceSink, KeepsLargeBuffersAndJoinsSmallOnes) {
  SliceSink sink(arrow::default_memory_pool());
  const auto large = std::shared_ptr<arrow::Buffer>(arrow::Buffer::FromString(std::string(10000, 'l')));
  ASSERT_OK(sink.Write("ab", 2));
  ASSERT_OK(sink.Write(std::make_shared<arrow::Buffer>(std::string_view("cd"))));
  ASSERT_OK(sink.Write(large));
  ASSERT_OK(sink.Write("ef", 2));
  EXPECT_EQ(sink.Tell().ValueOrDie(), 10006);
  ASSERT_OK_AND_ASSIGN(const ByteSlices bytes, sink.Take());
  ASSERT_EQ(bytes.slices().size(), 3u);
  EXPECT_EQ(bytes.slices()[1].buffer, large);
  EXPECT_EQ(bytes.ToString(), "abcd" + std::string(10000, 'l') + "ef");
  EXPECT_FALSE(sink.closed());
  ASSERT_OK(sink.Close());
  EXPECT_TRUE(sink.closed());
}

// As libparquet writes pages: a header, then what may be a piece of a larger buffer.
TEST(SliceSink, CopiesPagesIntoBlocksAndHoldsNoMoreThanTheyTake) {
  arrow::ProxyMemoryPool pool(arrow::system_memory_pool());
  std::string expected;
  ByteSlices bytes;
  {
    SliceSink sink(&pool);
    const std::string page(300001, 'p');
    for (int i = 0; i < 20; ++i) {
      ASSERT_OK(sink.Write("header", 6));
      ASSERT_OK(sink.Write(page.data(), static_cast<int64_t>(page.size())));
      expected += "header" + page;
    }
    EXPECT_EQ(sink.Tell().ValueOrDie(), static_cast<int64_t>(expected.size()));
    ASSERT_OK_AND_ASSIGN(bytes, sink.Take());
  }
  EXPECT_TRUE(bytes.ToString() == expected);
  EXPECT_EQ(bytes.crc64(), Crc64Nvme(expected.data(), expected.size()));
  EXPECT_LE(pool.bytes_allocated(), static_cast<int64_t>(expected.size()) + 4096);
  EXPECT_LT(bytes.slices().size(), 16u) << "blocks of up to 1 MiB";
  bytes = ByteSlices();
  EXPECT_EQ(pool.bytes_allocated(), 0);
}

}  // namespace
}  // namespace tailrace
