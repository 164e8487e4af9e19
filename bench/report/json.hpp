// A report as JSON. docs/performance.md names what is in it.
#pragma once

#include <nlohmann/json.hpp>

#include "report/results.hpp"

namespace baltoro::bench {

nlohmann::ordered_json to_json(const report& of);

}  // namespace baltoro::bench
