// How the sources of credentials ask over HTTP.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "auth/credential_sources.h"

namespace tailrace {

// What a fetch is given: the sources and the caller's stop.
struct CredentialContext {
  const CredentialSources& sources;
  const CancelToken& cancel;
};

struct AskOptions {
  std::chrono::milliseconds timeout{5'000};  // of each attempt
  int attempts = 3;
  bool direct = false;  // without a proxy
};

// The answer, whatever its status; 5xx and 429, and exchanges that fail on the way, are tried again after a short wait.
Result<HttpResponse> Ask(const CredentialContext& context, const HttpRequest& request, const AskOptions& options);

// What a server says, fit for a message: printable, short, and left out altogether where it repeats a secret.
std::string ServerWords(std::string_view text, const std::vector<std::string>& secrets);

}  // namespace tailrace
