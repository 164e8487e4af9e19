// Options that several commands share.
#pragma once

#include <baltoro/cuda.hpp>
#include <baltoro/device.hpp>
#include <baltoro/reader.hpp>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

namespace baltoro::cli {

// Every command has these.
struct common_options {
  unsigned threads = 0;  // 0: every core
  bool json = false;
  bool quiet = false;
};

// An option that only some formats know.
struct limited_option {
  const CLI::Option* option;
  std::vector<file_format> formats;
};

// How files are read, and what tells whether the options suit them.
struct reading_options : read_options {
  std::vector<limited_option> limited;
};

// The file a command works on, and how it is read.
struct input_options {
  std::filesystem::path file;
  std::string relation;  // empty: the union or the only one
  bool trust = false;    // .k2m: only header and tables are checked
  reading_options read;
};

void add_common(CLI::App& command, common_options& options);
// --from, --shape, --index-base, --skip-lines, --order, and add_memory().
void add_reading(CLI::App& command, reading_options& options);
// --memory, --temporary-directory.
void add_memory(CLI::App& command, build_options& options, const std::string& group = "Options");
// FILE, --relation, --trust and everything of add_reading().
void add_input(CLI::App& command, input_options& options);
// --device, and --cache for what a GPU keeps between products.
void add_device(CLI::App& command, device& where, cuda_options& cuda);
// --layout, what is built.
CLI::Option* add_layout(CLI::App& command, layout& kind);

// An option that takes one of a few words.
template <class T>
CLI::Option* add_choice(CLI::App& command, const std::string& name, T& target,
                        std::vector<std::pair<std::string, T>> choices,
                        const std::string& description) {
  std::string words;
  for (const auto& [word, value] : choices) words += (words.empty() ? "" : "|") + word;
  const auto choose = [name, words, choices = std::move(choices),
                       &target](const std::string& text) {
    for (const auto& [word, value] : choices) {
      if (word == text) {
        target = value;
        return;
      }
    }
    throw CLI::ValidationError(name, "'" + text + "' is not one of " + words);
  };
  return command.add_option_function<std::string>(name, choose, description)->type_name(words);
}

// An option whose text `parse` (of parse.hpp) turns into a value.
template <class T, class Parse>
CLI::Option* add_parsed(CLI::App& command, const std::string& name, T& target, Parse parse,
                        const std::string& type, const std::string& description) {
  const std::string shown = name.substr(name.rfind(',') + 1);
  const auto assign = [shown, parse, &target](const std::string& text) {
    target = parse(shown, text);
  };
  return command.add_option_function<std::string>(name, assign, description)->type_name(type);
}

}  // namespace baltoro::cli
