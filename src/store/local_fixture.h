// What the tests of the local store share.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/crc64.h"
#include "store/local_store.h"
#include "testing/status_macros.h"
#include "testing/temp_folder.h"

namespace tailrace {

inline const WriteId kTestWrite{"019b76da-a800-7000-8000-00000000cafe"};
inline const WriteId kOtherWrite{"019b76da-a800-7000-8000-00000000beef"};

inline ByteSlices Bytes(std::string text) { return ByteSlices(ByteSlice::Copy(std::move(text))); }

// Part k of a content cut into parts of 1000 bytes: 1000 times its letter.
inline std::string PartText(int number) { return std::string(1000, static_cast<char>('a' + number - 1)); }
inline Part TestPart(int number) {
  return {.number = number, .offset_bytes = (number - 1) * int64_t{1000}, .body = Bytes(PartText(number))};
}
inline PartReceipt ReceiptOf(const Part& part) {
  return {.number = part.number,
          .offset_bytes = part.offset_bytes,
          .size_bytes = part.body.size(),
          .etag = {},
          .crc64 = part.body.crc64()};
}
inline std::string Content(int parts) {
  std::string text;
  for (int i = 1; i <= parts; ++i) text += PartText(i);
  return text;
}

class LocalFixture : public ::testing::Test {
 protected:
  std::string key() const { return folder_.KeyOf("x"); }
  std::unique_ptr<Upload> Create() { return store_->CreateUpload({key(), kTestWrite}).ValueOrDie(); }
  // Parts 1 to n.
  static std::vector<PartReceipt> PutParts(Upload* upload, int parts) {
    std::vector<PartReceipt> receipts;
    for (int i = 1; i <= parts; ++i) receipts.push_back(upload->PutPart(TestPart(i)).ValueOrDie());
    return receipts;
  }
  int hidden_files() const { return folder_.Count(".tailrace"); }

  TempFolder folder_;
  std::shared_ptr<LocalStore> store_ = LocalStore::Make();
};

}  // namespace tailrace
