// `baltoro bench --suite paper`: stand-ins for the paper's graphs, step by step.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "options.hpp"
#include "runs/bench.hpp"

namespace baltoro::cli {

struct suite_arguments {
  std::string name;  // empty: no suite
  std::vector<std::string> graphs;
  std::vector<std::string> parts;
  std::uint64_t scale = 1;
  std::optional<double> budget_s;
};

// --suite, which excludes the options that are named, and those that need it.
void add_suite(CLI::App& command, suite_arguments& given, const std::vector<std::string>& excluded);

// Throws not_compiled where there is no GPU, and error where something failed.
void run_suite(const suite_arguments& given, const std::filesystem::path& output,
               bench::bench_options options, const common_options& common);

}  // namespace baltoro::cli
