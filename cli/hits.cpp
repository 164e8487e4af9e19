// baltoro hits: hubs and authorities.
#include <baltoro/spectral.hpp>
#include <baltoro/threads.hpp>

#include <memory>

#include <fmt/format.h>

#include "algorithm.hpp"
#include "commands.hpp"
#include "figures.hpp"
#include "usage_error.hpp"
#include "vertex_values.hpp"

namespace baltoro::cli {
namespace {

struct arguments {
  common_options common;
  input_options input;
  iteration_options options;
  std::uint64_t top = 10;
  std::filesystem::path hubs;
  std::filesystem::path authorities;
};

void run(const arguments& given) {
  require_values_output("--hubs", given.hubs);
  require_values_output("--authorities", given.authorities);
  if (!given.hubs.empty() && given.hubs == given.authorities) {
    throw usage_error("--hubs and --authorities name the same file");
  }
  const thread_limit limit(given.common.threads);
  progress_display display(given.common.quiet);
  const open_graph opened = open_square(given.input, display);
  iteration_options options = given.options;
  options.progress = display.callback();
  about(given.input.file,
        [&] { require_memory_for(given.input, hits_needs(opened.matrix, options)); });
  const stopwatch watch;
  const hits_result result = about(given.input.file, [&] { return hits(opened.matrix, options); });
  const double seconds = watch.seconds();
  display.clear();
  const vertex_column hubs{"hub", result.hubs};
  const vertex_column authorities{"authority", result.authorities};
  write_values(given.hubs, opened, hubs);
  write_values(given.authorities, opened, authorities);
  const std::vector<index_t> best_hubs = highest(result.hubs, given.top);
  const std::vector<index_t> best_authorities = highest(result.authorities, given.top);
  if (given.common.json) {
    json document = head_json(given.input, opened);
    document.update({{"tolerance", options.tolerance},
                     {"iterations", result.iterations},
                     {"change", result.change},
                     {"converged", result.converged},
                     {"device", name_of(result.where)},
                     {"working_set", to_json(result.needs)},
                     {"top_authorities", list_json(opened, best_authorities, {authorities})},
                     {"top_hubs", list_json(opened, best_hubs, {hubs})},
                     {"seconds", seconds_json(opened, seconds)}});
    if (!given.hubs.empty()) document["hubs"] = given.hubs.string();
    if (!given.authorities.empty()) document["authorities"] = given.authorities.string();
    print_json(document);
  } else {
    std::string text;
    if (!given.common.quiet) {
      text = fmt::format("{}; {} iterations in {:.3g} s, change {:.2e}\n{}\n",
                         head_text(given.input, opened), result.iterations, seconds, result.change,
                         to_text(result.needs));
    }
    if (given.top > 0) {
      text +=
          list_text(opened, best_authorities, {authorities}) + list_text(opened, best_hubs, {hubs});
    }
    print(text);
  }
  if (!result.converged) {
    note_not_converged(given.common, result.iterations, result.change, options.tolerance, "scores");
  }
}

}  // namespace

void add_hits(CLI::App& app, action& chosen) {
  auto given = std::make_shared<arguments>();
  given->options.where = device::automatic;
  CLI::App* command = app.add_subcommand("hits", "Find hubs and authorities");
  add_input(*command, given->input);
  add_values_output(*command, "--hubs", given->hubs, "Write all hub scores, float64");
  add_values_output(*command, "--authorities", given->authorities,
                    "Write all authority scores, float64");
  add_top(*command, given->top, "scores");
  add_iteration(*command, given->options.tolerance, given->options.max_iterations, "iterations");
  add_device(*command, given->options.where, given->options.cuda);
  add_common(*command, given->common);
  command->footer(std::string(square_note) +
                  "\nExamples:\n"
                  "  baltoro hits web.k2m --top 20\n"
                  "  baltoro hits web.k2m --authorities a.npy --hubs h.tsv");
  command->callback([given, &chosen] { chosen = [given] { run(*given); }; });
}

}  // namespace baltoro::cli
