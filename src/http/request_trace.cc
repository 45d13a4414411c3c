#include "http/request_trace.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <utility>

namespace tailrace {
namespace {

// Parameters whose values say what is asked for, and nothing else.
constexpr std::array<std::string_view, 5> kShown = {"partNumber", "part-number-marker", "prefix", "delimiter",
                                                    "list-type"};

std::string ShownQuery(std::string_view query) {
  std::string shown;
  while (!query.empty()) {
    const std::string_view one = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(one.size() + 1, query.size()));
    const std::string_view name = one.substr(0, one.find('='));
    const bool whole = std::find(kShown.begin(), kShown.end(), name) != kShown.end();
    shown.append(shown.empty() ? "?" : "&").append(whole ? one : name);
  }
  return shown;
}

// One line whatever a server sent, and of a length that can be read.
std::string Word(std::string text) {
  constexpr size_t kMaxShown = 200;
  if (text.size() > kMaxShown) text = text.substr(0, kMaxShown) + "...";
  for (char& c : text) c = c < ' ' || c > '~' ? '?' : c;
  return text;
}

std::string NameOf(const HttpRequest& request, const HttpSendOptions& options) {
  std::string name = request.method + " ";
  if (options.direct) return name + request.url.scheme + "://" + request.url.Authority() + "/...";
  name += request.url.WithoutQuery() + ShownQuery(request.url.query);
  if (options.attempt > 1) name += " attempt " + std::to_string(options.attempt);
  return name;
}

class TracingTransport final : public HttpTransport {
 public:
  TracingTransport(std::shared_ptr<HttpTransport> inner, TraceSink sink)
      : inner_(std::move(inner)), sink_(std::move(sink)) {}

  Result<HttpResponse> Send(const HttpRequest& request, const HttpSendOptions& options) override {
    const auto begin = std::chrono::steady_clock::now();
    Result<HttpResponse> answer = inner_->Send(request, options);
    const auto time = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begin);
    std::string line = NameOf(request, options) + ": ";
    line += answer.ok() ? std::to_string(answer->status) : std::string(ErrorKindName(KindOf(answer.status())));
    line += " in " + std::to_string(time.count()) + " ms, " + std::to_string(request.body.size()) + " bytes sent";
    if (answer.ok()) {
      line += ", " + std::to_string(answer->body.size()) + " received";
      if (const auto id = answer->headers.Get("x-amz-request-id")) line += ", request " + Word(*id);
    } else if (!options.direct) {
      // Messages of transports begin with what the line begins with.
      std::string_view why = answer.status().message();
      const std::string target = request.method + " " + request.url.WithoutQuery() + ": ";
      if (why.starts_with(target)) why.remove_prefix(target.size());
      line += ": " + Word(std::string(why));
    }
    sink_(line);
    return answer;
  }

 private:
  const std::shared_ptr<HttpTransport> inner_;
  const TraceSink sink_;
};

// In one call, so that lines of several threads stay whole.
void ToStandardError(const std::string& line) {
  const std::string whole = "tailrace: " + line + "\n";
  std::fwrite(whole.data(), 1, whole.size(), stderr);
}

}  // namespace

std::shared_ptr<HttpTransport> MakeTracingTransport(std::shared_ptr<HttpTransport> inner, TraceSink sink) {
  return std::make_shared<TracingTransport>(std::move(inner), std::move(sink));
}

std::shared_ptr<HttpTransport> TraceIfAsked(std::shared_ptr<HttpTransport> transport, const Environment& environment) {
  if (environment("TAILRACE_LOG") != "trace") return transport;
  return MakeTracingTransport(std::move(transport), ToStandardError);
}

}  // namespace tailrace
