#include <baltoro/error.hpp>
#include <baltoro/k2m.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <list>
#include <string>
#include <vector>

#include <xxhash.h>

#include "base/pages.hpp"
#include "io/k2m_layout.hpp"
#include "io/output.hpp"

namespace baltoro {
namespace {

using namespace io::k2m;

constexpr std::uint64_t align_up(std::uint64_t offset) {
  return (offset + alignment - 1) / alignment * alignment;
}

// A section and the pieces its bytes come from, one after the other.
struct pending {
  section entry{};
  std::vector<std::span<const std::byte>> parts;
  const matrix* source = nullptr;  // whose data the parts are

  // Calls visit(bytes) over all parts, in pieces. A tree that lies in a file because it exceeds the
  // memory it may take does not come back into memory as a whole.
  template <class Visit>
  void for_each_piece(Visit visit) const {
    for (const auto part : parts) {
      for (std::size_t at = 0; at < part.size(); at += base::release_step_bytes) {
        visit(part.subspan(at, std::min<std::size_t>(base::release_step_bytes, part.size() - at)));
        if (source != nullptr) source->release_pages();
      }
    }
  }
};

template <class T>
std::span<const std::byte> bytes_of(const T* data, std::uint64_t count) {
  return std::as_bytes(std::span(data, count));
}

// Gathers the sections of a graph; small tables are kept here, the rest stays where it is.
class section_list {
 public:
  explicit section_list(const graph& g) {
    for (std::uint32_t r = 0; r < g.relations.size(); ++r) add_matrix(r, g.relations[r].adjacency);
    bool named = false;
    std::vector<std::string> names;
    for (const relation& r : g.relations) {
      named = named || !r.name.empty();
      names.push_back(r.name);
    }
    relation_names_ = name_table(names);
    if (named) add_names(section_kind::relation_names, relation_names_);
    if (!g.vertices.empty()) add_names(section_kind::vertex_names, g.vertices);
  }

  // Gives every section its place and checksum; returns the size of the file.
  std::uint64_t place() {
    std::uint64_t offset = sizeof(header) + sections_.size() * sizeof(section);
    for (pending& p : sections_) {
      offset = align_up(offset);
      XXH3_state_t* const state = XXH3_createState();
      if (state == nullptr) throw std::bad_alloc();
      XXH3_64bits_reset(state);
      p.entry.offset = offset;
      p.entry.bytes = 0;
      p.for_each_piece([&](std::span<const std::byte> piece) {
        XXH3_64bits_update(state, piece.data(), piece.size());
        p.entry.bytes += piece.size();
      });
      p.entry.checksum = XXH3_64bits_digest(state);
      XXH3_freeState(state);
      offset += p.entry.bytes;
    }
    return offset;
  }

  const std::vector<pending>& all() const { return sections_; }

 private:
  pending& add(section_kind kind, std::uint32_t relation) {
    sections_.push_back({{kind, relation, 0, 0, 0}, {}, nullptr});
    return sections_.back();
  }

  void add_matrix(std::uint32_t relation, const matrix& a) {
    switch (a.kind()) {
      case layout::level_order:
        add_level_order(relation, a);
        break;
      case layout::adaptive:
        add_adaptive(relation, a);
        break;
    }
  }

  // The record that starts with what every layout has.
  template <class Record>
  pending& add_record(std::uint32_t relation, const matrix& a, const Record& own) {
    const matrix_record common{static_cast<std::uint32_t>(a.kind()), a.rows(), a.cols(), 0,
                               a.nnz()};
    auto& record = records_.emplace_back(sizeof common + sizeof own);
    std::memcpy(record.data(), &common, sizeof common);
    std::memcpy(record.data() + sizeof common, &own, sizeof own);
    pending& added = add(section_kind::matrix, relation);
    added.parts = {std::span<const std::byte>(record)};
    return added;
  }

  void add_level_order(std::uint32_t relation, const matrix& a) {
    const level_order_view& tree = a.tree();
    const auto& begins =
        numbers_.emplace_back(tree.level_begin, tree.level_begin + tree.levels + 1);
    add_record(relation, a, level_order_record{tree.levels, tree.step_log2})
        .parts.push_back(bytes_of(begins.data(), begins.size()));
    pending& signatures = add(section_kind::signatures, relation);
    signatures.source = &a;
    signatures.parts = {bytes_of(tree.signatures, tree.signature_words())};
    add(section_kind::directory, relation).parts = {bytes_of(tree.directory, tree.samples())};
    add(section_kind::directory_base, relation).parts = {
        bytes_of(tree.directory_base, tree.bases())};
  }

  void add_adaptive(std::uint32_t relation, const matrix& a) {
    const adaptive_view& view = a.adaptive();
    const auto& width = view.classes.width;
    add_record(relation, a,
               adaptive_record{view.leaves,
                               view.containers,
                               view.payload_words,
                               view.patterns,
                               {width[0], width[1], width[2], width[3]}});
    const auto add_array = [&](section_kind kind, const auto* data, std::uint64_t count) {
      pending& added = add(kind, relation);
      added.source = &a;
      added.parts = {bytes_of(data, count)};
    };
    add_array(section_kind::places, view.places, view.containers);
    add_array(section_kind::starts, view.starts, view.containers);
    add_array(section_kind::start_bases, view.start_bases, view.bases());
    add_array(section_kind::payload, view.payload, view.payload_words);
    add_array(section_kind::dictionary, view.dictionary, view.patterns);
  }

  void add_names(section_kind kind, const name_table& names) {
    const auto& count = numbers_.emplace_back(1, names.size());
    add(kind, whole_file).parts = {bytes_of(count.data(), 1),
                                   bytes_of(names.offsets().data(), names.offsets().size()),
                                   std::as_bytes(std::span(names.text()))};
  }

  std::vector<pending> sections_;
  name_table relation_names_;
  std::list<std::vector<std::byte>> records_;
  std::list<std::vector<std::uint64_t>> numbers_;
};

void require_consistent(const graph& g) {
  if (g.relations.empty()) throw invalid_argument("a graph needs at least one relation");
  for (const relation& r : g.relations) {
    if (r.adjacency.dims() != g.relations[0].adjacency.dims()) {
      throw invalid_argument("relation " + r.name + " differs in shape from the first");
    }
  }
  const shape dims = g.relations[0].adjacency.dims();
  if (g.vertices.size() > std::max(dims.rows, dims.cols)) {
    throw invalid_argument("a graph cannot have more names than vertices");
  }
}

}  // namespace

std::uint64_t io::k2m::checksum_of(const header& head, std::span<const section> table) {
  std::vector<std::byte> bytes(offsetof(header, checksum) + table.size_bytes());
  std::memcpy(bytes.data(), &head, offsetof(header, checksum));
  if (!table.empty()) {
    std::memcpy(bytes.data() + offsetof(header, checksum), table.data(), table.size_bytes());
  }
  return XXH3_64bits(bytes.data(), bytes.size());
}

void save_k2m(const graph& g, const std::filesystem::path& file) {
  require_consistent(g);
  section_list sections(g);
  header head{};
  head.magic = magic;
  head.version = version;
  head.header_bytes = sizeof(header);
  head.file_bytes = sections.place();
  head.sections = static_cast<std::uint32_t>(sections.all().size());
  head.relations = static_cast<std::uint32_t>(g.relations.size());
  std::vector<section> table;
  for (const pending& p : sections.all()) table.push_back(p.entry);
  head.checksum = checksum_of(head, table);

  io::output out(file);
  out.write(&head, sizeof head);
  out.write(table.data(), table.size() * sizeof(section));
  for (const pending& p : sections.all()) {
    out.pad_to(alignment);
    p.for_each_piece(
        [&](std::span<const std::byte> piece) { out.write(piece.data(), piece.size()); });
  }
  out.commit();
}

void save_k2m(const matrix& a, const std::filesystem::path& file) {
  graph g;
  g.relations.push_back({"", a});
  save_k2m(g, file);
}

}  // namespace baltoro
