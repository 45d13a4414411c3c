// What the tests of cases over S3 share: the strict server on a real socket, OpenStore, writer, finish and commit, with
// what goes wrong scripted in tests/fault.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "store/s3/s3_store.h"
#include "testing/fake_clock.h"
#include "testing/s3_server/s3_server.h"
#include "tests/sim/writes.h"

namespace tailrace::sim {

using ::testing::HasSubstr;
using ::testing::Not;

inline constexpr int64_t kCaseRows = 2000;  // six parts of SmallFile()

class S3Cases : public ::testing::Test {
 protected:
  S3Cases();

  // The rules and faults of tests/fault/NAME.json, from now on.
  void Use(const std::string& name);
  void Rules(const std::function<void(S3Rules*)>& change) { server_.service().Change(change); }

  // Of the bucket; the key of its URL does not matter.
  std::shared_ptr<MultipartStore> Store() const { return OpenStore("s3://bucket/any", options_).ValueOrDie().store; }
  // REQUIRES: nothing in key_ has to be encoded.
  std::string Url() const { return "s3://bucket/" + key_; }
  // Over the same server, but with a clock of the test's: waits take no time and are written down.
  std::shared_ptr<S3Store> StoreWithClock(FakeClock* clock, std::shared_ptr<HttpTransport> transport = nullptr) const;

  std::unique_ptr<ParquetStreamWriter> Open(const std::shared_ptr<MultipartStore>& store) const {
    return ParquetStreamWriter::Open(store, key_, RowSchema(), file_, Inline()).ValueOrDie();
  }
  // Files of a few rows, whose commit is one PUT, or of kCaseRows and several parts (the default).
  void WriteSmall(bool small) {
    file_.inline_max_bytes = small ? 1 << 20 : 0;
    rows_ = small ? 20 : kCaseRows;
  }
  // Opens, writes rows_ rows and closes.
  Result<PendingCommit> WriteAll(const std::shared_ptr<MultipartStore>& store) const;
  // ... and commits; waits for what a lost answer comes to take no time.
  Result<CommitInfo> Publish();
  // The state of a writer that was dropped after `rows`.
  Result<WriterState> StateAt(int64_t rows) const;
  // Of another process: a store of its own, a clock that does not wait.
  CommitOptions Process() { return {.store = Store(), .clock = &clock_}; }

  void ExpectRows(int64_t rows) const;
  void ExpectRows() const { ExpectRows(rows_); }
  // Neither an object nor an open upload.
  void ExpectNothing() const;
  int Calls(const std::string& operation) const {
    const S3Calls calls = server_.calls();
    const auto found = calls.find(operation);
    return found == calls.end() ? 0 : found->second;
  }

  S3Server server_;
  StoreOptions options_;
  FileOptions file_ = SmallFile();
  std::string key_ = "dir/k.parquet";
  int64_t rows_ = kCaseRows;
  FakeClock clock_;
};

}  // namespace tailrace::sim
