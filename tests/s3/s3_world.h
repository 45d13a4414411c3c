// One write over HTTP, done by processes that know of one another only what the bytes of values say: a store of its own
// for each, over the strict service, with time that moves only when somebody waits.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "store/s3/s3_store.h"
#include "testing/fake_clock.h"
#include "testing/s3_fake_transport.h"
#include "tests/sim/writes.h"

namespace tailrace::sim {

inline constexpr char kKey[] = "dir/f.parquet";

// In what stores differ: how the server behaves, and what a writer knows of it.
struct StoreKind {
  std::string name;
  std::function<void(S3Rules*)> rules = [](S3Rules*) {};
  std::function<void(StoreLimits*)> limits = [](StoreLimits*) {};
};
StoreKind Strict();                 // S3, where it is strict
StoreKind Rgw();                    // refuses to leave stored parts out, keeps no checksums, completes twice
StoreKind Swift();                  // no checksums, no conditions for a PUT, completes twice, other codes
StoreKind Opaque();                 // ETags are no digests
StoreKind OpaqueUnsummed();         // ... and there are no checksums either
StoreKind SealedUnsummed();         // ETags look like digests and are none, of bytes encrypted by a key service
StoreKind Unsorted();               // small pages, in reversed order
StoreKind ListDenied();             // parts may not be listed
StoreKind Unchecked();              // Complete takes whatever stands under a part's number
std::vector<StoreKind> AllKinds();  // but for Unchecked, whose promise is a weaker one

// Limits as the tests' small parts need them.
StoreLimits LimitsOf(const StoreKind& kind);

// Credentials that are made anew, and made known to the server, when they are said to have expired. Thread-safe.
class FreshKeys final : public CredentialsProvider {
 public:
  explicit FreshKeys(S3Service* service);
  Result<Credentials> Get() override;
  void Expired(const Credentials& used) override;
  int made() const;

 private:
  static S3Key KeyOf(int number);
  S3Service* const service_;
  mutable Mutex mutex_;
  int number_ TAILRACE_GUARDED_BY(mutex_) = 1;
};

// Where a life goes on.
class World {
 public:
  virtual ~World() = default;
  // The store as a new process opens it.
  virtual std::shared_ptr<S3Store> Process() const = 0;
  // Operation -> requests so far.
  virtual std::map<std::string, int> Calls() const = 0;
  CommitOptions On(std::shared_ptr<MultipartStore> store) { return {.store = std::move(store), .clock = &clock_}; }
  FakeClock& clock() { return clock_; }

 protected:
  FakeClock clock_{std::chrono::round<std::chrono::microseconds>(std::chrono::system_clock::now())};
};

class S3World final : public World {
 public:
  explicit S3World(const StoreKind& kind);

  std::shared_ptr<S3Store> Process() const override { return S3Store::Make(setup_); }
  std::map<std::string, int> Calls() const override { return transport_->calls(); }
  // Of a new process, with the store well again.
  CommitOptions Healthy();

  // Rows under the key; nullopt where there is no object, -1 where it is torn or of other rows than 0, 1, 2 ...
  std::optional<int64_t> RowsThere() const;
  std::optional<std::string> Object() const;
  // Ids of open uploads, as the service has them.
  std::vector<std::string> OpenUploads();
  // What the product's own listing says, with a healthy store.
  std::vector<std::string> ListedUploads();
  // Stores a part behind the back of everybody: what a stale process did.
  Status PutStray(const UploadId& upload, int number, int64_t size_bytes);

  S3FakeTransport& transport() { return *transport_; }
  S3StoreSetup& setup() { return setup_; }
  FreshKeys& keys() { return *keys_; }
  // "UploadPart part 3 -> 503" a line.
  std::string LogText() const;

 private:
  const std::shared_ptr<S3FakeTransport> transport_;
  const std::shared_ptr<FreshKeys> keys_;
  S3StoreSetup setup_;
};

// As CountersOf: how many rows the object has; -1 where it is damaged or holds others. Remembers what it has read.
int64_t WholeRows(const std::string& bytes);
// Writes rows [writer->rows(), end) in small batches, made once for all tests.
Status WriteOn(ParquetStreamWriter* writer, int64_t end);
// Parts of 4 KiB: a few hundred rows are ten of them.
FileOptions TinyParts();

}  // namespace tailrace::sim
