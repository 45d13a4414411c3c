// The calls of a store and of its uploads, named and counted.
#pragma once

#include <ostream>
#include <string_view>

namespace tailrace {

enum class StoreCall {
  kHead,
  kSyncObject,
  kGetRange,
  kPut,
  kCreateUpload,
  kOpenUpload,
  kListUploads,
  kPutPart,
  kSync,
  kListParts,
  kComplete,
  kAbort,
};

std::string_view StoreCallName(StoreCall call);  // "PutPart"

// How often each was made. Compare whole, so that a call nobody thought of fails the test:
//
//   EXPECT_EQ(store->calls(), (CallCounts{.create_upload = 1, .put_part = 3}));
struct CallCounts {
  int head = 0;
  int sync_object = 0;
  int get_range = 0;
  int put = 0;
  int create_upload = 0;
  int open_upload = 0;
  int list_uploads = 0;
  int put_part = 0;
  int sync = 0;
  int list_parts = 0;
  int complete = 0;
  int abort = 0;

  int& operator[](StoreCall call);
  int total() const;
  friend bool operator==(const CallCounts&, const CallCounts&) = default;
  friend CallCounts operator-(CallCounts a, CallCounts b);
  // Those that are not 0.
  friend std::ostream& operator<<(std::ostream& out, CallCounts counts);
};

}  // namespace tailrace
