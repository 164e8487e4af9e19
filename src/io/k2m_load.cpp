#include <baltoro/error.hpp>
#include <baltoro/k2m.hpp>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <xxhash.h>

#include "format/level_order_validate.hpp"
#include "io/k2m_layout.hpp"
#include "io/whole_file.hpp"

namespace baltoro {
namespace {

using namespace io::k2m;

// One file being loaded. Every size is checked against the file before anything is read from it.
class loader {
 public:
  explicit loader(const std::filesystem::path& file)
      : name_(file.string()),
        mapped_(std::make_shared<io::whole_file>(file)),
        bytes_(std::as_bytes(mapped_->bytes())) {}

  graph load(check how_much) {
    read_header();
    read_table();
    if (how_much == check::full) verify_checksums();
    graph g;
    const name_table names = read_names(section_kind::relation_names, true);
    if (!names.empty() && names.size() != head_.relations) {
      fail("relation names",
           fmt::format("{} names for {} relations", names.size(), head_.relations));
    }
    for (std::uint32_t r = 0; r < head_.relations; ++r) {
      g.relations.push_back(
          {names.empty() ? std::string() : std::string(names[r]), read_matrix(r, how_much)});
      if (g.relations[r].adjacency.dims() != g.relations[0].adjacency.dims()) {
        fail(fmt::format("relation {}", r), "its shape differs from that of relation 0");
      }
    }
    g.vertices = read_names(section_kind::vertex_names, how_much == check::full);
    const shape dims = g.relations[0].adjacency.dims();
    if (g.vertices.size() > std::max(dims.rows, dims.cols)) {
      fail("vertex names",
           fmt::format("{} names for a {}x{} matrix", g.vertices.size(), dims.rows, dims.cols));
    }
    return g;
  }

 private:
  [[noreturn]] void fail(const std::string& place, const std::string& reason) const {
    throw invalid_format(name_, place, reason);
  }

  void read_header() {
    if (bytes_.size() < sizeof head_) {
      fail("", bytes_.empty()
                   ? "the file is empty"
                   : fmt::format("{} bytes are too few for a .k2m header", bytes_.size()));
    }
    std::memcpy(&head_, bytes_.data(), sizeof head_);
    if (head_.magic != magic) fail("byte 0", "not a .k2m file: the magic number is wrong");
    if (head_.version != version) {
      fail("byte 8", fmt::format("format version {} is not known; this version reads {}",
                                 head_.version, version));
    }
    if (head_.header_bytes != sizeof head_) {
      fail("byte 12",
           fmt::format("a header of {} bytes; version 1 has {}", head_.header_bytes, sizeof head_));
    }
    if (head_.reserved != decltype(head_.reserved){}) {
      fail("byte 32", "reserved bytes are set: a newer version wrote this file");
    }
    if (head_.file_bytes != bytes_.size()) {
      fail("byte 16",
           fmt::format(
               "the header states {} bytes, the file has {}: {}", head_.file_bytes, bytes_.size(),
               head_.file_bytes > bytes_.size() ? "it is truncated" : "something was appended"));
    }
    if (head_.sections > (bytes_.size() - sizeof head_) / sizeof(section)) {
      fail("byte 24", fmt::format("{} sections do not fit the file", head_.sections));
    }
    // Every relation has a matrix section, so this also bounds the work that follows.
    if (head_.relations == 0 || head_.relations > head_.sections) {
      fail("byte 28", fmt::format("{} relations in {} sections", head_.relations, head_.sections));
    }
  }

  void read_table() {
    table_.resize(head_.sections);
    std::memcpy(table_.data(), bytes_.data() + sizeof head_, table_.size() * sizeof(section));
    if (checksum_of(head_, table_) != head_.checksum) {
      fail("byte 56", "the checksum of the header is wrong: the file is damaged");
    }
    for (std::size_t i = 0; i < table_.size(); ++i) {
      const section& s = table_[i];
      if (s.offset % alignment != 0 || s.offset > bytes_.size() ||
          s.bytes > bytes_.size() - s.offset) {
        fail(fmt::format("section {}", i),
             fmt::format("bytes {} to {} do not fit the file", s.offset, s.offset + s.bytes));
      }
    }
    // Sections that share bytes would let a small file cost the work of a large one.
    std::stable_sort(table_.begin(), table_.end(), [](const section& a, const section& b) {
      return a.offset != b.offset ? a.offset < b.offset : a.bytes < b.bytes;
    });
    for (std::size_t i = 1; i < table_.size(); ++i) {
      if (table_[i].offset < table_[i - 1].offset + table_[i - 1].bytes) {
        fail(fmt::format("byte {}", table_[i].offset), "two sections overlap");
      }
    }
    std::stable_sort(table_.begin(), table_.end(), [](const section& a, const section& b) {
      return a.relation != b.relation ? a.relation < b.relation : a.kind < b.kind;
    });
    const auto twin =
        std::adjacent_find(table_.begin(), table_.end(), [](const section& a, const section& b) {
          return a.relation == b.relation && a.kind == b.kind;
        });
    if (twin != table_.end()) {
      fail(fmt::format("byte {}", twin->offset), "a section that the file has twice");
    }
  }

  void verify_checksums() const {
    for (const section& s : table_) {
      if (XXH3_64bits(bytes_.data() + s.offset, s.bytes) != s.checksum) {
        fail(fmt::format("byte {}", s.offset),
             fmt::format("the checksum of the {} bytes from here is wrong: the file is damaged",
                         s.bytes));
      }
    }
  }

  // The bytes of a section, or nothing where the file has none.
  std::optional<std::span<const std::byte>> find(std::uint32_t relation, section_kind kind) const {
    const auto at = std::lower_bound(table_.begin(), table_.end(), std::pair(relation, kind),
                                     [](const section& s, const auto& wanted) {
                                       return std::pair(s.relation, s.kind) < wanted;
                                     });
    if (at == table_.end() || at->relation != relation || at->kind != kind) return std::nullopt;
    return bytes_.subspan(at->offset, at->bytes);
  }

  // The numbers of a section that must be there and hold `count` of them.
  template <class T>
  const T* numbers(std::uint32_t relation, section_kind kind, const char* what,
                   std::uint64_t count) const {
    const auto found = find(relation, kind);
    if (!found) fail(fmt::format("relation {}", relation), fmt::format("there are no {}", what));
    if (found->size() % sizeof(T) != 0 || found->size() / sizeof(T) != count) {
      fail(fmt::format("relation {}", relation),
           fmt::format("the {} take {} bytes instead of {} x {}", what, found->size(), count,
                       sizeof(T)));
    }
    return reinterpret_cast<const T*>(found->data());
  }

  matrix read_matrix(std::uint32_t r, check how_much) const {
    const std::string place = fmt::format("relation {}", r);
    const auto record = find(r, section_kind::matrix);
    matrix_record common{};
    if (!record || record->size() < sizeof common) fail(place, "there is no matrix record");
    std::memcpy(&common, record->data(), sizeof common);
    switch (static_cast<layout>(common.layout)) {
      case layout::level_order:
        return read_level_order(r, place, common, *record, how_much);
      case layout::adaptive:
        break;
    }
    fail(place, fmt::format("layout {} is not known", common.layout));
  }

  matrix read_level_order(std::uint32_t r, const std::string& place, const matrix_record& common,
                          std::span<const std::byte> record, check how_much) const {
    level_order_record own{};
    if (record.size() < sizeof common + sizeof own) fail(place, "the matrix record is too short");
    std::memcpy(&own, record.data() + sizeof common, sizeof own);
    if (own.levels < 1 || own.levels > level_order_view::max_levels ||
        record.size() != sizeof common + sizeof own + 8 * (own.levels + std::uint64_t{1})) {
      fail(place, fmt::format("a matrix record of {} bytes does not hold {} levels", record.size(),
                              own.levels));
    }
    level_order_view tree;
    tree.dims = {common.rows, common.cols};
    tree.nnz = common.nnz;
    tree.levels = own.levels;
    tree.step_log2 = own.step_log2;
    std::memcpy(tree.level_begin, record.data() + sizeof common + sizeof own,
                8 * (own.levels + std::uint64_t{1}));
    if (const auto problem = format::check_level_table(tree); !problem.empty()) {
      fail(place, problem);
    }
    tree.signatures =
        numbers<std::uint64_t>(r, section_kind::signatures, "signatures", tree.signature_words());
    tree.directory =
        numbers<std::uint32_t>(r, section_kind::directory, "directory samples", tree.samples());
    tree.directory_base =
        numbers<std::uint64_t>(r, section_kind::directory_base, "directory bases", tree.bases());
    matrix a(tree, mapped_, mapped_->is_mapped());
    std::string problem;
    if (how_much == check::full && !a.validate(&problem)) fail(place, problem);
    return a;
  }

  name_table read_names(section_kind kind, bool check_all) const {
    const auto found = find(whole_file, kind);
    if (!found || found->empty()) return {};
    const char* const place =
        kind == section_kind::vertex_names ? "vertex names" : "relation names";
    const std::uint64_t words = found->size() / 8;
    const auto* const numbers = reinterpret_cast<const std::uint64_t*>(found->data());
    if (words < 2 || numbers[0] >= words || numbers[0] == 0 || numbers[0] > max_dimension) {
      fail(place, "the number of names does not fit the section");
    }
    const std::uint64_t count = numbers[0];
    if (words < count + 2) fail(place, "the number of names does not fit the section");
    const std::span<const std::uint64_t> offsets(numbers + 1, count + 1);
    const std::string_view text(reinterpret_cast<const char*>(numbers + count + 2),
                                found->size() - 8 * (count + 2));
    if (offsets.front() != 0 || offsets.back() != text.size()) {
      fail(place, "the names do not fill the section");
    }
    if (check_all && !std::is_sorted(offsets.begin(), offsets.end())) {
      fail(place, "the offsets of the names do not ascend");
    }
    return {offsets, text, mapped_};
  }

  std::string name_;
  std::shared_ptr<io::whole_file> mapped_;
  std::span<const std::byte> bytes_;
  header head_{};
  std::vector<section> table_;
};

}  // namespace

graph load_k2m(const std::filesystem::path& file, check how_much) {
  return loader(file).load(how_much);
}

}  // namespace baltoro
