// The matrices of a .k2m file, by layout.
#include <cstring>

#include "format/adaptive/validate.hpp"
#include "format/level_order_validate.hpp"
#include "io/k2m_sections.hpp"

namespace baltoro::io::k2m {
namespace {

matrix read_level_order(const section_file& file, std::uint32_t r, const std::string& place,
                        const matrix_record& common, std::span<const std::byte> record) {
  level_order_record own{};
  if (record.size() < sizeof common + sizeof own)
    file.fail(place, "the matrix record is too short");
  std::memcpy(&own, record.data() + sizeof common, sizeof own);
  if (own.levels < 1 || own.levels > level_order_view::max_levels ||
      record.size() != sizeof common + sizeof own + 8 * (own.levels + std::uint64_t{1})) {
    file.fail(place, fmt::format("a matrix record of {} bytes does not hold {} levels",
                                 record.size(), own.levels));
  }
  level_order_view tree;
  tree.dims = {common.rows, common.cols};
  tree.nnz = common.nnz;
  tree.levels = own.levels;
  tree.step_log2 = own.step_log2;
  std::memcpy(tree.level_begin, record.data() + sizeof common + sizeof own,
              8 * (own.levels + std::uint64_t{1}));
  if (const auto problem = format::check_level_table(tree); !problem.empty()) {
    file.fail(place, problem);
  }
  tree.signatures = file.numbers<std::uint64_t>(r, section_kind::signatures, "signatures",
                                                tree.signature_words());
  tree.directory =
      file.numbers<std::uint32_t>(r, section_kind::directory, "directory samples", tree.samples());
  tree.directory_base =
      file.numbers<std::uint64_t>(r, section_kind::directory_base, "directory bases", tree.bases());
  return {tree, file.owner(), file.is_mapped()};
}

matrix read_adaptive(const section_file& file, std::uint32_t r, const std::string& place,
                     const matrix_record& common, std::span<const std::byte> record) {
  adaptive_record own{};
  if (record.size() != sizeof common + sizeof own) {
    file.fail(place, fmt::format("a matrix record of {} bytes; the layout adaptive has {}",
                                 record.size(), sizeof common + sizeof own));
  }
  std::memcpy(&own, record.data() + sizeof common, sizeof own);
  adaptive_view a;
  a.dims = {common.rows, common.cols};
  a.nnz = common.nnz;
  a.leaves = own.leaves;
  a.containers = own.containers;
  a.payload_words = own.payload_words;
  a.patterns = own.patterns;
  for (unsigned c = 0; c < leaf_classes::count; ++c) a.classes.width[c] = own.widths[c];
  if (const auto problem = format::check_adaptive_numbers(a); !problem.empty()) {
    file.fail(place, problem);
  }
  a.places = file.numbers<std::uint64_t>(r, section_kind::places, "places", a.containers);
  a.starts = file.numbers<std::uint16_t>(r, section_kind::starts, "starts", a.containers);
  a.start_bases = file.numbers<std::uint64_t>(r, section_kind::start_bases, "bases", a.bases());
  a.payload = file.numbers<std::uint32_t>(r, section_kind::payload, "payloads", a.payload_words);
  a.dictionary = file.numbers<std::uint64_t>(r, section_kind::dictionary, "patterns", a.patterns);
  return {a, file.owner(), file.is_mapped()};
}

matrix read_any(const section_file& file, std::uint32_t r, const std::string& place) {
  const auto record = file.find(r, section_kind::matrix);
  matrix_record common{};
  if (!record || record->size() < sizeof common) file.fail(place, "there is no matrix record");
  std::memcpy(&common, record->data(), sizeof common);
  switch (static_cast<layout>(common.layout)) {
    case layout::level_order:
      return read_level_order(file, r, place, common, *record);
    case layout::adaptive:
      return read_adaptive(file, r, place, common, *record);
  }
  file.fail(place, fmt::format("layout {} is not known", common.layout));
}

}  // namespace

matrix read_matrix(const section_file& file, std::uint32_t relation, check how_much) {
  const std::string place = fmt::format("relation {}", relation);
  matrix a = read_any(file, relation, place);
  std::string problem;
  if (how_much == check::full && !a.validate(&problem)) file.fail(place, problem);
  return a;
}

}  // namespace baltoro::io::k2m
