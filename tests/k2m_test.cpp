// The file format: round trips, and what becomes of files that are damaged or lie.
#include <baltoro/builder.hpp>
#include <baltoro/error.hpp>
#include <baltoro/generate.hpp>
#include <baltoro/k2m.hpp>

#include <array>
#include <cstring>
#include <fstream>
#include <iterator>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <xxhash.h>

#include "io/k2m_layout.hpp"
#include "support/expected.hpp"
#include "support/oracle.hpp"
#include "support/temporary_directory.hpp"

namespace {

using namespace baltoro;
using io::k2m::header;
using io::k2m::section;
using io::k2m::section_kind;
using testing::HasSubstr;

std::string read(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void expect_same(const matrix& a, const matrix& b) {
  EXPECT_EQ(a.dims(), b.dims());
  EXPECT_EQ(a.nnz(), b.nnz());
  ASSERT_EQ(a.kind(), b.kind());
  EXPECT_EQ(a.bytes().total(), b.bytes().total());
  if (a.kind() == layout::level_order) {
    EXPECT_EQ(test::nodes_per_level_of(a), test::nodes_per_level_of(b));
  }
  EXPECT_EQ(test::checksum_of(a), test::checksum_of(b));
}

class K2m : public testing::Test {
 protected:
  test::temporary_directory folder_;
};

TEST_F(K2m, KeepsOneMatrix) {
  for (const layout kind : {layout::level_order, layout::adaptive}) {
    for (const shape dims :
         {shape{0, 0}, shape{1, 1}, shape{1, 900}, shape{900, 1}, shape{700, 800}}) {
      const matrix a = build(test::random_cells(dims, 2000, 3),
                             {.dims = dims, .kind = kind, .directory_step = 16});
      save_k2m(a, folder_ / "a.k2m");
      for (const check how_much : {check::header, check::full}) {
        const graph g = load_k2m(folder_ / "a.k2m", how_much);
        ASSERT_EQ(g.relations.size(), 1U);
        EXPECT_EQ(g.relations[0].name, "");
        EXPECT_TRUE(g.vertices.empty());
        expect_same(g.at(), a);
        g.at().release_pages();
        expect_same(g.at(), a);
      }
    }
  }
}

TEST_F(K2m, KeepsBothLayoutsInOneFile) {
  const auto cells = generate_web(3000, 12, 4);
  const shape dims{3000, 3000};
  graph g;
  for (const layout kind : {layout::adaptive, layout::level_order}) {
    g.relations.push_back({name_of(kind), build(cells, {.dims = dims, .kind = kind})});
  }
  save_k2m(g, folder_ / "g.k2m");
  const graph back = load_k2m(folder_ / "g.k2m");
  for (const relation& each : g.relations) expect_same(back.at(each.name), each.adjacency);
}

TEST_F(K2m, KeepsRelationsAndNames) {
  graph g;
  g.relations.push_back({"*", build(test::random_cells({3, 3}, 5, 1), {.dims = shape{3, 3}})});
  g.relations.push_back({"knows", build({}, {.dims = shape{3, 3}})});
  g.vertices = name_table({"ann", "", "zo\xC3\xA9\n"});
  save_k2m(g, folder_ / "g.k2m");
  const graph back = load_k2m(folder_ / "g.k2m");
  ASSERT_EQ(back.relations.size(), 2U);
  EXPECT_EQ(back.relations[1].name, "knows");
  expect_same(back.at("knows"), g.at("knows"));
  expect_same(back.at(), g.at("*"));
  ASSERT_EQ(back.vertices.size(), 3U);
  EXPECT_EQ(back.vertices[0], "ann");
  EXPECT_EQ(back.vertices[1], "");
  EXPECT_EQ(back.vertices[2], "zo\xC3\xA9\n");
}

TEST_F(K2m, OnlyTheFirstVerticesMayHaveNames) {
  graph g;
  g.relations.push_back({"", build({}, {.dims = shape{5, 5}})});
  g.vertices = name_table({"zero", "one"});
  save_k2m(g, folder_ / "g.k2m");
  EXPECT_EQ(load_k2m(folder_ / "g.k2m").vertices.size(), 2U);
}

TEST_F(K2m, SectionsAreAligned) {
  save_k2m(build(test::random_cells({100, 100}, 300, 1)), folder_ / "a.k2m");
  const std::string bytes = read(folder_ / "a.k2m");
  header head{};
  std::memcpy(&head, bytes.data(), sizeof head);
  EXPECT_EQ(head.file_bytes, bytes.size());
  for (std::uint32_t i = 0; i < head.sections; ++i) {
    section s{};
    std::memcpy(&s, bytes.data() + sizeof head + i * sizeof s, sizeof s);
    EXPECT_EQ(s.offset % 64, 0U);
    EXPECT_EQ(XXH3_64bits(bytes.data() + s.offset, s.bytes), s.checksum);
  }
}

TEST_F(K2m, RefusesGraphsThatDoNotFitTogether) {
  graph g;
  EXPECT_THROW(save_k2m(g, folder_ / "x.k2m"), invalid_argument);
  g.relations.push_back({"a", build({}, {.dims = shape{3, 3}})});
  g.relations.push_back({"b", build({}, {.dims = shape{3, 4}})});
  EXPECT_THROW(save_k2m(g, folder_ / "x.k2m"), invalid_argument);
  g.relations.pop_back();
  g.vertices = name_table({"one", "name", "too", "many"});
  EXPECT_THROW(save_k2m(g, folder_ / "x.k2m"), invalid_argument);
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

TEST_F(K2m, AFailedWriteKeepsWhatWasThere) {
  save_k2m(build(test::random_cells({9, 9}, 5, 1)), folder_ / "a.k2m");
  const std::string before = read(folder_ / "a.k2m");
  EXPECT_THROW(save_k2m(graph{}, folder_ / "a.k2m"), invalid_argument);
  EXPECT_THROW(save_k2m(matrix(), folder_ / "none" / "a.k2m"), io_error);
  EXPECT_EQ(read(folder_ / "a.k2m"), before);
}

// Changes bytes of a sound file, optionally mends all checksums, and expects a refusal.
class DamagedK2m : public K2m {
 protected:
  DamagedK2m() : DamagedK2m(layout::level_order) {}

  explicit DamagedK2m(layout kind) {
    graph g;
    g.relations.push_back(
        {"r", build(test::random_cells({300, 300}, 900, 5), {.kind = kind, .directory_step = 16})});
    std::vector<std::string> names(300);
    for (int i = 0; i < 300; ++i) names[i] = "v" + std::to_string(i);
    g.vertices = name_table(names);
    const shape dims = g.at().dims();
    g.vertices = name_table({names.begin(), names.begin() + std::max(dims.rows, dims.cols)});
    save_k2m(g, folder_ / "a.k2m");
    bytes_ = read(folder_ / "a.k2m");
  }

  header head() const {
    header h{};
    std::memcpy(&h, bytes_.data(), sizeof h);
    return h;
  }

  static section entry_of(const std::string& bytes, std::size_t number) {
    section s{};
    std::memcpy(&s, bytes.data() + sizeof(header) + number * sizeof s, sizeof s);
    return s;
  }

  section entry(section_kind kind) const {
    for (std::uint32_t i = 0; i < head().sections; ++i) {
      section s{};
      std::memcpy(&s, bytes_.data() + sizeof(header) + i * sizeof s, sizeof s);
      if (s.kind == kind) return s;
    }
    throw std::logic_error("no such section");
  }

  template <class T>
  void put(std::uint64_t offset, T value) {
    std::memcpy(bytes_.data() + offset, &value, sizeof value);
  }

  void matrix_dims(std::uint64_t record, index_t rows, index_t cols) {
    put<std::uint32_t>(record + 4, rows);
    put<std::uint32_t>(record + 8, cols);
  }

  // Recomputes the checksums, as somebody with bad intentions would.
  void mend() {
    header h = head();
    if (h.sections > (bytes_.size() - sizeof h) / sizeof(section)) return;
    std::vector<section> table(h.sections);
    std::memcpy(table.data(), bytes_.data() + sizeof h, table.size() * sizeof(section));
    for (section& s : table) {
      if (s.offset <= bytes_.size() && s.bytes <= bytes_.size() - s.offset) {
        s.checksum = XXH3_64bits(bytes_.data() + s.offset, s.bytes);
      }
    }
    std::memcpy(bytes_.data() + sizeof h, table.data(), table.size() * sizeof(section));
    h.checksum = io::k2m::checksum_of(h, table);
    std::memcpy(bytes_.data(), &h, sizeof h);
  }

  std::string refusal(check how_much = check::full) {
    const auto file = folder_.write("b.k2m", bytes_);
    try {
      load_k2m(file, how_much);
    } catch (const invalid_format& problem) {
      EXPECT_THAT(problem.what(), HasSubstr(file.string() + ": "));
      return problem.what();
    }
    ADD_FAILURE() << "a damaged file was accepted";
    return {};
  }

  std::string bytes_;
};

TEST_F(DamagedK2m, IsSoundBeforeItIsDamaged) { EXPECT_NO_THROW(load_k2m(folder_ / "a.k2m")); }

TEST_F(DamagedK2m, EveryTruncationIsNoticed) {
  const std::string whole = bytes_;
  for (std::size_t size = 0; size < whole.size(); size += size < 700 ? 1 : 97) {
    bytes_ = whole.substr(0, size);
    refusal(check::header);
  }
}

TEST_F(DamagedK2m, EveryFlippedByteIsNoticed) {
  const std::string whole = bytes_;
  std::vector<bool> covered(whole.size(), true);
  // Padding between sections carries nothing and is not covered.
  for (std::size_t i = sizeof(header) + head().sections * sizeof(section); i < whole.size(); ++i) {
    covered[i] = false;
  }
  for (const auto kind :
       {section_kind::matrix, section_kind::signatures, section_kind::directory,
        section_kind::directory_base, section_kind::relation_names, section_kind::vertex_names}) {
    const section s = entry(kind);
    std::fill_n(covered.begin() + static_cast<long>(s.offset), s.bytes, true);
  }
  for (std::size_t i = 0; i < whole.size(); i += i < 1500 ? 1 : 53) {
    if (!covered[i]) continue;
    bytes_ = whole;
    bytes_[i] = static_cast<char>(bytes_[i] ^ 0x10);
    SCOPED_TRACE(i);
    refusal();
  }
}

TEST_F(DamagedK2m, WrongMagicAndVersion) {
  bytes_[0] = 'x';
  EXPECT_THAT(refusal(), HasSubstr("magic"));
  bytes_[0] = static_cast<char>(0x89);
  put<std::uint32_t>(8, 99);
  EXPECT_THAT(refusal(), HasSubstr("version 99"));
}

TEST_F(DamagedK2m, SomethingAppended) {
  bytes_ += "tail";
  EXPECT_THAT(refusal(check::header), HasSubstr("appended"));
}

TEST_F(DamagedK2m, SizesThatLieWithRightChecksums) {
  const std::string whole = bytes_;
  const std::uint64_t matrix_at = entry(section_kind::matrix).offset;
  const auto lie = [&](std::uint64_t offset, auto value) {
    bytes_ = whole;
    put(offset, value);
    mend();
    return refusal();
  };
  EXPECT_THAT(lie(24, std::uint32_t{0xFFFF'FFFF}), HasSubstr("sections"));
  EXPECT_THAT(lie(28, std::uint32_t{0}), HasSubstr("relations"));
  EXPECT_THAT(lie(28, std::uint32_t{2}), HasSubstr("1 names for 2 relations"));
  EXPECT_THAT(lie(matrix_at, std::uint32_t{77}), HasSubstr("layout 77"));
  EXPECT_THAT(lie(matrix_at + 4, std::uint32_t{0xFFFF'FFFF}), HasSubstr("levels"));
  EXPECT_THAT(lie(matrix_at + 16, std::uint64_t{1} << 60U), HasSubstr("non-zeros"));
  EXPECT_THAT(lie(matrix_at + 24, std::uint32_t{40}), HasSubstr("levels"));
  EXPECT_THAT(lie(matrix_at + 28, std::uint32_t{63}), HasSubstr("directory step"));
  EXPECT_THAT(lie(matrix_at + 32 + 8 * 9, std::uint64_t{1} << 61U), HasSubstr("level"));
  // The offset and the size of the first section.
  EXPECT_THAT(lie(sizeof(header) + 8, std::uint64_t{1} << 63U), HasSubstr("do not fit"));
  EXPECT_THAT(lie(sizeof(header) + 8, entry_of(whole, 0).offset + 8), HasSubstr("do not fit"));
  EXPECT_THAT(lie(sizeof(header) + 16, ~std::uint64_t{0}), HasSubstr("do not fit"));
  EXPECT_THAT(lie(32, std::uint64_t{1}), HasSubstr("reserved"));
  // The second section becomes a twin of the first.
  EXPECT_THAT(lie(sizeof(header) + sizeof(section), std::uint32_t{1}), HasSubstr("twice"));
  // The second section is put where the first is.
  EXPECT_THAT(lie(sizeof(header) + sizeof(section) + 8, entry_of(whole, 0).offset),
              HasSubstr("overlap"));
}

TEST_F(DamagedK2m, SignaturesThatLieWithRightChecksums) {
  const std::uint64_t at = entry(section_kind::signatures).offset;
  bytes_[at] = static_cast<char>(bytes_[at] & 0xF0);
  mend();
  EXPECT_THAT(refusal(), HasSubstr("empty signature"));
}

TEST_F(DamagedK2m, NamesThatLieWithRightChecksums) {
  const std::string whole = bytes_;
  const std::uint64_t at = entry(section_kind::vertex_names).offset;
  for (const std::uint64_t count : {std::uint64_t{0}, std::uint64_t{7}, ~std::uint64_t{0}}) {
    bytes_ = whole;
    put(at, count);
    mend();
    EXPECT_THAT(refusal(), HasSubstr("vertex names"));
  }
  bytes_ = whole;
  put(at + 16, std::uint64_t{1} << 40U);
  mend();
  EXPECT_THAT(refusal(), HasSubstr("vertex names"));
}

TEST_F(DamagedK2m, MoreNamesThanVertices) {
  // One column and one row less than there are names, and no cell there.
  const std::uint64_t at = entry(section_kind::matrix).offset;
  matrix_dims(at, 200, 200);
  mend();
  EXPECT_THAT(refusal(check::header), HasSubstr("levels"));
  graph g;
  g.relations.push_back({"", build({}, {.dims = shape{9, 9}})});
  g.vertices = name_table(std::vector<std::string>(9, "x"));
  save_k2m(g, folder_ / "n.k2m");
  bytes_ = read(folder_ / "n.k2m");
  matrix_dims(entry(section_kind::matrix).offset, 9, 8);
  mend();
  EXPECT_NO_THROW(load_k2m(folder_.write("n.k2m", bytes_)));
  matrix_dims(entry(section_kind::matrix).offset, 8, 8);
  put<std::uint32_t>(entry(section_kind::matrix).offset + 24, 3);
  mend();
  refusal();
}

TEST_F(DamagedK2m, RelationsOfDifferentShape) {
  graph g;
  g.relations.push_back({"a", build({}, {.dims = shape{9, 9}})});
  g.relations.push_back({"b", build({}, {.dims = shape{9, 9}})});
  save_k2m(g, folder_ / "r.k2m");
  bytes_ = read(folder_ / "r.k2m");
  matrix_dims(entry(section_kind::matrix).offset, 9, 10);
  mend();
  EXPECT_THAT(refusal(), HasSubstr("shape"));
}

class DamagedAdaptiveK2m : public DamagedK2m {
 protected:
  DamagedAdaptiveK2m() : DamagedK2m(layout::adaptive) {}

  static constexpr std::array kinds = {section_kind::places, section_kind::starts,
                                       section_kind::start_bases, section_kind::payload,
                                       section_kind::dictionary};
};

TEST_F(DamagedAdaptiveK2m, IsSoundBeforeItIsDamaged) {
  EXPECT_EQ(load_k2m(folder_ / "a.k2m").at().kind(), layout::adaptive);
}

TEST_F(DamagedAdaptiveK2m, EveryTruncationIsNoticed) {
  const std::string whole = bytes_;
  for (std::size_t size = 0; size < whole.size(); size += size < 700 ? 1 : 97) {
    bytes_ = whole.substr(0, size);
    refusal(check::header);
  }
}

TEST_F(DamagedAdaptiveK2m, SizesThatLieWithRightChecksums) {
  const std::string whole = bytes_;
  const std::uint64_t record = entry(section_kind::matrix).offset;
  const adaptive_view a = load_k2m(folder_ / "a.k2m").at().adaptive();
  const auto lie = [&](std::uint64_t offset, auto value) {
    bytes_ = whole;
    put(record + offset, value);
    mend();
    return refusal(check::header);
  };
  EXPECT_THAT(lie(0, std::uint32_t{1}), HasSubstr("does not hold"));
  EXPECT_THAT(lie(16, std::uint64_t{0}), HasSubstr("for 0 non-zeros"));
  EXPECT_THAT(lie(16, ~std::uint64_t{0}), HasSubstr("cannot hold"));
  EXPECT_THAT(lie(24, a.nnz + 1), HasSubstr("cannot hold"));
  EXPECT_THAT(lie(32, a.containers + 1), HasSubstr("places"));
  EXPECT_THAT(lie(32, ~std::uint64_t{0}), HasSubstr("cannot hold"));
  EXPECT_THAT(lie(40, a.payload_words + 1), HasSubstr("payloads"));
  EXPECT_THAT(lie(40, std::uint64_t{1} << 62U), HasSubstr("payloads"));
  EXPECT_THAT(lie(48, a.patterns + 1), HasSubstr("patterns"));
  EXPECT_THAT(lie(48, ~std::uint64_t{0}), HasSubstr("too many"));
  EXPECT_THAT(lie(56, std::uint32_t{33}), HasSubstr("33 bits"));
  // The record of a matrix is one byte short.
  bytes_ = whole;
  for (std::uint32_t i = 0; i < head().sections; ++i) {
    if (entry_of(whole, i).kind != section_kind::matrix) continue;
    put(sizeof(header) + i * sizeof(section) + 16, entry_of(whole, i).bytes - 1);
  }
  mend();
  EXPECT_THAT(refusal(check::header), HasSubstr("matrix record of 71 bytes"));
  // A section is missing.
  for (const section_kind kind : kinds) {
    bytes_ = whole;
    for (std::uint32_t i = 0; i < head().sections; ++i) {
      if (entry_of(whole, i).kind == kind) put(sizeof(header) + i * sizeof(section), 99U);
    }
    mend();
    EXPECT_THAT(refusal(check::header), HasSubstr("there are no"));
  }
}

// Every flipped bit of record and arrays, with right checksums: refused, or another sound matrix.
TEST_F(DamagedAdaptiveK2m, EveryFlippedBitWithRightChecksums) {
  const std::string whole = bytes_;
  std::vector<section_kind> all(kinds.begin(), kinds.end());
  all.push_back(section_kind::matrix);
  std::size_t accepted = 0;
  std::size_t refused = 0;
  for (const section_kind kind : all) {
    const section s = entry(kind);
    for (std::uint64_t bit = 0; bit < 8 * s.bytes; ++bit) {
      bytes_ = whole;
      char& byte = bytes_[s.offset + bit / 8];
      byte = static_cast<char>(byte ^ (1 << bit % 8));
      mend();
      const auto file = folder_.write("b.k2m", bytes_);
      try {
        const matrix a = load_k2m(file).at();
        std::uint64_t cells = 0;
        a.for_each([&](std::span<const edge> batch) {
          for (const edge& e : batch) {
            EXPECT_TRUE(e.row < a.rows() && e.col < a.cols());
            if (cells++ % 64 == 0) {
              EXPECT_TRUE(a.contains(e.row, e.col));
            }
          }
        });
        EXPECT_EQ(cells, a.nnz());
        EXPECT_EQ(a.cells({0, 0, a.rows(), a.cols()}).size(), cells);
        ++accepted;
      } catch (const invalid_format&) {
        ++refused;
      }
    }
  }
  EXPECT_GT(accepted, 0U) << "a cell that moves, a shape that grows";
  EXPECT_GT(refused, 1000U);
}

TEST_F(K2m, WhatIsNoFileIsAnError) {
  EXPECT_THROW(load_k2m(folder_ / "missing.k2m"), io_error);
  EXPECT_THROW(load_k2m(folder_.path()), io_error);
  EXPECT_THROW(load_k2m(folder_.write("empty.k2m", "")), invalid_format);
}

}  // namespace
