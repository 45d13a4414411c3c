// Where credentials come from, and how they stay fresh.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <arrow/result.h>

#include "auth/credential_sources.h"
#include "auth/credential_value.h"
#include "http/transport.h"

namespace tailrace {

class Clock;

// Thread-safe.
class CredentialsProvider {
 public:
  virtual ~CredentialsProvider() = default;
  // Credentials that are good now. Refreshes ahead of expiry without blocking where the old ones still work; blocks
  // only when they do not. kDenied where no source gives any; the message names the sources tried, never a value.
  virtual Result<Credentials> Get() = 0;
  // The store answered that these expired: the next Get fetches others, unless another thread did already.
  virtual void Expired(const Credentials& credentials) = 0;
};

std::shared_ptr<CredentialsProvider> StaticCredentials(Credentials credentials);
std::shared_ptr<CredentialsProvider> AnonymousCredentials();

// Gives up soon after `cancel`. May return credentials that are past their expiry: the store judges by its own clock.
using CredentialFetch = std::function<Result<Credentials>(const CancelToken& cancel)>;
// `fetch` is called by one thread at a time, first in the first Get; ahead of expiry by a thread of the provider, whose
// destruction cancels and waits for it. `name` stands before the message of an error.
std::shared_ptr<CredentialsProvider> RefreshingCredentials(std::string name, CredentialFetch fetch, Clock* clock);
// For a fetch that cannot be cancelled: destruction waits until it returns.
std::shared_ptr<CredentialsProvider> RefreshingCredentials(std::string name, std::function<Result<Credentials>()> fetch,
                                                           Clock* clock);

// The usual order: environment, web identity, profile (role_arn with source_profile or credential_source, SSO, static,
// credential_process), container endpoint, instance metadata (IMDSv2). The first that is configured is used, and its
// failure is the failure of the chain. A profile asked for by `sources.profile` leaves out the first two. Everything
// is read anew at each refresh, so that files and tokens may change while the process runs.
std::shared_ptr<CredentialsProvider> DefaultCredentialChain(CredentialSources sources);

}  // namespace tailrace
