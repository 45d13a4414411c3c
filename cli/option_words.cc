#include "cli/option_words.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace tailrace::cli {

namespace {

using Words = std::pair<std::string_view, std::string_view>;

constexpr std::string_view kS3Option = "S3 option ";
// Of S3Options; the others are called alike, with dashes.
constexpr std::array<Words, 5> kS3Options = {{
    {"encryption.customer_key", "--sse-customer-key-file"},
    {"encryption.kms_key_id", "--sse-kms-key-id"},
    {"metadata", "--object-metadata"},
    {"tags", "--tag"},
    {"credentials", "--aws-profile"},
}};
constexpr std::array<Words, 20> kPhrases = {{
    {"which allow_http refuses", "which --no-http refuses"},
    {": set encryption.customer_key", ": give it with --sse-customer-key-file FILE"},
    {"set retarget to use it there", "--retarget URL uses it there"},
    {"set force to replace it", "--force replaces it"},
    {"overwrite = fail_if_exists_atomically", "--require-atomic"},
    {"a profile of it may tell otherwise (conditional_put)", "--store-profile FILE may tell otherwise"},
    {"(CA file option)", "(--ca-file)"},
    {"columns: bloom_filter: ", "--bloom-filter: "},
    {"sorting_columns: ", "--sorting-column: "},
    {"columns: column ", "--column-dictionary or --bloom-filter: column "},
    {": version: Parquet", ": --parquet-version: Parquet"},
    {"with text_not_utf8", "with --text-not-utf8 binary"},
    {"row_group_bytes", "--row-group-bytes"},
    {"row_group_rows", "--row-group-rows"},
    {"part_size_bytes", "--part-size"},
    {"expected_bytes", "--expected-bytes"},
    {"growing_parts", "--growing-parts"},
    {"memory_budget_bytes", "--memory-budget"},
    {"carry_max_bytes", "--carry-max-bytes"},
    {"checkpoint_mode", "--checkpoint-mode"},
}};

void ReplaceAll(std::string* text, std::string_view from, std::string_view to) {
  for (size_t at = text->find(from); at != std::string::npos; at = text->find(from, at + to.size())) {
    text->replace(at, from.size(), to);
  }
}

std::string FlagOf(std::string_view option) {
  for (const auto& [name, flag] : kS3Options) {
    // "metadata.owner" is one of the metadata.
    if (option == name || (option.starts_with(name) && option[name.size()] == '.')) return std::string(flag);
  }
  std::string flag = "--" + std::string(option);
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

}  // namespace

std::string InCommandLineWords(std::string message) {
  for (size_t at = message.find(kS3Option); at != std::string::npos; at = message.find(kS3Option, at + 1)) {
    const size_t name = at + kS3Option.size();
    const size_t end = message.find(':', name);
    if (end == std::string::npos) break;
    message.replace(at, end - at, FlagOf(std::string_view(message).substr(name, end - name)));
  }
  for (const auto& [from, to] : kPhrases) ReplaceAll(&message, from, to);
  return message;
}

}  // namespace tailrace::cli
