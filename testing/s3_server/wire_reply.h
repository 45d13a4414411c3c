// Brings an answer onto the wire, as a fault says.
#pragma once

#include "testing/s3_server/fault.h"
#include "testing/s3_server/s3_service.h"
#include "testing/server_connection.h"

namespace tailrace {

// What the client is told: the store's answer as the fault changes it.
S3Reply ChangedReply(const S3Call& call, const S3Reply& own, const Fault& fault);

// Sends it; false where the connection ends.
bool SendReply(ServerConnection& connection, const S3Call& call, const S3Reply& reply, const Fault& fault);

}  // namespace tailrace
