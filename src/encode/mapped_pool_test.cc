#include "encode/mapped_pool.h"

#include <cstring>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "testing/status_macros.h"

namespace tailrace {
namespace {

constexpr int64_t kMiB = 1 << 20;

TEST(MappedPool, CountsBlocksOfAnySizeAndAlignment) {
  MappedPool pool;
  EXPECT_EQ(pool.bytes_allocated(), 0);
  for (const int64_t alignment : {int64_t{64}, MappedPool::kLongLived}) {
    int64_t sum = 0;
    std::vector<std::pair<uint8_t*, int64_t>> blocks;
    for (const int64_t size : {int64_t{1}, int64_t{4096}, int64_t{100000}, kMiB - 1, kMiB, 5 * kMiB + 3}) {
      uint8_t* block = nullptr;
      ASSERT_OK(pool.Allocate(size, alignment, &block));
      EXPECT_EQ(reinterpret_cast<uintptr_t>(block) % static_cast<uintptr_t>(alignment), 0u);
      std::memset(block, 1, static_cast<size_t>(size));
      blocks.emplace_back(block, size);
      sum += size;
      EXPECT_EQ(pool.bytes_allocated(), sum);
    }
    EXPECT_EQ(pool.max_memory(), sum);
    for (const auto& [block, size] : blocks) pool.Free(block, size, alignment);
    EXPECT_EQ(pool.bytes_allocated(), 0);
    EXPECT_EQ(pool.max_memory(), sum);
  }
  EXPECT_EQ(pool.num_allocations(), 12);
  pool.ReleaseUnused();
}

// From heap to mapping and back, larger and smaller.
TEST(MappedPool, BlocksKeepWhatIsInThemWhenTheyChangeTheirSize) {
  MappedPool pool;
  for (const int64_t alignment : {int64_t{64}, MappedPool::kLongLived}) {
    std::mt19937_64 random(7);
    const auto fill = [](uint8_t* block, int64_t from, int64_t to) {
      for (int64_t i = from; i < to; i += 1009) block[i] = static_cast<uint8_t>(i / 1009);
    };
    int64_t size = 1;
    uint8_t* block = nullptr;
    ASSERT_OK(pool.Allocate(size, alignment, &block));
    fill(block, 0, size);
    for (int step = 0; step < 100; ++step) {
      const auto next = static_cast<int64_t>(1 + random() % static_cast<uint64_t>(step % 2 == 0 ? 3 * kMiB : 80000));
      ASSERT_OK(pool.Reallocate(size, next, alignment, &block));
      EXPECT_EQ(pool.bytes_allocated(), next);
      for (int64_t i = 0; i < std::min(size, next); i += 1009) ASSERT_EQ(block[i], static_cast<uint8_t>(i / 1009));
      fill(block, 0, next);
      size = next;
    }
    pool.Free(block, size, alignment);
  }
  EXPECT_EQ(pool.bytes_allocated(), 0);
}

TEST(MappedPool, SaysWhenThereIsNoMemory) {
  MappedPool pool;
  uint8_t* block = nullptr;
  EXPECT_TRUE(pool.Allocate(int64_t{1} << 60, 64, &block).IsOutOfMemory());
  ASSERT_OK(pool.Allocate(2 * kMiB, 64, &block));
  EXPECT_TRUE(pool.Reallocate(2 * kMiB, int64_t{1} << 60, 64, &block).IsOutOfMemory());
  EXPECT_EQ(pool.bytes_allocated(), 2 * kMiB);
  pool.Free(block, 2 * kMiB, 64);
}

}  // namespace
}  // namespace tailrace
