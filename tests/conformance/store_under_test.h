// The stores that the conformance suite runs against, and in what each differs from the contract's ideal, as data.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "tailrace/store.h"

namespace tailrace {

// What becomes of an odd key.
enum class KeyFate {
  kWorks,     // byte for byte
  kRefused,   // an error, and nothing is there
  kShared,    // the server takes it for another key
  kUnlisted,  // as an object it works, but its open uploads are not found
  kPutAlone   // as an object it works, but no upload can be created
};

// The defaults are S3's behaviour, and the contract's where that says more. A store's row names what is otherwise.
struct StoreDifferences {
  std::string name;
  int64_t part_bytes = int64_t{5} << 20;  // what the suite gives to parts that are not the last
  bool checks_part_size = true;           // Complete refuses a part below min_part_bytes that is not the last
  bool leaves_strays_out = true;
  bool checks_part_etags = true;
  bool lists_newest_part = true;            // of a part that was stored again
  bool keeps_locks = false;                 // one handle at a time
  bool completes_twice = false;             // a second Complete answers OK instead of kUploadGone
  bool gone_part_is_transient = false;      // a part for an upload that is gone gets an answer that may be repeated
  bool gone_complete_is_transient = false;  // so is a Complete of such an upload
  // A part for an upload that is completed: refused, or taken, and what is published cannot be read any more.
  bool refuses_part_after_complete = true;
  bool tells_upload_time = true;   // when an open upload was begun
  bool tells_crc64 = true;         // of a finished upload
  bool echoes_checksums = true;    // of parts, when they came with one
  bool refuses_checksums = false;  // says so, instead of ignoring them
  bool pages_parts = true;         // ListParts and ListMultipartUploads give no more than they are asked for
  bool pages_uploads = true;
  bool speaks_s3 = true;
  bool checks_signatures = true;  // only where there are any
  bool checks_tokens = false;     // a session token that nobody gave out is refused
  bool numbers_requests = true;   // errors name the request
  int max_parts = 10000;
  bool checks_part_numbers = true;  // a part above max_parts is refused when it is put
  // How many parts the suite stores to see them all listed: more than the thousand that S3 puts on a page, but where
  // parts are slow, which show their pages in an answer ("list: two a page").
  int many_parts = 1005;
  std::map<std::string, KeyFate> keys;         // those that do not work; by the names of OddKeys
  std::map<std::string, std::string> answers;  // those that are not S3's; by the names of wire_checks.h
};

// How to reach a store that speaks S3.
struct S3Login {
  std::string endpoint;
  std::string bucket;
  S3Credentials credentials;
  std::string region;
  std::string prefix;  // of the keys of this test
};

struct StoreUnderTest {
  virtual ~StoreUnderTest() = default;
  virtual std::shared_ptr<MultipartStore> store() = 0;
  // The key that stands for `name` in this test, different in each run on a store that stays.
  virtual std::string KeyOf(const std::string& name) = 0;
  // The same store, opened with other options; nullptr where stores of this kind have none (files, memory).
  virtual std::shared_ptr<MultipartStore> With(const std::function<void(StoreOptions*)>& change) {
    (void)change;
    return nullptr;
  }
  // nullopt where it does not speak S3.
  virtual std::optional<S3Login> login() const { return std::nullopt; }
};

// Those of this run: the one that the environment names (TAILRACE_STORE and what testing/servers/servers.sh says), or
// all that live inside the test.
std::vector<StoreDifferences> StoresOfThisRun();
// ... of which those that speak S3; and of these the ones that are asked in words of our own: real servers, and the
// strict one inside the test.
std::vector<StoreDifferences> S3StoresOfThisRun();
std::vector<StoreDifferences> ServersOfThisRun();
std::unique_ptr<StoreUnderTest> OpenStoreUnderTest(const StoreDifferences& differences);

// Real servers and what was found about them.
const std::vector<StoreDifferences>& RealServers();

// Name of a kind of odd key -> a key of that kind.
const std::map<std::string, std::string>& OddKeys();

inline std::ostream& operator<<(std::ostream& out, const StoreDifferences& store) { return out << store.name; }

}  // namespace tailrace
