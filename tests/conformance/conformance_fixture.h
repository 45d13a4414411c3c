// What the tests of the conformance suite share.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/clock.h"
#include "base/crc64.h"
#include "base/uuid.h"
#include "testing/status_macros.h"
#include "tests/conformance/store_under_test.h"

namespace tailrace {

inline ByteSlices SlicesOf(const std::string& text) { return ByteSlices(ByteSlice::Copy(text)); }
inline WriteId NewWrite() { return MakeWriteId(Clock::System()->Now()); }

// A new store for each test; of a server that stays, a folder of its own.
class ConformanceTest : public ::testing::TestWithParam<StoreDifferences> {
 protected:
  const StoreDifferences& differs() const { return GetParam(); }
  MultipartStore* store() { return under_test_->store().get(); }
  std::string Key(const std::string& name = "k") { return under_test_->KeyOf(name); }

  std::unique_ptr<Upload> Create(const std::string& key, const WriteId& write = NewWrite()) {
    return store()->CreateUpload({key, write}).ValueOrDie();
  }
  // Part `number` of a content whose parts have part_bytes each: its letter, again and again; or `size` of them.
  Part PartOf(int number, int64_t size = 0, char letter = 0) const {
    if (size == 0) size = differs().part_bytes;
    const char filled = letter != 0 ? letter : static_cast<char>('a' + (number - 1) % 26);
    return {.number = number,
            .offset_bytes = (number - 1) * differs().part_bytes,
            .body = SlicesOf(std::string(static_cast<size_t>(size), filled))};
  }
  static std::string TextOf(const std::vector<Part>& parts) {
    std::string text;
    for (const Part& part : parts) text += part.body.ToString();
    return text;
  }
  static std::vector<PartReceipt> PutAll(Upload* upload, const std::vector<Part>& parts) {
    std::vector<PartReceipt> receipts;
    for (const Part& part : parts) receipts.push_back(upload->PutPart(part).ValueOrDie());
    return receipts;
  }
  // The whole object; compared by size and checksum first, so that a failure does not print megabytes.
  ::testing::AssertionResult Holds(const std::string& key, const std::string& bytes) {
    auto read = store()->GetRange(key, 0, static_cast<int64_t>(bytes.size()) + 1, "");
    if (!read.ok()) return ::testing::AssertionFailure() << read.status().ToString();
    if (*read == bytes) return ::testing::AssertionSuccess();
    const size_t at = std::mismatch(read->begin(), read->end(), bytes.begin(), bytes.end()).first - read->begin();
    return ::testing::AssertionFailure() << read->size() << " bytes instead of " << bytes.size() << ", other from byte "
                                         << at << " on";
  }
  std::vector<std::string> OpenUploadsOf(const std::string& prefix) {
    std::vector<std::string> ids;
    for (const UploadSummary& upload : store()->ListUploads(prefix).ValueOrDie()) ids.push_back(upload.id.text);
    std::sort(ids.begin(), ids.end());
    return ids;
  }

  const std::unique_ptr<StoreUnderTest> under_test_ = OpenStoreUnderTest(GetParam());
};

inline std::string NameOfStore(const ::testing::TestParamInfo<StoreDifferences>& store) {
  std::string name = store.param.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

}  // namespace tailrace

// Runs the tests of a fixture that is derived from ConformanceTest on each store of this run.
#define TAILRACE_ON_EACH_STORE(fixture) \
  INSTANTIATE_TEST_SUITE_P(On, fixture, ::testing::ValuesIn(StoresOfThisRun()), NameOfStore)
