// A report as JSON. docs/performance.md names what is in it.
#pragma once

#include <filesystem>

#include <nlohmann/json.hpp>

#include "report/results.hpp"

namespace baltoro::bench {

nlohmann::ordered_json to_json(const report& of);
// One of its graphs.
nlohmann::ordered_json to_json(const graph_result& of);

// The file is whole at any time, whatever happens to the process. Throws io_error.
void write_json(const nlohmann::ordered_json& document, const std::filesystem::path& file);

}  // namespace baltoro::bench
