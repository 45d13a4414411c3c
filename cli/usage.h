// The usage line of a subcommand, as people write it: CLI11 cannot tell "INPUT... URL" from one list.
#pragma once

#include <memory>
#include <string>

#include <CLI/CLI.hpp>

namespace tailrace::cli {

// `usage` is what stands between "Usage: tailrace " and the options.
inline void SetUsage(CLI::App* command, const std::string& usage) {
  class UsageFormatter : public CLI::Formatter {
   public:
    explicit UsageFormatter(std::string usage) : usage_(std::move(usage)) {}
    std::string make_usage(const CLI::App*, std::string) const override {
      return "Usage: tailrace " + usage_ + " [OPTIONS]\n";
    }

   private:
    const std::string usage_;
  };
  command->formatter(std::make_shared<UsageFormatter>(usage));
}

}  // namespace tailrace::cli
