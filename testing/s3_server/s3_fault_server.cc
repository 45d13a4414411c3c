// The S3 server of the tests as a program, for clients that are not C++.
//
//   s3_fault_server [--rules JSON] [--faults FILE.json] [--log FILE]
//
// Prints endpoint, credentials and bucket as NAME=VALUE lines, then an empty line, and serves until its standard input
// ends, so that it never outlives who started it. Then it writes one JSON line for each call to the log.
#include <cstdio>
#include <fstream>
#include <iostream>
#include <string>

#include <nlohmann/json.hpp>

#include "testing/s3_server/s3_server.h"

namespace tailrace {
namespace {

std::string LogLine(const S3LogEntry& entry) {
  nlohmann::json headers = nlohmann::json::object();
  for (const auto& [name, value] : entry.headers.fields()) headers[name] = value;
  return nlohmann::json{{"number", entry.number},
                        {"operation", entry.operation},
                        {"bucket", entry.bucket},
                        {"key", entry.key},
                        {"query", entry.query},
                        {"headers", headers},
                        {"body_bytes", entry.body_bytes},
                        {"status", entry.status},
                        {"code", entry.code},
                        {"faulty", entry.faulty},
                        {"applied", entry.applied}}
      .dump();
}

int Main(int argc, char** argv) {
  S3Server server;
  std::string log_path;
  for (int i = 1; i < argc; i += 2) {
    const std::string name = argv[i], value = i + 1 < argc ? argv[i + 1] : "";
    arrow::Status status;
    if (name == "--log" && !value.empty()) {
      log_path = value;
    } else if (name == "--rules") {
      auto change = ParseS3Rules(value);
      status = change.status();
      if (change.ok()) server.service().Change(*change);
    } else if (name == "--faults") {
      auto file = ReadFaultFile(value);
      status = file.status();
      if (file.ok()) server.Use(*file);
    } else {
      status = arrow::Status::Invalid("unknown argument '", name, "'");
    }
    if (!status.ok()) {
      std::cerr << "s3_fault_server: " << status.message() << "\n";
      return 2;
    }
  }
  const S3Key key = server.key();
  std::cout << "TAILRACE_STORE=fault\nTAILRACE_BUCKET=bucket\nAWS_ENDPOINT_URL=" << server.endpoint()
            << "\nAWS_ACCESS_KEY_ID=" << key.access_key_id << "\nAWS_SECRET_ACCESS_KEY=" << key.secret_access_key
            << "\nAWS_REGION=us-east-1\nAWS_DEFAULT_REGION=us-east-1\n"
            << std::endl;
  while (std::getchar() != EOF) {
  }
  if (!log_path.empty()) {
    std::ofstream out(log_path);
    for (const S3LogEntry& entry : server.log()) out << LogLine(entry) << "\n";
  }
  return 0;
}

}  // namespace
}  // namespace tailrace

int main(int argc, char** argv) { return tailrace::Main(argc, argv); }
