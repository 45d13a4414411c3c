// The stores that the conformance suite runs against, and in what each differs from the contract's ideal, as data.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "tailrace/store.h"

namespace tailrace {

// What becomes of an odd key.
enum class KeyFate {
  kWorks,    // byte for byte
  kRefused,  // an error, and nothing is there
  kShared,   // the server takes it for another key
  kUnlisted  // as an object it works, but its open uploads are not found
};

// The defaults are S3's behaviour, and the contract's where that says more. A store's row names what is otherwise.
struct StoreDifferences {
  std::string name;
  int64_t part_bytes = int64_t{5} << 20;  // what the suite gives to parts that are not the last
  bool checks_part_size = true;           // Complete refuses a part below min_part_bytes that is not the last
  bool leaves_strays_out = true;
  bool checks_part_etags = true;
  bool keeps_locks = false;                 // one handle at a time
  bool completes_twice = false;             // a second Complete answers OK instead of kUploadGone
  bool gone_part_is_transient = false;      // a part for an upload that is gone gets an answer that may be repeated
  bool gone_complete_is_transient = false;  // so is a Complete of such an upload
  // A part for an upload that is completed: refused, or taken, and what is published cannot be read any more.
  bool refuses_part_after_complete = true;
  bool tells_upload_time = true;   // when an open upload was begun
  bool tells_crc64 = true;         // of a finished upload
  bool checks_signatures = false;  // only where there are any
  bool has_regions = false;
  int max_parts = 10000;
  bool checks_part_numbers = true;      // a part above max_parts is refused when it is put
  std::map<std::string, KeyFate> keys;  // those that do not work; by the names of OddKeys
};

struct StoreUnderTest {
  virtual ~StoreUnderTest() = default;
  virtual std::shared_ptr<MultipartStore> store() = 0;
  // The key that stands for `name` in this test, different in each run on a store that stays.
  virtual std::string KeyOf(const std::string& name) = 0;
  // The same store, told its limits, as by a probe's profile.
  virtual std::shared_ptr<MultipartStore> WithLimits(const StoreLimits& limits) {
    (void)limits;
    return store();
  }
  // The same store with other credentials or another region; nullptr where there are none.
  virtual std::shared_ptr<MultipartStore> WithWrongSecret() { return nullptr; }
  virtual std::shared_ptr<MultipartStore> WithRegion(const std::string& region) {
    (void)region;
    return nullptr;
  }
};

// Those of this run: the one that the environment names (TAILRACE_STORE and what testing/servers/servers.sh says), or
// all that live inside the test.
std::vector<StoreDifferences> StoresOfThisRun();
std::unique_ptr<StoreUnderTest> OpenStoreUnderTest(const StoreDifferences& differences);

// Real servers and what was found about them.
const std::vector<StoreDifferences>& RealServers();

// Name of a kind of odd key -> a key of that kind.
const std::map<std::string, std::string>& OddKeys();

inline std::ostream& operator<<(std::ostream& out, const StoreDifferences& store) { return out << store.name; }

}  // namespace tailrace
