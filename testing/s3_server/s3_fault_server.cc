// The S3 server of the tests as a program, for clients that are not C++.
//
//   s3_fault_server [--rules JSON] [--faults FILE.json] [--log FILE] [--tls FILE]
//
// Prints endpoint, credentials and bucket as NAME=VALUE lines, then an empty line, and serves until its standard input
// ends, so that it never outlives who started it. Then it writes one JSON line for each call to the log. With --tls it
// speaks TLS, for the name "localhost" alone, and writes the certificate to trust to the file.
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

arrow::Status Configure(S3Server* server, const std::string& name, const std::string& value) {
  if (name == "--log" || name == "--tls") return arrow::Status::OK();  // done by Main
  if (name == "--rules") {
    ARROW_ASSIGN_OR_RAISE(const auto change, ParseS3Rules(value));
    server->service().Change(change);
    return arrow::Status::OK();
  }
  if (name == "--faults") {
    ARROW_ASSIGN_OR_RAISE(const FaultFile file, ReadFaultFile(value));
    server->Use(file);
    return arrow::Status::OK();
  }
  return arrow::Status::Invalid("unknown argument '", name, "'");
}

std::string ValueOf(const std::string& name, int argc, char** argv) {
  for (int i = 1; i + 1 < argc; i += 2) {
    if (argv[i] == name) return argv[i + 1];
  }
  return {};
}

S3ServerOptions OptionsFor(const std::string& certificate_path) {
  S3ServerOptions options;
  if (certificate_path.empty()) return options;
  const TlsCertificate authority = MakeCertificateAuthority("s3_fault_server");
  options.tls = MakeServerCertificate({"localhost"}, {}, &authority);
  std::ofstream(certificate_path) << authority.certificate;
  return options;
}

// As a client calls it: the certificate is for a name.
std::string EndpointOf(const S3Server& server, bool tls) {
  return tls ? "https://localhost:" + std::to_string(server.port()) : server.endpoint();
}

int Main(int argc, char** argv) {
  const std::string log_path = ValueOf("--log", argc, argv), certificate_path = ValueOf("--tls", argc, argv);
  S3Server server(OptionsFor(certificate_path));
  for (int i = 1; i < argc; i += 2) {
    const arrow::Status status = Configure(&server, argv[i], i + 1 < argc ? argv[i + 1] : "");
    if (!status.ok()) {
      std::cerr << "s3_fault_server: " << status.message() << "\n";
      return 2;
    }
  }
  const S3Key key = server.key();
  std::cout << "TAILRACE_STORE=fault\nTAILRACE_BUCKET=bucket\nAWS_ENDPOINT_URL="
            << EndpointOf(server, !certificate_path.empty()) << "\nAWS_ACCESS_KEY_ID=" << key.access_key_id
            << "\nAWS_SECRET_ACCESS_KEY=" << key.secret_access_key
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
