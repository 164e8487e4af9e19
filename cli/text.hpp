// What goes to standard output: tables for people, JSON for programs; and how numbers and names
// look.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace baltoro::cli {

using json = nlohmann::ordered_json;

// Writes to standard output at once. Throws io_error, for instance on a full disk.
void print(std::string_view text);
// Writes one JSON document.
void print_json(const json& document);

// "3,216,152"
std::string grouped(std::uint64_t number);
// "1.49 MB"
std::string size_text(std::uint64_t bytes);
// The text with control characters, line ends among them, and bytes that are not UTF-8 made
// visible, so that a hostile name can neither break a line nor steer a terminal.
std::string printable(std::string_view text);

// Rows of cells, padded so that columns line up.
class table {
 public:
  // One letter a column: 'l' left, 'r' right.
  explicit table(std::string alignment) : alignment_(std::move(alignment)) {}
  void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  std::string text() const;

 private:
  std::string alignment_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace baltoro::cli
