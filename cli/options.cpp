#include "options.hpp"

#include <cstdint>

#include <fmt/format.h>

#include "parse.hpp"

namespace baltoro::cli {
namespace {

// What a builder needs (build_options::memory_bytes).
constexpr std::uint64_t least_memory = std::uint64_t{16} << 20U;

}  // namespace

void add_common(CLI::App& command, common_options& options) {
  const auto threads = [](const std::string& option, const std::string& text) {
    const std::uint64_t value = parse_count(option, text);
    if (value < 1 || value > 4096) {
      throw CLI::ValidationError(option, "'" + text + "' is not a number from 1 to 4096");
    }
    return static_cast<unsigned>(value);
  };
  add_parsed(command, "--threads", options.threads, threads, "N",
             "Use at most N threads; all cores where left out");
  command.add_flag("--json", options.json, "Print figures as JSON, for programs");
  command.add_flag("--quiet", options.quiet,
                   "Print no progress and no notes, only what was asked for");
}

void add_reading(CLI::App& command, reading_options& options) {
  const auto only = [&options](const CLI::Option* option, file_format format) {
    options.limited.push_back({option, {format}});
  };
  constexpr const char* group = "Reading";
  add_choice<file_format>(command, "--from", options.format,
                          {{"auto", file_format::automatic},
                           {"mtx", file_format::matrix_market},
                           {"edges", file_format::edge_list},
                           {"bvgraph", file_format::bvgraph},
                           {"triples", file_format::triples},
                           {"k2m", file_format::k2m}},
                          "Format of the input; told by name and first bytes where left out")
      ->group(group);
  add_parsed(command, "--shape", options.build.dims, parse_shape, "RxC",
             "Rows and columns; where left out, as the file says or as its edges need")
      ->group(group);
  only(add_choice<index_t>(command, "--index-base", options.index_base, {{"0", 0}, {"1", 1}},
                           "Edge lists: number of the first vertex (0)")
           ->group(group),
       file_format::edge_list);
  only(add_parsed(command, "--skip-lines", options.skip_lines, parse_count, "N",
                  "Edge lists: lines to pass over at the start")
           ->group(group),
       file_format::edge_list);
  only(add_choice<vertex_order>(command, "--order", options.order,
                                {{"auto", vertex_order::automatic},
                                 {"bytes", vertex_order::by_bytes},
                                 {"number", vertex_order::by_number},
                                 {"first-seen", vertex_order::first_seen}},
                                "Triples: how vertices are numbered")
           ->group(group),
       file_format::triples);
  add_memory(command, options.build, group);
}

void add_memory(CLI::App& command, build_options& options, const std::string& group) {
  const auto memory = [](const std::string& option, const std::string& text) {
    const std::uint64_t bytes = parse_size(option, text);
    if (bytes != 0 && bytes < least_memory) {
      throw CLI::ValidationError(
          option,
          fmt::format("'{}' is {} bytes; at least 16MiB is needed, 0 sets no limit", text, bytes));
    }
    return bytes;
  };
  add_parsed(command, "--memory", options.memory_bytes, memory, "SIZE",
             "Most memory for building, for instance 4GiB; edges are sorted on disk beyond it")
      ->group(group);
  add_parsed(
      command, "--temporary-directory", options.temporary_directory,
      [](const std::string&, const std::string& text) { return std::filesystem::path(text); },
      "DIR", "Where edges are sorted on disk")
      ->group(group);
}

void add_input(CLI::App& command, input_options& options) {
  command
      .add_option("FILE", options.file, "A .k2m file, or a graph in any format that can be read")
      ->required()
      ->type_name("");
  command
      .add_option("--relation", options.relation,
                  "Labelled graphs: the relation to use; the union of all where left out")
      ->type_name("NAME");
  command.add_flag("--trust", options.trust,
                   ".k2m: do not check the whole file first (it must come from a safe place)");
  add_reading(command, options.read);
  // A .k2m file is opened as it is.
  options.read.limited.push_back({command.get_option("--shape"),
                                  {file_format::matrix_market, file_format::edge_list,
                                   file_format::bvgraph, file_format::triples}});
}

void add_device(CLI::App& command, device& where, cuda_options& cuda) {
  add_choice<device>(command, "--device", where,
                     {{"auto", device::automatic}, {"cpu", device::cpu}, {"cuda", device::cuda}},
                     "Where products run; auto is a GPU where there is one with the memory");
  add_choice<cuda_configuration>(
      command, "--cache", cuda.configuration,
      {{"none", cuda_configuration::tree_only}, {"frontier", cuda_configuration::cached_frontier}},
      "On a GPU: what to keep of the descent between products (none);\n"
      "frontier is faster, for 8 bytes a node of the last inner level");
}

CLI::Option* add_layout(CLI::App& command, layout& kind) {
  return add_choice<layout>(
      command, "--layout", kind,
      {{name_of(layout::level_order), layout::level_order},
       {name_of(layout::adaptive), layout::adaptive}},
      fmt::format("How the matrix is laid out ({})", name_of(default_layout)));
}

}  // namespace baltoro::cli
