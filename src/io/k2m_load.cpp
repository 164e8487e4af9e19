#include <baltoro/error.hpp>
#include <baltoro/k2m.hpp>

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "io/k2m_sections.hpp"

namespace baltoro {
namespace {

using namespace io::k2m;

name_table read_names(const section_file& file, section_kind kind, bool check_all) {
  const auto found = file.find(whole_file, kind);
  if (!found || found->empty()) return {};
  const char* const place = kind == section_kind::vertex_names ? "vertex names" : "relation names";
  const std::uint64_t words = found->size() / 8;
  const auto* const numbers = reinterpret_cast<const std::uint64_t*>(found->data());
  if (words < 2 || numbers[0] >= words || numbers[0] == 0 || numbers[0] > max_dimension) {
    file.fail(place, "the number of names does not fit the section");
  }
  const std::uint64_t count = numbers[0];
  if (words < count + 2) file.fail(place, "the number of names does not fit the section");
  const std::span<const std::uint64_t> offsets(numbers + 1, count + 1);
  const std::string_view text(reinterpret_cast<const char*>(numbers + count + 2),
                              found->size() - 8 * (count + 2));
  if (offsets.front() != 0 || offsets.back() != text.size()) {
    file.fail(place, "the names do not fill the section");
  }
  if (check_all && !std::is_sorted(offsets.begin(), offsets.end())) {
    file.fail(place, "the offsets of the names do not ascend");
  }
  return {offsets, text, file.owner()};
}

}  // namespace

graph load_k2m(const std::filesystem::path& file, check how_much) {
  const section_file sections(file);
  if (how_much == check::full) sections.verify_checksums();
  graph g;
  const name_table names = read_names(sections, section_kind::relation_names, true);
  const std::uint32_t relations = sections.relations();
  if (!names.empty() && names.size() != relations) {
    sections.fail("relation names",
                  fmt::format("{} names for {} relations", names.size(), relations));
  }
  for (std::uint32_t r = 0; r < relations; ++r) {
    g.relations.push_back({names.empty() ? std::string() : std::string(names[r]),
                           read_matrix(sections, r, how_much)});
    if (g.relations[r].adjacency.dims() != g.relations[0].adjacency.dims()) {
      sections.fail(fmt::format("relation {}", r), "its shape differs from that of relation 0");
    }
  }
  g.vertices = read_names(sections, section_kind::vertex_names, how_much == check::full);
  const shape dims = g.relations[0].adjacency.dims();
  if (g.vertices.size() > std::max(dims.rows, dims.cols)) {
    sections.fail("vertex names", fmt::format("{} names for a {}x{} matrix", g.vertices.size(),
                                              dims.rows, dims.cols));
  }
  return g;
}

}  // namespace baltoro
