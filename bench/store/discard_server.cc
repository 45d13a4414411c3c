// An S3 server that keeps nothing of the bodies, for benchmarks: what a client costs, without what a server costs.
//
//   discard_server [--tls CA_FILE] [--wait-ms N] [--bytes-per-second N] [--fail-percent N]
//
// --wait-ms is slept before each answer, --bytes-per-second bounds each connection, and of all requests the given share
// is answered with 500 or reset in the middle, in turns, without effect. Prints endpoint and credentials as NAME=VALUE
// lines, then an empty line, and serves until its standard input ends; then one line of JSON says what was asked for.
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <random>
#include <string>
#include <thread>

#include "base/mutex.h"
#include "testing/scripted_server.h"

namespace tailrace {
namespace {

using std::chrono::duration;
using std::chrono::steady_clock;

struct Behaviour {
  std::string ca_file;
  std::chrono::milliseconds wait{0};
  double bytes_per_second = 0;  // of a connection; 0: no bound
  double fail_percent = 0;
};

struct Object {
  int64_t size_bytes = 0;
  std::string write_id;
};
struct Upload {
  Object object;
  std::map<int, int64_t> part_bytes;
};

enum class Failure { kNone, kAnswer500, kReset };

class DiscardStore {
 public:
  explicit DiscardStore(Behaviour behaviour) : behaviour_(std::move(behaviour)) {}

  // One exchange; false ends the connection.
  bool Serve(ServerConnection& connection, ServerRequest& request) {
    const Failure failure = DrawFailure();
    if (!request.Header("expect").empty() && !connection.Send("HTTP/1.1 100 Continue\r\n\r\n")) return false;
    const bool is_complete = request.method == "POST" && Query(request.target, "uploadId") != "";
    const int64_t length = Receive(connection, request, failure == Failure::kReset);
    if (length < 0) return false;
    std::this_thread::sleep_for(behaviour_.wait);
    if (failure == Failure::kReset) {
      connection.Reset();
      return false;
    }
    if (failure == Failure::kAnswer500) {
      return connection.SendReply(500, "<Error><Code>InternalError</Code></Error>");
    }
    // boto3 sends checksums behind the body, which then is longer than the object.
    const std::string decoded = request.Header("x-amz-decoded-content-length");
    return Answer(connection, request, is_complete, decoded.empty() ? length : std::atoll(decoded.c_str()));
  }

  std::string Summary() {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    const auto seconds = [](const timeval& time) {
      return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    };
    MutexLock lock(&mutex_);
    return "{\"requests\": " + std::to_string(requests_) + ", \"failed\": " + std::to_string(failed_) +
           ", \"objects\": " + std::to_string(objects_.size()) +
           ", \"cpu_s\": " + std::to_string(seconds(used.ru_utime) + seconds(used.ru_stime)) + "}";
  }

 private:
  static std::string Path(const std::string& target) { return target.substr(0, target.find('?')); }
  static std::string Query(const std::string& target, const std::string& name) {
    const size_t question = target.find('?');
    if (question == target.npos) return "";
    for (size_t at = question + 1; at < target.size();) {
      const size_t end = std::min(target.find('&', at), target.size());
      const std::string field = target.substr(at, end - at);
      if (field.starts_with(name + "=")) return field.substr(name.size() + 1);
      at = end + 1;
    }
    return "";
  }

  Failure DrawFailure() {
    MutexLock lock(&mutex_);
    ++requests_;
    if (std::uniform_real_distribution<>(0, 100)(random_) >= behaviour_.fail_percent) return Failure::kNone;
    return ++failed_ % 2 == 0 ? Failure::kReset : Failure::kAnswer500;
  }

  // The size of the body as it came, or -1 where it ended early; `half` of one whose length is announced.
  int64_t Receive(ServerConnection& connection, const ServerRequest& request, bool half) {
    const auto begin = steady_clock::now();
    int64_t received = 0;
    const auto pace = [&](int64_t bytes) {
      received += bytes;
      if (behaviour_.bytes_per_second == 0) return;
      const duration<double> due(static_cast<double>(received) / behaviour_.bytes_per_second);
      std::this_thread::sleep_until(begin + std::chrono::duration_cast<steady_clock::duration>(due));
    };
    const int64_t announced = std::atoll(request.Header("content-length").c_str());
    const bool whole = request.Header("transfer-encoding") == "chunked"
                           ? connection.DiscardChunks(pace)
                           : connection.DiscardBody(half ? announced / 2 : announced, pace);
    return whole ? (half ? received : std::max(received, announced)) : -1;
  }

  bool Answer(ServerConnection& connection, const ServerRequest& request, bool is_complete, int64_t length) {
    const std::string path = Path(request.target), id = Query(request.target, "uploadId");
    HttpHeaders headers;
    const std::string crc = request.Header("x-amz-checksum-crc64nvme");
    if (!crc.empty()) headers.Add("x-amz-checksum-crc64nvme", crc);
    int status = 200;
    std::string body;
    {
      MutexLock lock(&mutex_);
      if (request.method == "PUT") {
        headers.Add("ETag", "\"0123456789abcdef0123456789abcdef\"");
        if (id.empty()) {
          objects_[path] = {length, request.Header("x-amz-meta-tailrace-write-id")};
        } else {
          uploads_[id].part_bytes[std::atoi(Query(request.target, "partNumber").c_str())] = length;
        }
      } else if (is_complete) {
        Object object = uploads_[id].object;
        for (const auto& [number, bytes] : uploads_[id].part_bytes) object.size_bytes += bytes;
        objects_[path] = object;
        uploads_.erase(id);
        body = "<CompleteMultipartUploadResult><ETag>\"0-1\"</ETag></CompleteMultipartUploadResult>";
      } else if (request.method == "POST") {
        const std::string name = "upload-" + std::to_string(requests_);
        uploads_[name].object.write_id = request.Header("x-amz-meta-tailrace-write-id");
        body = "<InitiateMultipartUploadResult><UploadId>" + name + "</UploadId></InitiateMultipartUploadResult>";
      } else if (request.method == "DELETE") {
        status = 204;
      } else if (const auto it = objects_.find(path); it != objects_.end()) {
        headers.Add("ETag", "\"0-1\"");
        headers.Add("Content-Length", std::to_string(it->second.size_bytes));
        headers.Add("x-amz-meta-tailrace-write-id", it->second.write_id);
      } else {
        status = 404;
      }
    }
    return connection.SendReply(status, body, headers);
  }

  const Behaviour behaviour_;
  Mutex mutex_;
  std::mt19937 random_ TAILRACE_GUARDED_BY(mutex_){1};
  int64_t requests_ TAILRACE_GUARDED_BY(mutex_) = 0;
  int64_t failed_ TAILRACE_GUARDED_BY(mutex_) = 0;
  std::map<std::string, Object> objects_ TAILRACE_GUARDED_BY(mutex_);
  std::map<std::string, Upload> uploads_ TAILRACE_GUARDED_BY(mutex_);
};

bool Parse(int argc, char** argv, Behaviour* behaviour) {
  for (int i = 1; i < argc; i += 2) {
    const std::string name = argv[i], value = i + 1 < argc ? argv[i + 1] : "";
    if (value.empty()) return false;
    if (name == "--tls") {
      behaviour->ca_file = value;
    } else if (name == "--wait-ms") {
      behaviour->wait = std::chrono::milliseconds(std::atoi(value.c_str()));
    } else if (name == "--bytes-per-second") {
      behaviour->bytes_per_second = std::atof(value.c_str());
    } else if (name == "--fail-percent") {
      behaviour->fail_percent = std::atof(value.c_str());
    } else {
      return false;
    }
  }
  return true;
}

int Main(int argc, char** argv) {
  Behaviour behaviour;
  if (!Parse(argc, argv, &behaviour)) {
    std::cerr << "usage: discard_server [--tls CA_FILE] [--wait-ms N] [--bytes-per-second N] [--fail-percent N]\n";
    return 2;
  }
  ServerOptions options;
  if (!behaviour.ca_file.empty()) {
    const TlsCertificate authority = MakeCertificateAuthority("discard_server");
    options.tls = MakeServerCertificate({"localhost"}, {"127.0.0.1"}, &authority);
    std::ofstream(behaviour.ca_file) << authority.certificate;
  }
  DiscardStore store(behaviour);
  {
    const ScriptedServer server([&](auto& connection, auto& request) { return store.Serve(connection, request); },
                                options);
    const std::string scheme = options.tls ? "https" : "http";
    std::cout << "AWS_ENDPOINT_URL=" << scheme << "://127.0.0.1:" << server.port()
              << "\nAWS_ACCESS_KEY_ID=key\nAWS_SECRET_ACCESS_KEY=secret\nAWS_REGION=us-east-1\n"
              << "AWS_DEFAULT_REGION=us-east-1\nAWS_CONFIG_FILE=/dev/null\nAWS_SHARED_CREDENTIALS_FILE=/dev/null\n"
              << "AWS_EC2_METADATA_DISABLED=true\n"
              << std::endl;
    while (std::getchar() != EOF) {
    }
  }
  std::cout << store.Summary() << std::endl;
  return 0;
}

}  // namespace
}  // namespace tailrace

int main(int argc, char** argv) { return tailrace::Main(argc, argv); }
