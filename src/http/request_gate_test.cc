#include "http/request_gate.h"

#include <atomic>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace tailrace {
namespace {

TEST(RequestGate, ShrinksByAThirdAndGrowsByOneARound) {
  RequestGate gate(12);
  gate.OnSlowDown();
  EXPECT_EQ(gate.room(), 8);
  gate.OnSlowDown();
  EXPECT_EQ(gate.room(), 5);
  for (int i = 0; i < 4; ++i) gate.OnSuccess();
  EXPECT_EQ(gate.room(), 5);
  gate.OnSuccess();
  EXPECT_EQ(gate.room(), 6);
  for (int i = 0; i < 1000; ++i) gate.OnSuccess();
  EXPECT_EQ(gate.room(), 12);
  for (int i = 0; i < 100; ++i) gate.OnSlowDown();
  EXPECT_EQ(gate.room(), 1) << "one request always goes";
}

TEST(RequestGate, LetsNoMoreInThanThereIsRoomFor) {
  RequestGate gate(3);
  std::atomic<int> inside = 0, most = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 200; ++i) {
        const GatePass pass(&gate);
        const int now = ++inside;
        for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {
        }
        std::this_thread::yield();
        --inside;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_LE(most, 3);
  EXPECT_GE(most, 1);
}

}  // namespace
}  // namespace tailrace
