// An answer as it comes over the wire, lines and body, up to what the client makes of it.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "http/response_reader.h"
#include "store/s3/s3_errors.h"
#include "store/s3/s3_replies.h"
#include "tests/fuzz/fuzz_check.h"

namespace tailrace {
namespace {

constexpr int64_t kMaxBody = 4096;

// nullopt where the reader ended the exchange. The body comes in pieces of `piece` bytes.
std::optional<HttpResponse> Read(std::string_view wire, size_t piece) {
  ResponseReader reader("GET http://host/path", kMaxBody);
  while (!(reader.started() && reader.head_complete())) {
    if (wire.empty()) return std::nullopt;
    const std::string_view line = wire.substr(0, wire.find('\n') + 1);
    const std::string_view taken = line.empty() ? wire : line;
    if (!reader.AddHeaderLine(taken)) {
      FuzzCheck(!reader.failure().ok(), "whoever ends the exchange says why");
      return std::nullopt;
    }
    wire.remove_prefix(taken.size());
  }
  while (!wire.empty()) {
    if (!reader.AddBody(wire.substr(0, piece))) {
      FuzzCheck(KindOf(reader.failure()) == ErrorKind::kLimit, "a body ends for its size alone");
      return std::nullopt;
    }
    wire.remove_prefix(piece < wire.size() ? piece : wire.size());
  }
  FuzzCheck(reader.failure().ok(), "no failure goes unnoticed");
  return reader.Take();
}

void Check(std::string_view wire) {
  const auto response = Read(wire, SIZE_MAX);
  const auto again = Read(wire, 7);
  FuzzCheck(response.has_value() == again.has_value(), "the cuts of a body do not matter");
  if (!response) return;
  FuzzCheck(response->body == again->body, "the cuts of a body do not matter");
  FuzzCheck(response->status >= 200 && response->status <= 999, "a status has three digits");
  FuzzCheck(static_cast<int64_t>(response->body.size()) <= kMaxBody, "bodies are bounded");
  for (const auto& [name, value] : response->headers.fields()) {
    FuzzCheck(name.find_first_of("\n:") == name.npos && value.find('\n') == value.npos, "a header is one line");
  }
  if (const auto meta = ReadObjectHeaders(response->headers, std::nullopt); meta.ok()) {
    FuzzCheck(meta->size_bytes >= 0, "sizes are not negative");
  }
  if (const auto range = ParseContentRange(response->headers.Get("content-range").value_or(""))) {
    FuzzCheck(range->first >= 0 && range->last >= range->first, "ranges go forward");
  }
  for (bool body_may_be_error : {false, true}) {
    const auto failure = ReadFailure(*response, body_may_be_error, Timestamp{});
    if (!failure) continue;
    FuzzCheck(!failure->retry_after || failure->retry_after->count() >= 0, "nobody waits for a negative time");
    RemedyFor(*failure);
    KindOfFailure(*failure);
    FuzzCheck(!Describe(*failure).empty(), "a failure has a name");
  }
}

}  // namespace
}  // namespace tailrace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  tailrace::Check({reinterpret_cast<const char*>(data), size});
  return 0;
}
