#include "testing/store_calls.h"

#include <iterator>

namespace tailrace {
namespace {

struct Call {
  StoreCall call;
  std::string_view name;
  int CallCounts::* count;
};

constexpr Call kCalls[] = {
    {StoreCall::kHead, "Head", &CallCounts::head},
    {StoreCall::kSyncObject, "SyncObject", &CallCounts::sync_object},
    {StoreCall::kGetRange, "GetRange", &CallCounts::get_range},
    {StoreCall::kPut, "Put", &CallCounts::put},
    {StoreCall::kCreateUpload, "CreateUpload", &CallCounts::create_upload},
    {StoreCall::kOpenUpload, "OpenUpload", &CallCounts::open_upload},
    {StoreCall::kListUploads, "ListUploads", &CallCounts::list_uploads},
    {StoreCall::kPutPart, "PutPart", &CallCounts::put_part},
    {StoreCall::kSync, "Sync", &CallCounts::sync},
    {StoreCall::kListParts, "ListParts", &CallCounts::list_parts},
    {StoreCall::kComplete, "Complete", &CallCounts::complete},
    {StoreCall::kAbort, "Abort", &CallCounts::abort},
};
static_assert(std::size(kCalls) == static_cast<size_t>(StoreCall::kAbort) + 1);

}  // namespace

std::string_view StoreCallName(StoreCall call) { return kCalls[static_cast<size_t>(call)].name; }

int& CallCounts::operator[](StoreCall call) { return this->*kCalls[static_cast<size_t>(call)].count; }

int CallCounts::total() const {
  int total = 0;
  for (const Call& call : kCalls) total += this->*call.count;
  return total;
}

CallCounts operator-(CallCounts a, CallCounts b) {
  for (const Call& call : kCalls) a.*call.count -= b.*call.count;
  return a;
}

std::ostream& operator<<(std::ostream& out, CallCounts counts) {
  std::string_view separator = "";
  for (const Call& call : kCalls) {
    if (counts.*call.count == 0) continue;
    out << separator << counts.*call.count << ' ' << call.name;
    separator = ", ";
  }
  return separator.empty() ? out << "no calls" : out;
}

}  // namespace tailrace
