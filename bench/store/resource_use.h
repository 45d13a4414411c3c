// What a piece of work costs this process: seconds of CPU, seconds of wall clock, and the most memory so far.
#pragma once

#include <sys/resource.h>

#include <chrono>
#include <cstdio>

namespace tailrace {

class ResourceUse {
 public:
  ResourceUse() : cpu_s_(CpuSeconds()), begin_(std::chrono::steady_clock::now()) {}

  // One line of JSON for the driver of the benchmark.
  void Print(int64_t bytes) const {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin_;
    std::printf("{\"cpu_s\": %.4f, \"wall_s\": %.4f, \"rss_mib\": %.1f, \"bytes\": %lld}\n", CpuSeconds() - cpu_s_,
                wall.count(), static_cast<double>(used.ru_maxrss) / 1024, static_cast<long long>(bytes));
  }

 private:
  static double CpuSeconds() {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    const auto seconds = [](const timeval& time) {
      return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    };
    return seconds(used.ru_utime) + seconds(used.ru_stime);
  }

  const double cpu_s_;
  const std::chrono::steady_clock::time_point begin_;
};

}  // namespace tailrace
