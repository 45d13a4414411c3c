// What may go wrong with a request, by name, and what its caller is to be told.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "tailrace/error.h"
#include "testing/s3_server/fault.h"

namespace tailrace::sim {

struct FaultKind {
  std::string name;
  Fault fault;
  // A single one is mended by the client, unseen by its caller.
  bool mended = true;
  // What is told where it goes on and on; finish, commit and abort may also say that the outcome is unknown.
  std::set<ErrorKind> kinds;
  // Of the answer, in the message.
  std::string cause;
  // It is only ever the answer to these.
  std::vector<std::string> operations = {"*"};

  // Nobody knows whether the store did what was asked.
  bool no_answer() const { return fault.no_reply || fault.send_bytes.has_value(); }
};

// Those that need no wire.
std::vector<FaultKind> FaultKinds();

}  // namespace tailrace::sim
