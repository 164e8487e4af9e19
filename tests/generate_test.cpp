#include <baltoro/builder.hpp>
#include <baltoro/error.hpp>
#include <baltoro/generate.hpp>
#include <baltoro/threads.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "algorithms/generate/model.hpp"
#include "algorithms/generate/random.hpp"

namespace {

using namespace baltoro;
using testing::ElementsAre;

// Source: the known answers that come with the authors' Random123.
TEST(Generate, PhiloxGivesTheKnownAnswers) {
  const auto words = [](std::vector<std::uint32_t> counter, std::uint64_t key) {
    const auto block = generators::philox({{counter[0], counter[1], counter[2], counter[3]}}, key);
    return std::vector<std::uint32_t>(std::begin(block.word), std::end(block.word));
  };
  EXPECT_THAT(words({0, 0, 0, 0}, 0), ElementsAre(0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8));
  EXPECT_THAT(words({~0U, ~0U, ~0U, ~0U}, ~0ULL),
              ElementsAre(0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd));
  EXPECT_THAT(words({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, 0x299f31d0a4093822ULL),
              ElementsAre(0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1));
}

// How often each octave is drawn.
std::vector<double> octaves(double ratio, std::uint64_t largest) {
  const generators::power_law law(ratio, largest);
  constexpr int draws = 200'000;
  std::vector<double> share(33);
  generators::random_sequence random(1, 2, 3);
  for (int i = 0; i < draws; ++i) {
    const std::uint32_t x = law.draw(random);
    EXPECT_GE(x, 1U);
    EXPECT_LE(x, largest);
    share[static_cast<std::size_t>(std::bit_width(x) - 1)] += 1.0 / draws;
  }
  return share;
}

TEST(Generate, PowerLawsFallFromOctaveToOctave) {
  EXPECT_NEAR(octaves(0.5, 1)[0], 1, 1e-9);
  const auto halves = octaves(0.5, 7);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(halves[k], 4 / 7.0 / (1 << k), 0.01);
  const auto equal = octaves(1, (1ULL << 32U) - 1);
  for (int k = 0; k < 32; ++k) EXPECT_NEAR(equal[k], 1 / 32.0, 0.005);
  const auto rising = octaves(2, 15);
  for (int k = 0; k < 4; ++k) EXPECT_NEAR(rising[k], (1 << k) / 15.0, 0.01);
  // The last octave has as much as there is of it: 8 of 8 to 15.
  EXPECT_NEAR(octaves(2, 8)[3], 1 / 8.0, 0.01);
  EXPECT_NEAR(octaves(0.5, 100'000'000)[0], 0.5, 0.01);
}

TEST(Generate, SharesFollowWeightsUpToTheLimit) {
  const auto share = [](std::uint64_t count, std::vector<std::uint64_t> weights, index_t limit,
                        std::vector<index_t> rows = {}) {
    rows.resize(weights.size());
    generators::share(count, std::move(weights), limit, rows);
    return rows;
  };
  EXPECT_THAT(share(6, {1, 2, 3}, 10), ElementsAre(1, 2, 3));
  EXPECT_THAT(share(6, {1, 0, 1}, 10), ElementsAre(3, 0, 3));
  EXPECT_THAT(share(8, {1, 0, 1}, 3), ElementsAre(3, 2, 3)) << "the others are full";
  EXPECT_THAT(share(9, {1, 0, 1}, 3), ElementsAre(3, 3, 3));
  EXPECT_THAT(share(0, {5}, 3), ElementsAre(0));
  EXPECT_THAT(share(5, {1, 0, 1}, 3, {0, 2, 0}), ElementsAre(2, 2, 3));
  const auto many = share(1'000'000, std::vector<std::uint64_t>(7, 3), 1'000'000);
  for (const index_t one : many) EXPECT_NEAR(one, 1'000'000 / 7.0, 1);
}

TEST(Generate, CompleteAddsTheNextFreeColumns) {
  std::vector<index_t> columns{5, 3, 5};
  generators::complete(columns, 5, 3, 7);
  EXPECT_THAT(columns, ElementsAre(0, 3, 4, 5, 6)) << "from 3 on, then from 0";
}

struct made {
  const char* name;
  generator graph;
};

// One of every model, with the edges and shapes of a few.
std::vector<made> every_model(std::uint64_t seed) {
  return {{"web", generator::web(30'000, 400'000, seed)},
          {"merkle", generator::merkle(30'000, 600'000, seed)},
          {"social", generator::social(30'000, 450'000, seed)},
          {"citation", generator::citation({20'000, 35'000}, 300'000, seed)},
          {"relation", generator::relation({100'000, 170}, 110'000, seed)},
          {"rmat", generator::rmat(16, 200'000, 0.57, 0.19, 0.19, seed)},
          {"uniform", generator::uniform({5'000, 70'000}, 200'000, seed)}};
}

bool draws_cells(const std::string& name) { return name == "rmat" || name == "uniform"; }

TEST(Generate, ModelsMakeWhatWasAskedFor) {
  for (const auto& [name, graph] : every_model(1)) {
    SCOPED_TRACE(name);
    const std::vector<edge> edges = graph.all();
    EXPECT_EQ(edges.size(), graph.edges());
    for (const edge& e : edges) {
      ASSERT_LT(e.row, graph.dims().rows);
      ASSERT_LT(e.col, graph.dims().cols);
    }
    if (draws_cells(name)) continue;
    EXPECT_TRUE(std::is_sorted(edges.begin(), edges.end()));
    EXPECT_EQ(std::adjacent_find(edges.begin(), edges.end()), edges.end());
  }
}

TEST(Generate, SeedsDecideAndThreadsDoNot) {
  const auto first = every_model(1);
  const auto again = every_model(1);
  const auto other = every_model(2);
  for (std::size_t i = 0; i < first.size(); ++i) {
    SCOPED_TRACE(first[i].name);
    std::vector<edge> alone;
    {
      const thread_limit one(1);
      alone = first[i].graph.all();
    }
    const thread_limit three(3);
    EXPECT_EQ(alone, again[i].graph.all());
    EXPECT_NE(alone, other[i].graph.all());
  }
}

TEST(Generate, PartsAreTheGraphCutInRows) {
  for (const auto& [name, graph] : every_model(3)) {
    SCOPED_TRACE(name);
    std::vector<edge> joined;
    std::vector<edge> part;
    // Backwards: a part needs no other.
    for (std::uint64_t p = graph.parts(); p-- > 0;) {
      graph.make(p, part);
      joined.insert(joined.begin(), part.begin(), part.end());
    }
    EXPECT_EQ(joined, graph.all());
    EXPECT_THROW(graph.make(graph.parts(), part), invalid_argument);
  }
}

// 8192 rows of that many would be 82 million edges: what is held at a time stays small.
TEST(Generate, PartsOfLongRowsHaveFewOfThem) {
  for (const generator& graph : {generator::relation({20'000, 50'000}, 200'000'000, 1),
                                 generator::merkle(20'000, 200'000'000, 1)}) {
    EXPECT_EQ(graph.parts(), (20'000U + 255) / 256);
    std::vector<edge> first;
    std::vector<edge> last;
    graph.make(0, first);
    graph.make(graph.parts() - 1, last);
    EXPECT_EQ(first.size(), 2'560'000U);
    EXPECT_EQ(last.back().row, 19'999U);
    EXPECT_TRUE(std::is_sorted(first.begin(), first.end()));
    EXPECT_EQ(std::adjacent_find(first.begin(), first.end()), first.end());
  }
}

// Sums over all edges in order: a model that changes would make published figures those of another graph.
TEST(Generate, GraphsStayTheSame) {
  std::map<std::string, std::uint64_t> sums;
  for (const auto& [name, graph] : every_model(1)) {
    std::uint64_t sum = 0;
    for (const edge& e : graph.all()) {
      sum = sum * 0x9E37'79B9'7F4A'7C15ULL + (std::uint64_t{e.row} << 32U | e.col);
    }
    sums[name] = sum;
  }
  EXPECT_THAT(sums, ElementsAre(testing::Pair("citation", 12062711635380550112U),
                                testing::Pair("merkle", 12165644364718957737U),
                                testing::Pair("relation", 8062249945804282967U),
                                testing::Pair("rmat", 18437449998340005937U),
                                testing::Pair("social", 5695098383961274673U),
                                testing::Pair("uniform", 6081218313867939801U),
                                testing::Pair("web", 8868675994219835034U)));
}

TEST(Generate, WebCompressesLikeTheWeb) {
  const auto edges = generate_web(50'000, 10, 1);
  EXPECT_EQ(edges.size(), 500'000U);
  const matrix a = build(edges, {.dims = shape{50'000, 50'000}});
  EXPECT_LT(a.bits_per_edge(), 6.0);  // real crawls take 2.4 to 3.5, scattered graphs over 20
}

TEST(Generate, WebAtTheLimits) {
  EXPECT_TRUE(generate_web(0, 10, 1).empty());
  EXPECT_TRUE(generate_web(10, 0, 1).empty());
  EXPECT_THAT(generate_web(1, 5, 1), ElementsAre(edge{0, 0}));
  EXPECT_EQ(generate_web(9, 9, 1).size(), 81U) << "every cell";
  EXPECT_THROW(generate_web(10, -1, 1), invalid_argument);
  EXPECT_THROW(generate_web(10, 2e6, 1), invalid_argument);
}

TEST(Generate, ModelsAtTheLimits) {
  for (const index_t n : {1U, 2U, 3U, 63U, 64U, 65U, 8191U, 8192U, 8193U}) {
    for (const std::uint64_t edges : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{n}}) {
      SCOPED_TRACE(testing::Message() << n << " vertices, " << edges << " edges");
      for (const generator& graph :
           {generator::web(n, edges, 1), generator::merkle(n, edges, 1),
            generator::social(n, edges, 1), generator::citation({n, 1}, edges, 1),
            generator::relation({n, 2}, edges, 1), generator::relation({1, n}, edges, 1)}) {
        const auto list = graph.all();
        EXPECT_EQ(list.size(), edges);
        EXPECT_EQ(std::adjacent_find(list.begin(), list.end()), list.end());
      }
    }
  }
  for (const generator& full : {generator::web(40, 1600, 1), generator::merkle(40, 1600, 1),
                                generator::social(40, 1600, 1)}) {
    EXPECT_EQ(build(full.all()).nnz(), 1600U);
  }
  EXPECT_THROW(generator::web(40, 1601, 1), invalid_argument);
  EXPECT_THROW(generator::relation({5, 0}, 1, 1), invalid_argument);
  EXPECT_THROW(generator::relation({5, 5}, 1, 1, {.repeat = 1.5}), invalid_argument);
  EXPECT_THROW(generator::relation({5, 5}, 1, 1, {.skew = -1}), invalid_argument);
}

TEST(Generate, RelationsRepeatRowsAndFavourColumns) {
  constexpr index_t rows = 100'000;
  const auto of = [](const relation_options& options) {
    std::vector<index_t> columns(rows);
    for (const edge& e : generator::relation({rows, 512}, rows, 1, options).all()) {
      columns[e.row] = e.col;
    }
    return columns;
  };
  const auto repeats = [](const std::vector<index_t>& columns) {
    double count = 0;
    for (std::size_t i = 1; i < columns.size(); ++i) count += columns[i] == columns[i - 1];
    return count / rows;
  };
  EXPECT_LT(repeats(of({.repeat = 0, .skew = 0})), 0.01);
  EXPECT_NEAR(repeats(of({.repeat = 0.7, .skew = 0})), 0.7, 0.02);
  // Zipf: with exponent 1 the nine octaves of the ranks up to 511 and rank 512 have about the same share.
  const auto zipf = of({.repeat = 0, .skew = 1});
  for (unsigned octave = 0; octave < 9; ++octave) {
    const auto in = std::count_if(zipf.begin(), zipf.end(), [octave](index_t col) {
      return static_cast<unsigned>(std::bit_width(col + 1)) == octave + 1;
    });
    EXPECT_NEAR(static_cast<double>(in) / rows, 1.0 / 9, 0.02) << octave;
  }
}

TEST(Generate, CitationsGoBack) {
  const auto edges = generator::citation({50'000, 50'000}, 400'000, 1).all();
  std::uint64_t younger = 0;
  for (const edge& e : edges) younger += e.col > e.row;
  // The first rows have too few before them.
  EXPECT_LT(younger, 1000U);
  EXPECT_TRUE(std::all_of(edges.begin(), edges.end(),
                          [](const edge& e) { return e.row < 100 || e.col <= e.row; }));
}

TEST(Generate, TreesOfHistoriesResembleTheVersionBefore) {
  std::vector<std::vector<index_t>> rows(30'000);
  for (const edge& e : generator::merkle(30'000, 600'000, 1).all()) rows[e.row].push_back(e.col);
  std::uint64_t alike = 0;
  std::uint64_t trees = 0;
  std::uint64_t files = 0;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    files += rows[i].empty();
    if (rows[i].size() < 8) continue;
    ++trees;
    std::vector<index_t> common;
    std::set_intersection(rows[i].begin(), rows[i].end(), rows[i - 1].begin(), rows[i - 1].end(),
                          std::back_inserter(common));
    alike += 10 * common.size() >= 8 * rows[i].size();
  }
  EXPECT_GT(files, rows.size() / 3);
  EXPECT_GT(alike, trees / 4);
  EXPECT_GT(trees, 1000U);
}

TEST(Generate, RmatIsSkewedAndInRange) {
  const auto edges = generate_rmat(10, 20'000, 0.57, 0.19, 0.19, 7);
  EXPECT_EQ(edges.size(), 20'000U);
  std::size_t upper_left = 0;
  for (const edge& e : edges) upper_left += e.row < 512 && e.col < 512;
  EXPECT_NEAR(static_cast<double>(upper_left) / 20'000, 0.57, 0.02);
  EXPECT_THROW(generate_rmat(32, 1, 0.5, 0.1, 0.1, 1), invalid_argument);
  EXPECT_THROW(generate_rmat(3, 1, 0.9, 0.1, 0.1, 1), invalid_argument);
  EXPECT_THAT(generate_rmat(0, 2, 0.5, 0.1, 0.1, 1), ElementsAre(edge{0, 0}, edge{0, 0}));
}

TEST(Generate, UniformCoversTheShape) {
  const auto edges = generate_uniform({3, 5}, 2'000, 1);
  std::vector<int> count(15);
  for (const edge& e : edges) ++count.at(5 * e.row + e.col);
  for (const int c : count) EXPECT_NEAR(c, 2000 / 15, 60);
  EXPECT_THROW(generate_uniform({0, 5}, 1, 1), invalid_argument);
  EXPECT_TRUE(generate_uniform({0, 0}, 0, 1).empty());
}

struct figures {
  double nodes_per_edge;
  double edges_per_block;
};

figures figures_of(const generator& graph) {
  builder edges({.dims = graph.dims()});
  graph.for_each([&](std::span<const edge> part) { edges.add(part); });
  const matrix a = edges.finish();
  EXPECT_EQ(a.nnz(), graph.edges());
  const level_order_view& tree = a.tree();
  const auto nnz = static_cast<double>(a.nnz());
  return {static_cast<double>(tree.nodes()) / nnz,
          nnz / static_cast<double>(tree.nodes_at(tree.levels - 2))};
}

// About a million edges of each. bench/stand_ins compares them at full size.
TEST(StandIns, HaveTheStructureOfTheirGraphs) {
  EXPECT_EQ(stand_ins().size(), 14U);
  for (const stand_in& s : stand_ins()) {
    SCOPED_TRACE(std::string(s.name));
    const std::uint64_t scale = std::max<std::uint64_t>(1, s.edges / 1'000'000);
    const generator graph = generator::like(s.name, scale);
    EXPECT_NEAR(graph.dims().rows, s.dims.rows / static_cast<double>(scale), 1);
    EXPECT_NEAR(graph.dims().cols, s.dims.cols / static_cast<double>(scale), 1);
    EXPECT_EQ(graph.edges(), s.edges / scale);
    const figures found = figures_of(graph);
    EXPECT_NEAR(found.edges_per_block, s.edges_per_block, 0.15 * s.edges_per_block);
    // What a scattered edge takes falls by a node for a matrix that is four times as dense; the part of the
    // edges that is scattered is in the table of docs/stand-ins.md.
    const double scattered = s.name == "wd_cites_work"   ? 0.8
                             : s.name == "enwiki-2013"   ? 0.3
                             : s.name == "ljournal-2008" ? 0.2
                                                         : 0;
    const double expected =
        s.nodes_per_edge - scattered * std::log2(static_cast<double>(scale)) / 2;
    EXPECT_NEAR(found.nodes_per_edge, expected, 0.15 * expected);
  }
}

// What the seed decides is not what structure there is.
TEST(StandIns, AreTheSameKindOfGraphWithAnySeed) {
  for (const char* name : {"wd_country", "wd_occupation", "indochina-2004"}) {
    SCOPED_TRACE(name);
    const figures one = figures_of(generator::like(name, 100, 1));
    const figures two = figures_of(generator::like(name, 100, 2));
    EXPECT_NE(one.nodes_per_edge, two.nodes_per_edge);
    EXPECT_NEAR(one.nodes_per_edge, two.nodes_per_edge, 0.15 * one.nodes_per_edge);
  }
}

TEST(StandIns, SayWhatThereIs) {
  const auto reason = [](std::string_view name, std::uint64_t scale) -> std::string {
    try {
      (void)generator::like(name, scale);
    } catch (const invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(reason("uk-2003", 1), testing::HasSubstr("uk-2002"));
  EXPECT_THAT(reason("wd_cast_member", 0), testing::HasSubstr("scale 0"));
  EXPECT_THAT(reason("wd_cast_member", 252), testing::HasSubstr("from 1 to 251"));
  EXPECT_EQ(reason("wd_cast_member", 251), "");
}

}  // namespace
