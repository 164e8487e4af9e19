// Names of vertices and relations.
#include <baltoro/error.hpp>
#include <baltoro/graph.hpp>

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "base/printable.hpp"

namespace baltoro {

namespace {

struct owned_names {
  std::vector<std::uint64_t> offsets;
  std::string text;
};

// How many names a message lists before it says "and N more".
constexpr std::size_t listed_names = 8;

// The names of the relations for a message; nothing where none has a name.
std::string list_of(const std::vector<relation>& relations) {
  std::string list;
  std::size_t named = 0;
  for (const relation& r : relations) {
    if (r.name.empty()) continue;
    if (named < listed_names) list += (named == 0 ? "" : ", ") + printable(r.name);
    ++named;
  }
  if (named > listed_names) list += fmt::format(" and {} more", named - listed_names);
  return list;
}

}  // namespace

name_table::name_table(const std::vector<std::string>& names) {
  if (names.size() > max_dimension) {
    throw invalid_argument(
        fmt::format("{} names, but a matrix has at most {} rows", names.size(), max_dimension));
  }
  if (names.empty()) return;
  const auto owned = std::make_shared<owned_names>();
  owned->offsets.reserve(names.size() + 1);
  owned->offsets.push_back(0);
  for (const std::string& name : names)
    owned->offsets.push_back(owned->offsets.back() + name.size());
  owned->text.reserve(owned->offsets.back());
  for (const std::string& name : names) owned->text += name;
  offsets_ = owned->offsets;
  text_ = owned->text;
  owner_ = owned;
}

name_table::name_table(std::span<const std::uint64_t> offsets, std::string_view text,
                       std::shared_ptr<const void> owner)
    : offsets_(offsets), text_(text), owner_(std::move(owner)) {}

std::optional<index_t> name_table::find(std::string_view name) const {
  for (index_t index = 0; index < size(); ++index) {
    if ((*this)[index] == name) return index;
  }
  return std::nullopt;
}

const matrix& graph::at(std::string_view name) const {
  if (relations.empty()) throw invalid_argument("the graph has no relations");
  const bool first_is_all = relations.size() == 1 || relations.front().name == "*";
  if (name.empty() && first_is_all) return relations.front().adjacency;
  const std::string known = list_of(relations);
  if (name.empty()) {
    throw invalid_argument(fmt::format(
        "{} relations and no union of them; {}", relations.size(),
        known.empty() ? "they have no names" : "say which one (--relation): there is " + known));
  }
  const auto found = std::find_if(relations.begin(), relations.end(),
                                  [&](const relation& r) { return r.name == name; });
  if (found != relations.end()) return found->adjacency;
  if (known.empty()) {
    throw invalid_argument(
        fmt::format("no relation {}: the relations of this graph have no names", printable(name)));
  }
  throw invalid_argument(fmt::format("no relation {}; there is {}", printable(name), known));
}

}  // namespace baltoro
