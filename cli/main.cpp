// The command `baltoro`: parses the arguments, runs the chosen command, and turns whatever goes
// wrong into one line on standard error and an exit code: 0 done, 1 failed with a reason, 2 bad
// usage.
#include <baltoro/device.hpp>
#include <baltoro/error.hpp>
#include <baltoro/version.hpp>

#include <filesystem>
#include <new>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "commands.hpp"
#include "signals.hpp"
#include "text.hpp"
#include "usage_error.hpp"

namespace baltoro::cli {
namespace {

constexpr int failed = 1;
constexpr int bad_usage = 2;

// Needs no memory, since there may be none.
void complain(std::string_view text) {
  while (!text.empty()) {
    const ::ssize_t done = ::write(STDERR_FILENO, text.data(), text.size());
    if (done <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(done));
  }
}

int fail(int code, std::string_view reason) {
  complain(fmt::format("baltoro: {}\n", printable(reason)));
  return code;
}

std::string version_text() {
  std::string gpu = "compiled without";
  if (compiled_with_cuda()) {
    const cuda_status& status = query_cuda();
    gpu = status.usable ? status.reason : "compiled in, but " + status.reason;
  }
  return fmt::format("baltoro {}\nCUDA: {}", version(), gpu);
}

// "baltoro generate web": the innermost command that was named.
std::string named_command(const CLI::App& app) {
  std::string name = "baltoro";
  for (const CLI::App* at = &app; !at->get_subcommands().empty();) {
    at = at->get_subcommands().front();
    name += " " + at->get_name();
  }
  return name;
}

std::string command_list(const CLI::App& app) {
  std::string list;
  for (const CLI::App* each : app.get_subcommands(nullptr)) {
    list += (list.empty() ? "" : ", ") + each->get_name();
  }
  return list;
}

int refuse(const CLI::App& app, std::string reason) {
  const CLI::App* innermost = &app;
  while (!innermost->get_subcommands().empty()) innermost = innermost->get_subcommands().front();
  const std::string command = named_command(app);
  const std::vector<std::string> rest = app.remaining(true);
  if (!innermost->get_subcommands(nullptr).empty() &&
      (!rest.empty() || innermost->get_require_subcommand_min() > 0)) {
    // The parser only knows that something is missing or too much.
    const std::string commands = command_list(*innermost);
    if (rest.empty()) {
      reason = "a command is needed; there are " + commands;
    } else if (rest.front().rfind('-', 0) == 0) {
      reason = fmt::format("unknown option '{}'", rest.front());
    } else {
      reason = fmt::format("unknown command '{}'; there are {}", rest.front(), commands);
    }
  }
  const std::string prefix = command.size() > 8 ? command.substr(8) + ": " : std::string();
  return fail(bad_usage, fmt::format("{}{} (see '{} --help')", prefix, reason, command));
}

int run(int argc, char** argv) {
  CLI::App app{"Products with Boolean matrices (graphs) that stay compressed.", "baltoro"};
  app.set_version_flag("--version", version_text, "Print the version, and whether there is a GPU");
  app.set_help_flag("-h,--help", "Print this help");
  app.require_subcommand(1);
  app.get_formatter()->column_width(34);
  action chosen;
  add_build(app, chosen);
  add_info(app, chosen);
  add_verify(app, chosen);
  add_export(app, chosen);
  add_mxv(app, chosen);
  add_pagerank(app, chosen);
  add_bfs(app, chosen);
  add_reach(app, chosen);
  add_hits(app, chosen);
  add_components(app, chosen);
  add_centrality(app, chosen);
  add_diameter(app, chosen);
  add_triangles(app, chosen);
  add_cores(app, chosen);
  add_generate(app, chosen);
#if defined(BALTORO_WITH_BENCH)
  add_bench(app, chosen);
#endif
  app.footer(
      "Exit codes: 0 done, 1 failed with a reason, 2 bad usage.\n"
      "\nExamples:\n"
      "  baltoro build web.mtx -o web.k2m\n"
      "  baltoro info web.k2m\n"
      "  baltoro pagerank web.k2m --top 10\n"
      "  baltoro COMMAND --help");
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    const CLI::App* innermost = &app;
    while (!innermost->get_subcommands().empty()) innermost = innermost->get_subcommands().front();
    // The parser adds the name of the command itself.
    const std::string command = named_command(app);
    print(innermost->help(innermost == &app ? "" : command.substr(0, command.rfind(' '))));
    return 0;
  } catch (const CLI::CallForVersion& version) {
    print(std::string(version.what()) + "\n");
    return 0;
  } catch (const CLI::ParseError& error) {
    return refuse(app, error.what());
  }
  try {
    chosen();
  } catch (const usage_error& error) {
    return refuse(app, error.what());
  }
  return 0;
}

int guarded_run(int argc, char** argv) {
  constexpr std::string_view no_memory =
      "baltoro: out of memory: the graph or its vectors do not fit; building takes less with "
      "--memory\n";
  try {
    return run(argc, argv);
  } catch (const std::bad_alloc&) {
    complain(no_memory);
  } catch (const std::length_error&) {
    complain(no_memory);
  } catch (const std::filesystem::filesystem_error& failure) {
    return fail(failed, fmt::format("{}: {}", failure.path1().string(), failure.code().message()));
  } catch (const std::exception& failure) {
    return fail(failed, failure.what());
  }
  return failed;
}

}  // namespace
}  // namespace baltoro::cli

int main(int argc, char** argv) {
  baltoro::cli::open_standard_descriptors();
  baltoro::cli::install_signal_handlers();
  return baltoro::cli::guarded_run(argc, argv);
}
