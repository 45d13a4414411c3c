// What was found about each server that can be run. Every difference here is tested: a server that stops to differ
// fails the suite, and its row is corrected.
#include "tests/conformance/store_under_test.h"

namespace tailrace {
namespace {

// Objects and folders are files and folders below the gateway's root.
StoreDifferences Versitygw(std::string name) {
  return {.name = std::move(name),
          .completes_twice = true,
          .checks_signatures = true,
          .has_regions = true,
          .keys = {{"double slash", KeyFate::kShared}, {"1024 bytes", KeyFate::kRefused}}};
}

}  // namespace

const std::vector<StoreDifferences>& RealServers() {
  static const std::vector<StoreDifferences> servers = {
      Versitygw("versitygw"),
      Versitygw("versitygw-opaque"),
      Versitygw("versitygw-tls"),
      {.name = "localstack"},
      // A Complete of an upload that is gone is told that it is in progress.
      {.name = "radosgw",
       .leaves_strays_out = false,
       .completes_twice = true,
       .gone_complete_is_transient = true,
       .tells_crc64 = false,
       .checks_signatures = true},
      // Objects are lists of their parts, which stay where they are.
      {.name = "swift",
       .completes_twice = true,
       .refuses_part_after_complete = false,
       .tells_crc64 = false,
       .checks_signatures = true,
       .has_regions = true,
       .max_parts = 1000},
      {.name = "seaweedfs",
       .checks_part_etags = false,
       .completes_twice = true,
       .checks_signatures = true,
       .keys = {{"double slash", KeyFate::kShared},
                {"1024 bytes", KeyFate::kRefused},
                {"backslash", KeyFate::kRefused}}},
      // An upload that is gone is an error of the server.
      {.name = "moto",
       .completes_twice = true,
       .gone_part_is_transient = true,
       .gone_complete_is_transient = true,
       .tells_upload_time = false,
       .tells_crc64 = false},
  };
  return servers;
}

}  // namespace tailrace
