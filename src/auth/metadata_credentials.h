// Credentials that the machine around us hands out: the container's endpoint and the instance's metadata service.
#pragma once

#include <optional>

#include "auth/credential_http.h"
#include "auth/credential_value.h"

namespace tailrace {

// ECS, EKS Pod Identity and their like. Configured by AWS_CONTAINER_CREDENTIALS_RELATIVE_URI or _FULL_URI, the token by
// AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE (read each time) or _TOKEN. A full URI over plain http may name only the
// machine itself and the two addresses of AWS's agents, since the token goes there: kInvalid otherwise.
bool ContainerIsConfigured(const CredentialSources& sources);
Result<Credentials> ContainerCredentials(const CredentialContext& context);

// EC2's instance metadata service, version 2 alone: version 1 gives credentials to whoever can make the machine send a
// GET. Off where AWS_EC2_METADATA_DISABLED is true; AWS_EC2_METADATA_SERVICE_ENDPOINT (and _MODE, "IPv6"),
// AWS_METADATA_SERVICE_TIMEOUT (seconds) and AWS_METADATA_SERVICE_NUM_ATTEMPTS are honoured. kNotFound where there is
// no such service, or no role: this is no instance with credentials.
bool InstanceIsConfigured(const CredentialSources& sources);
Result<Credentials> InstanceCredentials(const CredentialContext& context);

}  // namespace tailrace
