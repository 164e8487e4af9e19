// The layout `adaptive`: what is encoded comes back, whatever its shape.
#include <baltoro/generate.hpp>
#include <baltoro/morton.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "format/adaptive/choose_kind.hpp"
#include "format/adaptive/decoder.hpp"
#include "format/adaptive/dictionary.hpp"
#include "format/adaptive/encoder.hpp"
#include "format/adaptive/kinds.hpp"
#include "format/adaptive/partition.hpp"
#include "format/adaptive/pattern.hpp"
#include "format/adaptive/validate.hpp"
#include "support/oracle.hpp"
#include "support/reference_matrix.hpp"

namespace {

using namespace baltoro;

std::vector<std::uint64_t> codes_of(std::span<const edge> cells) {
  std::vector<std::uint64_t> codes;
  for (const edge& e : cells) codes.push_back(morton::encode(e.row, e.col));
  std::sort(codes.begin(), codes.end());
  return codes;
}

std::vector<std::uint64_t> decode_all(const adaptive_view& a) {
  std::vector<std::uint64_t> codes;
  format::decoded_container container;
  for (std::uint64_t i = 0; i < a.containers; ++i) {
    container.load(a, i);
    EXPECT_EQ(container.corner() + container.offsets()[0], a.first_leaf(i));
    for (std::size_t k = 0; k < container.offsets().size(); ++k) {
      std::vector<std::uint64_t> cells;
      for (std::uint64_t code = 0; code < 64; ++code) {
        if ((container.patterns()[k] & format::cell_bit(code)) != 0) cells.push_back(code);
      }
      EXPECT_FALSE(cells.empty());
      for (const std::uint64_t c : cells) {
        codes.push_back((container.corner() + container.offsets()[k]) << 6U | c);
      }
    }
  }
  return codes;
}

void expect_comes_back(shape dims, std::span<const edge> cells,
                       std::initializer_list<std::uint32_t> limits = {512, 1, 7, 33}) {
  std::vector<std::uint64_t> codes = codes_of(cells);
  for (const std::uint32_t limit : limits) {
    const auto a = format::encode_adaptive(dims, codes, {.most_leaves = limit});
    std::vector<std::uint64_t> unique = codes;
    unique.erase(std::unique(unique.begin(), unique.end()), unique.end());
    ASSERT_EQ(decode_all(a->view), unique) << dims.rows << "x" << dims.cols << " limit " << limit;
    EXPECT_EQ(a->view.nnz, unique.size());
  }
}

TEST(AdaptiveFormat, PatternsTransposeAndTakeApart) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t pattern = random() & random() & (i % 2 == 0 ? random() : ~0ULL);
    std::uint64_t transposed = 0;
    std::uint64_t joined = 0;
    unsigned nodes = 1;
    for (unsigned r = 0; r < 8; ++r) {
      for (unsigned c = 0; c < 8; ++c) {
        if ((pattern >> (8 * r + c) & 1U) != 0) transposed |= 1ULL << (8 * c + r);
      }
    }
    for (unsigned q = 0; q < 4; ++q) {
      if (format::quarter_nibble(pattern, q) != 0) ++nodes;
      for (unsigned b = 0; b < 4; ++b) {
        const unsigned nibble = format::block_nibble(pattern, q, b);
        joined |= format::block_cells(nibble, q, b);
        if (nibble != 0) ++nodes;
      }
    }
    EXPECT_EQ(format::transpose(pattern), transposed);
    EXPECT_EQ(joined, pattern);
    EXPECT_EQ(format::pattern_nodes(pattern), nodes);
  }
}

TEST(AdaptiveFormat, AwkwardShapesComeBack) {
  std::uint64_t seed = 0;
  for (const shape dims : test::awkward_shapes()) {
    ++seed;
    expect_comes_back(dims,
                      test::random_cells(dims, 1 + dims.rows / 2 + dims.cols / 2, seed, seed % 3));
  }
  expect_comes_back({0, 0}, {});
  expect_comes_back({5, 9}, {});
}

TEST(AdaptiveFormat, GraphsComeBack) {
  expect_comes_back({20'000, 20'000}, generate_web(20'000, 10, 4));
  expect_comes_back({1U << 16U, 1U << 16U}, generate_rmat(16, 200'000, 0.57, 0.19, 0.19, 7));
  expect_comes_back({1U << 20U, 300}, generate_uniform({1U << 20U, 300}, 100'000, 7));
}

TEST(AdaptiveFormat, FarCornersComeBack) {
  const index_t end = max_dimension - 1;
  expect_comes_back({max_dimension, max_dimension},
                    std::vector<edge>{{0, 0}, {0, end}, {end, 7}, {end, end}, {1U << 31U, 5}});
}

TEST(AdaptiveFormat, FullAndPatternlessSquaresComeBack) {
  std::vector<edge> full;
  for (index_t r = 0; r < 200; ++r) {
    for (index_t c = 0; c < 200; ++c) full.push_back({r, c});
  }
  expect_comes_back({200, 200}, full);
  // More than 65,536 patterns, most of them once: the dictionary, wide ids and escapes.
  std::mt19937_64 random(5);
  std::vector<edge> noise;
  for (index_t r = 0; r < 2400; ++r) {
    for (index_t c = 0; c < 2400; ++c) {
      if (random() % 2 == 0) noise.push_back({r, c});
    }
  }
  expect_comes_back({2400, 2400}, noise, {512});
}

TEST(AdaptiveFormat, WideIdsComeBack) {
  // 100,000 patterns of 20 cells, eight times each: worth an entry.
  std::mt19937_64 random(5);
  std::vector<std::uint64_t> patterns;
  for (int i = 0; i < 70'000; ++i) {
    std::uint64_t pattern = 0;
    while (popcount(pattern) < 20) pattern |= 1ULL << random() % 64;
    patterns.push_back(pattern);
  }
  std::vector<edge> cells;
  for (index_t k = 0; k < 8 * patterns.size(); ++k) {
    const std::uint64_t pattern = patterns[k % patterns.size()];
    for (index_t bit = 0; bit < 64; ++bit) {
      if ((pattern >> bit & 1U) != 0)
        cells.push_back({k / 700 * 8 + bit / 8, k % 700 * 8 + bit % 8});
    }
  }
  expect_comes_back({6400, 5600}, cells, {512});
  const auto a = format::encode_adaptive({6400, 5600}, codes_of(cells));
  EXPECT_EQ(a->view.patterns, 70'000U);
  EXPECT_FALSE(a->view.classes.escapes());
}

TEST(AdaptiveFormat, PatternsAsDifferencesOfRows) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 1000; ++round) {
    std::uint64_t pattern = 0;
    for (unsigned r = 0; r < 8; ++r) pattern |= (random() % 3 == 0 ? random() % 256 : 7) << (8 * r);
    const std::uint64_t differences = format::row_differences(pattern);
    unsigned changed = 0;
    for (unsigned r = 0; r < 8; ++r) {
      const std::uint64_t before = r == 0 ? 0 : pattern >> (8 * (r - 1)) & 255;
      if ((pattern >> (8 * r) & 255) != before) changed |= 1U << r;
    }
    EXPECT_EQ(format::bytes_in_use(differences), changed);
    EXPECT_EQ(format::from_row_differences(differences), pattern);
    EXPECT_EQ(format::escape_bits({{0, 0, 0, leaf_classes::raw_rows}}, pattern),
              8 + 8 * std::popcount(changed));
  }
}

TEST(AdaptiveFormat, EscapesByRowsComeBack) {
  const auto cells = test::repeated_rows(500, 4);
  expect_comes_back({500, 500}, cells);
  auto codes = codes_of(cells);
  const auto a = format::encode_adaptive({500, 500}, codes);
  ASSERT_TRUE(a->view.classes.escapes_by_rows());
  EXPECT_EQ(format::check_adaptive(a->view), "");
  // Any bit of a payload.
  std::size_t refused = 0;
  for (std::size_t word = 0; word < 1500; ++word) {
    const unsigned bit = word * 7 % 32;
    a->payload[word] ^= 1U << bit;
    if (format::check_adaptive(a->view).empty()) {
      EXPECT_EQ(decode_all(a->view).size(), a->view.nnz);
    } else {
      ++refused;
    }
    a->payload[word] ^= 1U << bit;
  }
  EXPECT_GT(refused, 1000U);
}

TEST(AdaptiveFormat, ContainersAreFilled) {
  const auto codes = codes_of(generate_web(100'000, 10, 4));
  const auto a = format::encode_adaptive({100'000, 100'000}, codes);
  EXPECT_GT(a->view.leaves / a->view.containers, 200U);
}

// Offsets by their numbers in a container of this kind.
std::vector<std::uint32_t> in_order_of(const format::kind_functions& kind,
                                       const std::vector<std::uint32_t>& offsets, unsigned level,
                                       std::uint32_t detail) {
  if (kind.order == nullptr) return offsets;
  std::vector<std::uint16_t> numbers(offsets.size());
  kind.order(offsets, level, detail, numbers);
  std::vector<std::uint32_t> result;
  for (const std::uint16_t k : numbers) result.push_back(offsets[k]);
  return result;
}

// Every kind by itself, whatever the encoder would choose.
TEST(AdaptiveFormat, KindsHoldWhatTheyAreGiven) {
  std::mt19937_64 random(9);
  std::array<unsigned, format::container_kinds> tried{};
  for (int round = 0; round < 3000; ++round) {
    const auto level = static_cast<unsigned>(random() % (adaptive_view::max_level + 1));
    const std::uint64_t area = 1ULL << (2 * level);
    const std::uint64_t range = random() % 3 == 0 ? std::min<std::uint64_t>(area, 700) : area;
    std::set<std::uint32_t> drawn;
    const std::uint64_t wanted = 1 + random() % std::min<std::uint64_t>(512, range);
    while (drawn.size() < wanted) drawn.insert(static_cast<std::uint32_t>(random() % range));
    const std::vector<std::uint32_t> offsets(drawn.begin(), drawn.end());
    const auto leaves = static_cast<unsigned>(offsets.size());
    std::vector<std::uint32_t> keys(2 * offsets.size());
    const format::leaf_positions positions = format::sort_positions(offsets, keys.data());
    for (std::uint32_t number = 0; number < format::container_kinds; ++number) {
      const format::kind_functions& kind = format::kind_of(number);
      const auto size = kind.measure(positions, level);
      if (!size) continue;
      ++tried[number];
      SCOPED_TRACE(std::string(kind.name) + " level " + std::to_string(level) + " leaves " +
                   std::to_string(leaves));
      ASSERT_EQ(kind.words(leaves, size->detail), size->words);
      std::vector<std::uint32_t> words(size->words + 2);
      const std::vector<std::uint32_t> numbered = in_order_of(kind, offsets, level, size->detail);
      kind.encode(numbered, level, size->detail, words.data());
      ASSERT_EQ(words[size->words], 0U);
      std::vector<std::uint32_t> decoded(leaves);
      kind.decode(words.data(), level, size->detail, decoded);
      ASSERT_EQ(decoded, numbered);
      ASSERT_TRUE(kind.valid(words.data(), level, size->detail, leaves));
      for (int look = 0; look < 20; ++look) {
        const auto offset = static_cast<std::uint32_t>(look % 2 == 0 ? offsets[random() % leaves]
                                                                     : random() % area);
        const auto at = std::find(numbered.begin(), numbered.end(), offset);
        ASSERT_EQ(kind.find(words.data(), level, size->detail, leaves, offset),
                  static_cast<unsigned>(at - numbered.begin()))
            << offset;
      }
    }
  }
  for (const unsigned count : tried) EXPECT_GT(count, 500U);
}

}  // namespace
