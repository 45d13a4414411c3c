#include "auth/credential_http.h"

#include <algorithm>

namespace tailrace {
namespace {

bool WorthAnotherTry(const Result<HttpResponse>& answer) {
  if (!answer.ok()) return KindOf(answer.status()) == ErrorKind::kTransient;
  return answer->status >= 500 || answer->status == 429;
}

constexpr int64_t kMaxAnswer = 1 << 20;  // a set of credentials has a few KiB
constexpr size_t kMaxWords = 300;

}  // namespace

Result<HttpResponse> Ask(const CredentialContext& context, const HttpRequest& request, const AskOptions& options) {
  HttpSendOptions send{.max_body_bytes = kMaxAnswer, .cancel = &context.cancel, .direct = options.direct};
  send.timeouts = {
      .connect = options.timeout, .idle = options.timeout, .first_answer = options.timeout, .total = options.timeout};
  std::chrono::milliseconds pause(100);
  for (int attempt = 1;; ++attempt, pause *= 2) {
    send.attempt = attempt;
    Result<HttpResponse> answer = context.sources.transport->Send(request, send);
    if (attempt >= options.attempts || !WorthAnotherTry(answer) || context.cancel.cancelled()) return answer;
    context.sources.clock->SleepFor(pause);
  }
}

std::string ServerWords(std::string_view text, const std::vector<std::string>& secrets) {
  for (const std::string& secret : secrets) {
    if (!secret.empty() && text.find(secret) != text.npos) return "(its message repeats a secret)";
  }
  std::string words(text.substr(0, kMaxWords));
  std::replace_if(words.begin(), words.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return words;
}

}  // namespace tailrace
