#include "report/suite_file.hpp"

#include <baltoro/error.hpp>

#include <cerrno>
#include <fstream>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "report/json.hpp"

namespace baltoro::bench {
namespace {

using json = nlohmann::ordered_json;

constexpr const char* suite_name = "paper";

// What all figures of one file have in common.
json common_of(const json& document) {
  const json& context = document.at("context");
  return {{"GPU", context.at("gpu").value("name", "")},
          {"version", context.at("baltoro")},
          {"commit", context.at("commit")},
          {"threads", context.at("threads")},
          {"protocol", document.at("protocol")}};
}

bool is_suite(const json& document) {
  if (!document.is_object() || document.value("suite", "") != suite_name) return false;
  for (const json& graph : document.at("graphs")) {
    if (!graph.at("stand_in").is_string() || !graph.at("scale").is_number_unsigned()) return false;
    for (const json& step : graph.at("steps")) step.at("failures").get<std::uint64_t>();
  }
  common_of(document);
  return document.at("hardware").is_object();
}

json read(const std::filesystem::path& file) {
  std::error_code missing;
  if (!std::filesystem::exists(file, missing)) return {};
  std::ifstream in(file, std::ios::binary);
  if (!in) throw io_error(file.string(), "cannot open", errno);
  try {
    json document = json::parse(in);
    if (is_suite(document)) return document;
  } catch (const json::exception&) {
    // Said below.
  }
  throw invalid_format(file.string(), "", "not what 'baltoro bench --suite' has written");
}

}  // namespace

const char* name_of(suite_part part) {
  switch (part) {
    case suite_part::products:
      return "products";
    case suite_part::construction:
      return "construction";
    case suite_part::ablation:
      return "ablation";
    case suite_part::tiles:
      return "tiles";
    case suite_part::search:
      return "search";
    case suite_part::peers:
      return "peers";
  }
  return "unknown";
}

suite_file::suite_file(std::filesystem::path file, std::uint64_t scale)
    : file_(std::move(file)), scale_(scale), document_(read(file_)) {}

const json* suite_file::find(const std::string& graph) const {
  if (document_.is_null()) return nullptr;
  for (const json& each : document_.at("graphs")) {
    if (each.at("stand_in") == graph) return &each;
  }
  return nullptr;
}

bool suite_file::has(const suite_step& step) const {
  const json* const graph = find(step.graph);
  if (graph == nullptr) return false;
  if (graph->at("scale") != scale_) {
    throw invalid_argument(
        fmt::format("{}: the stand-in for {} is there at scale {}, not {}; name another file",
                    file_.string(), step.graph, graph->at("scale").get<std::uint64_t>(), scale_));
  }
  const json& steps = graph->at("steps");
  const auto found = steps.find(name_of(step.part));
  return found != steps.end() && found->at("failures") == 0;
}

bool suite_file::has_hardware() const {
  return !document_.is_null() && document_.at("hardware").contains("launch_us");
}

void suite_file::begin(const report& now) {
  json fresh = to_json(now);
  if (document_.is_null()) {
    document_ = {{"suite", suite_name}};
    document_.update(fresh);
    return;
  }
  const json before = common_of(document_);
  const json after = common_of(fresh);
  for (const auto& [what, value] : before.items()) {
    if (value != after.at(what)) {
      throw invalid_argument(fmt::format("{}: its {} is {}, not {}; name another file",
                                         file_.string(), what, value.dump(),
                                         after.at(what).dump()));
    }
  }
  if (!has_hardware()) document_["hardware"] = fresh["hardware"];
  document_["context"]["date"] = fresh["context"]["date"];
}

void suite_file::add(const suite_step& step, const graph_result& found, double seconds) {
  json& graphs = document_.at("graphs");
  auto entry = graphs.begin();
  while (entry != graphs.end() && entry->at("stand_in") != step.graph) ++entry;
  if (entry == graphs.end()) {
    graphs.push_back({{"stand_in", step.graph}, {"scale", scale_}, {"steps", json::object()}});
    entry = graphs.end() - 1;
  }
  json fresh = to_json(found);
  // Only products have engines; a report has a list of them in any case.
  if (fresh["engines"].empty() && entry->contains("engines")) fresh.erase("engines");
  entry->update(fresh);
  (*entry)["steps"][name_of(step.part)] = {
      {"date", document_["context"]["date"]}, {"seconds", seconds}, {"failures", failures(found)}};
  count_failures();
  write_json(document_, file_);
}

void suite_file::count_failures() {
  std::uint64_t count = document_["hardware"].contains("failed") ? 1 : 0;
  for (const json& graph : document_["graphs"]) {
    for (const json& step : graph["steps"]) count += step["failures"].get<std::uint64_t>();
  }
  document_["failures"] = count;
}

}  // namespace baltoro::bench
