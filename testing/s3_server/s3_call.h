// One request to the test's S3 server, taken apart as S3 does.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "testing/server_connection.h"

namespace tailrace {

// An answer that is an error. `elements` are more children of <Error>.
struct S3Error {
  int status = 400;
  std::string code;
  std::string message;
  std::map<std::string, std::string> elements;
  HttpHeaders headers;
};

struct S3Call {
  int number = 0;         // of all calls to this server, from 1
  std::string operation;  // "UploadPart", as in S3's reference; empty where nothing fits
  std::string method;
  std::string raw_path;   // as on the wire, with the bucket where it stands in the path
  std::string raw_query;  // ... without '?'
  std::string bucket;     // decoded; from the path or the host
  std::string key;        // decoded; empty for calls about the bucket
  bool virtual_host = false;
  std::map<std::string, std::string> query;  // decoded
  HttpHeaders headers;
  std::string body;

  std::string Header(const std::string& name) const { return headers.Get(name).value_or(""); }
  bool HasHeader(const std::string& name) const { return headers.Get(name).has_value(); }
  std::string Query(const std::string& name) const;
  bool presigned() const { return query.contains("X-Amz-Signature"); }
  // From the query; 0 where there is none or it is no number.
  int part_number() const;
};

// Percent-decodes; nullopt for a broken escape. '+' is a plus.
std::optional<std::string> PercentDecode(std::string_view text);
// Percent-encodes as SigV4 wants it: all but A-Z a-z 0-9 - _ . ~, and '/' where `keep_slash`.
std::string PercentEncode(std::string_view text, bool keep_slash);

// Refuses what S3 would let pass but its signature rules do not define: a path that is not encoded as SigV4 encodes it,
// a repeated parameter. A host below `domain` names the bucket.
std::variant<S3Call, S3Error> ParseS3Call(const ServerRequest& request, std::string_view domain);

}  // namespace tailrace
