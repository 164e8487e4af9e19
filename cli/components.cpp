// baltoro components: which vertices are connected.
#include <baltoro/components.hpp>
#include <baltoro/threads.hpp>

#include <algorithm>
#include <memory>
#include <numeric>

#include <fmt/format.h>

#include "algorithm.hpp"
#include "commands.hpp"
#include "figures.hpp"
#include "vertex_values.hpp"
#include "vertices.hpp"

namespace baltoro::cli {
namespace {

struct arguments : algorithm_arguments {
  bool strong = false;
  std::uint64_t top = 10;
  std::filesystem::path output;
};

// The largest components with their smallest vertices, largest first, equal ones by number.
struct listed {
  index_t component;
  std::uint64_t size;
  index_t smallest;
};

std::vector<listed> largest(const components_result& found, std::uint64_t count) {
  std::vector<listed> all(found.sizes.size());
  for (index_t c = 0; c < all.size(); ++c) all[c] = {c, found.sizes[c], 0};
  // Components are numbered by their smallest vertex.
  index_t next = 0;
  for (index_t v = 0; v < found.component.size() && next < all.size(); ++v) {
    if (found.component[v] == next) all[next++].smallest = v;
  }
  const auto kept =
      all.begin() + static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(count, all.size()));
  std::partial_sort(all.begin(), kept, all.end(), [](const listed& a, const listed& b) {
    return a.size != b.size ? a.size > b.size : a.component < b.component;
  });
  all.erase(kept, all.end());
  return all;
}

void run(const arguments& given) {
  require_cpu("components", given.where);
  require_values_output("--output", given.output);
  const thread_limit limit(given.common.threads);
  progress_display display(given.common.quiet);
  const open_graph opened = open_square(given.input, display);
  require_memory_for(given.input, components_needs(opened.matrix));
  const components_options options{display.callback()};
  const stopwatch watch;
  const components_result result = about(given.input.file, [&] {
    return given.strong ? strong_components(opened.matrix, options)
                        : weak_components(opened.matrix, options);
  });
  const double seconds = watch.seconds();
  display.clear();
  if (!given.output.empty()) {
    const std::vector<std::int64_t> numbers(result.component.begin(), result.component.end());
    write_values(given.output, opened, {"component", numbers});
  }
  const std::vector<listed> top = largest(result, given.top);
  const char* const kind = given.strong ? "strong" : "weak";
  if (given.common.json) {
    json list = json::array();
    for (const listed& each : top) {
      json entry = {{"component", each.component},
                    {"vertices", each.size},
                    {"smallest_vertex", each.smallest}};
      if (each.smallest < opened.graph.vertices.size()) {
        entry["name"] = opened.graph.vertices[each.smallest];
      }
      list.push_back(std::move(entry));
    }
    json document = head_json(given.input, opened);
    document.update({{"kind", kind},
                     {"components", result.sizes.size()},
                     {"top", std::move(list)},
                     {"working_set", to_json(result.needs)},
                     {"seconds", seconds_json(opened, seconds)}});
    if (!given.output.empty()) document["output"] = given.output.string();
    print_json(document);
    return;
  }
  std::string text;
  if (!given.common.quiet) {
    text = fmt::format("{}; {} {}ly connected components in {:.3g} s\n{}\n",
                       head_text(given.input, opened), grouped(result.sizes.size()), kind, seconds,
                       to_text(result.needs));
  }
  if (given.top > 0) {
    table rows("rrl");
    rows.row({"vertices", "component", "smallest vertex"});
    for (const listed& each : top) {
      rows.row(
          {grouped(each.size), std::to_string(each.component), label_of(opened, each.smallest)});
    }
    text += rows.text();
  }
  print(text);
}

}  // namespace

void add_components(CLI::App& app, action& chosen) {
  auto given = std::make_shared<arguments>();
  CLI::App* command = app.add_subcommand("components", "Find connected components");
  add_input(*command, given->input);
  command->add_flag(
      "--strong", given->strong,
      "Strongly connected: along the edges each vertex reaches every other; without,\n"
      "edges are followed either way");
  add_values_output(*command, "-o,--output", given->output,
                    "Write the number of every vertex's component, int64");
  add_top(*command, given->top, "numbers of vertices");
  add_cpu_device(*command, given->where);
  add_common(*command, given->common);
  command->footer(std::string(square_note) +
                  "Components are numbered by their smallest vertex.\n"
                  "\nExamples:\n"
                  "  baltoro components web.k2m\n"
                  "  baltoro components web.k2m --strong -o components.npy");
  command->callback([given, &chosen] { chosen = [given] { run(*given); }; });
}

}  // namespace baltoro::cli
