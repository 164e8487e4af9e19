// BVGraph files: lists checked by hand, round trips in every code, damaged files, offsets that lie.
#include <baltoro/error.hpp>

#include <cstdint>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include "io/bvgraph_decoder.hpp"
#include "io/readers.hpp"
#include "io/whole_file.hpp"
#include "support/bvgraph_writer.hpp"
#include "support/data.hpp"
#include "support/temporary_directory.hpp"

namespace {

using namespace baltoro;
using namespace baltoro::test;
using io::bit_order;
using io::code_kind;
using testing::ElementsAre;
using testing::HasSubstr;

class collecting_sink : public io::edge_sink {
 public:
  void add(std::span<const edge> batch) override {
    edges.insert(edges.end(), batch.begin(), batch.end());
  }
  std::vector<edge> edges;
};

std::vector<edge> edges_of(const adjacency& lists) {
  std::vector<edge> edges;
  for (std::size_t row = 0; row < lists.size(); ++row) {
    for (const index_t col : lists[row]) edges.push_back({static_cast<index_t>(row), col});
  }
  return edges;
}

class threads {
 public:
  explicit threads(std::size_t count)
      : limit_(tbb::global_control::max_allowed_parallelism, count) {}

 private:
  tbb::global_control limit_;
};

std::vector<edge> read(const std::filesystem::path& file, std::size_t thread_count = 1) {
  const threads limit(thread_count);
  collecting_sink sink;
  io::read_bvgraph(file, sink, {});
  return sink.edges;
}

// Lists of the kinds real graphs have: near ones, far ones, runs, copies of earlier lists, none.
adjacency random_lists(std::size_t nodes, unsigned average, std::uint32_t seed) {
  std::mt19937 random(seed);
  const auto below = [&](std::size_t bound) { return static_cast<index_t>(random() % bound); };
  adjacency lists(nodes);
  for (std::size_t node = 0; node < nodes; ++node) {
    std::set<index_t>& list = lists[node];
    if (below(5) == 0) continue;
    if (node > 0 && below(3) != 0) {
      for (const index_t col : lists[node - 1 - below(std::min<std::size_t>(node, 8))]) {
        if (below(8) != 0) list.insert(col);
      }
    }
    while (below(average) != 0 && list.size() < nodes) {
      const index_t start =
          below(4) == 0 ? below(nodes) : static_cast<index_t>((node + below(20)) % nodes);
      const index_t length = below(4) == 0 ? 1 + below(12) : 1;
      for (index_t i = 0; i < length && start + i < nodes; ++i) list.insert(start + i);
    }
    while (list.size() > 60) list.erase(list.begin());
  }
  return lists;
}

// A graph of which the bits are written down, big-endian.
std::filesystem::path write_bits(const temporary_directory& folder, const std::string& properties,
                                 std::string_view bits) {
  folder.write("g.properties", properties);
  folder.write("g.graph", bit_writer(bit_order::msb_first, bits).bytes());
  return folder / "g";
}

std::string error_of(const std::filesystem::path& file, std::size_t thread_count = 1) {
  try {
    read(file, thread_count);
  } catch (const error& e) {
    return e.what();
  }
  return "no error";
}

TEST(Bvgraph, ReadsResidualsWrittenByHand) {
  const temporary_directory folder;
  const auto file = write_bits(folder, "nodes=3\narcs=3\nwindowsize=0\nminintervallength=0\n",
                               "011 1011 100"  // 0: two successors, +1 (code 2), then the next one
                               "1"             // 1: none
                               "010 100");     // 2: one, itself
  EXPECT_THAT(read(file), ElementsAre(edge{0, 1}, edge{0, 2}, edge{2, 2}));
}

TEST(Bvgraph, ReadsReferencesAndIntervalsWrittenByHand) {
  const temporary_directory folder;
  const auto file =
      write_bits(folder, "nodes=6\narcs=7\nwindowsize=1\nminintervallength=2\n",
                 "00101 1 010 1 010 0100011"  // 0: four, no copy, one interval 0..2, then +5
                 "00100 01 011 011 1"         // 1: three, copied from 0: 2 yes, 1 no, the rest yes
                 "1 1 1 1");
  EXPECT_THAT(read(file), ElementsAre(edge{0, 0}, edge{0, 1}, edge{0, 2}, edge{0, 5}, edge{1, 0},
                                      edge{1, 1}, edge{1, 5}));
}

TEST(Bvgraph, ReadsLittleEndianWrittenByHand) {
  const temporary_directory folder;
  folder.write(
      "g.properties",
      "nodes=3\narcs=3\nwindowsize=0\nminintervallength=0\nendianness=little\nversion=1\n");
  // As above; 1 is coded 1 10 1 instead of 1 01 1, and the first bit of a byte is its lowest.
  folder.write("g.graph", bit_writer(bit_order::lsb_first, "011 1101 100 1 010 100").bytes());
  EXPECT_THAT(read(folder / "g"), ElementsAre(edge{0, 1}, edge{0, 2}, edge{2, 2}));
}

TEST(Bvgraph, TakesAnyOfItsFileNames) {
  const temporary_directory folder;
  const adjacency lists{{1}, {0, 1}};
  bvgraph_options options;
  options.with_offsets = true;
  bvgraph_writer(lists, options).write(folder, "a.b");
  for (const char* name : {"a.b", "a.b.graph", "a.b.properties", "a.b.offsets"}) {
    EXPECT_EQ(read(folder / name), edges_of(lists)) << name;
  }
}

TEST(Bvgraph, GivesTheShapeOfTheProperties) {
  const temporary_directory folder;
  collecting_sink sink;
  const adjacency lists{{}, {}, {0}, {}};
  const auto file = bvgraph_writer(lists, {}).write(folder, "g");
  EXPECT_EQ(io::read_bvgraph(file, sink, {}), (shape{4, 4}));
}

TEST(Bvgraph, ReadsTheEmptyGraph) {
  const temporary_directory folder;
  EXPECT_TRUE(read(bvgraph_writer({}, {}).write(folder, "g"), 2).empty());
}

std::vector<io::code> all_codes() {
  return {{code_kind::unary},     {code_kind::gamma},     {code_kind::delta},
          {code_kind::nibble},    {code_kind::golomb, 1}, {code_kind::golomb, 5},
          {code_kind::golomb, 8}, {code_kind::zeta, 1},   {code_kind::zeta, 2},
          {code_kind::zeta, 3},   {code_kind::zeta, 7},   {code_kind::pi, 0},
          {code_kind::pi, 1},     {code_kind::pi, 2},     {code_kind::pi, 4}};
}

TEST(Bvgraph, ReadsEveryCodeInEveryPartAndBothOrders) {
  const temporary_directory folder;
  const adjacency lists = random_lists(60, 6, 1);
  for (const bit_order order : {bit_order::msb_first, bit_order::lsb_first}) {
    for (const io::code code : all_codes()) {
      for (int part = 0; part < 7; ++part) {
        bvgraph_options options;
        options.order = order;
        options.min_interval_length = 2;
        options.with_offsets = true;
        io::bvgraph_codes& c = options.codes;
        io::code* const parts[] = {&c.outdegrees, &c.references, &c.block_counts, &c.blocks,
                                   &c.intervals,  &c.residuals,  &c.offsets};
        *parts[part] = code;
        const bvgraph_writer writer(lists, options);
        SCOPED_TRACE(writer.properties());
        const auto file = writer.write(folder, "g");
        EXPECT_EQ(read(file), edges_of(lists));
        EXPECT_EQ(read(file, 2), edges_of(lists));
      }
    }
  }
}

TEST(Bvgraph, ReadsEveryWindowAndIntervalLength) {
  const temporary_directory folder;
  for (const unsigned window : {0U, 1U, 2U, 3U, 7U, 8U, 70U}) {
    for (const unsigned min_interval : {0U, 1U, 2U, 4U, 100U}) {
      for (const unsigned references : {1U, 3U, 1000U}) {
        const adjacency lists = random_lists(90, 5, window * 100 + min_interval);
        bvgraph_options options;
        options.window_size = window;
        options.min_interval_length = min_interval;
        options.max_reference_count = references;
        options.with_offsets = true;
        const auto file = bvgraph_writer(lists, options).write(folder, "g");
        EXPECT_EQ(read(file), edges_of(lists)) << window << ' ' << min_interval;
        EXPECT_EQ(read(file, 2), edges_of(lists)) << window << ' ' << min_interval;
      }
    }
  }
}

TEST(Bvgraph, ReadsFullRowsLastColumnsAndSelfLoops) {
  const temporary_directory folder;
  adjacency lists(40);
  for (index_t i = 0; i < 40; ++i) {
    lists[0].insert(i);
    lists[39].insert(i);
    lists[i].insert(i);
    lists[i].insert(39);
  }
  const auto file = bvgraph_writer(lists, {}).write(folder, "g");
  EXPECT_EQ(read(file), edges_of(lists));
}

// Large enough for several pieces, with lists that copy across their borders.
class BvgraphPieces : public testing::TestWithParam<unsigned> {
 protected:
  void write(unsigned max_reference_count) {
    bvgraph_options options;
    options.with_offsets = true;
    options.window_size = 3;
    options.max_reference_count = max_reference_count;
    bvgraph_writer(lists_, options).write(folder_, "g");
    ASSERT_GT(std::filesystem::file_size(folder_ / "g.graph"), 4U << 15);
  }

  temporary_directory folder_;
  adjacency lists_ = random_lists(16'000, 10, 7);
};

TEST_P(BvgraphPieces, AreReadAsInOrder) {
  write(GetParam());
  EXPECT_EQ(read(folder_ / "g", 1), edges_of(lists_));
  EXPECT_EQ(read(folder_ / "g", 2), edges_of(lists_));
  EXPECT_EQ(read(folder_ / "g", 4), edges_of(lists_));
}

INSTANTIATE_TEST_SUITE_P(ReferenceChains, BvgraphPieces, testing::Values(0U, 3U, 100'000U));

using BvgraphOffsets = BvgraphPieces;

TEST_F(BvgraphOffsets, ThatLieChangeNothing) {
  write(3);
  const std::string good = [&] {
    const io::whole_file file(folder_ / "g.offsets");
    return std::string(reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size());
  }();
  std::vector<std::string> lies{"",
                                "x",
                                good.substr(0, good.size() / 2),
                                std::string(5000, '\0'),
                                std::string(5000, '\xFF'),
                                std::string(5000, '\xA5'),
                                good.substr(1)};
  for (const std::size_t at : {std::size_t{1}, good.size() / 3, good.size() / 2, good.size() - 2}) {
    std::string damaged = good;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    lies.push_back(damaged);
  }
  for (std::size_t i = 0; i < lies.size(); ++i) {
    folder_.write("g.offsets", lies[i]);
    EXPECT_EQ(read(folder_ / "g", 3), edges_of(lists_)) << i;
  }
}

TEST_F(BvgraphOffsets, OfAnotherGraphChangeNothing) {
  write(3);
  bvgraph_options options;
  options.with_offsets = true;
  const adjacency others = random_lists(16'000, 10, 8);
  bvgraph_writer(others, options).write(folder_, "h");
  std::filesystem::rename(folder_ / "h.offsets", folder_ / "g.offsets");
  EXPECT_EQ(read(folder_ / "g", 2), edges_of(lists_));
}

TEST_F(BvgraphOffsets, DoNotHideDamageOfTheGraph) {
  write(3);
  const auto size = std::filesystem::file_size(folder_ / "g.graph");
  std::filesystem::resize_file(folder_ / "g.graph", size * 2 / 3);
  const std::string in_order = error_of(folder_ / "g", 1);
  EXPECT_THAT(in_order, HasSubstr("g.graph: node "));
  EXPECT_EQ(error_of(folder_ / "g", 2), in_order);
}

TEST_F(BvgraphOffsets, ThatAreAFolderAreIgnored) {
  write(3);
  std::filesystem::remove(folder_ / "g.offsets");
  std::filesystem::create_directory(folder_ / "g.offsets");
  EXPECT_EQ(read(folder_ / "g", 2), edges_of(lists_));
}

TEST(Bvgraph, ReadsARowLongerThanAnyBuffer) {
  const temporary_directory folder;
  constexpr index_t nodes = 300'000;
  // Node 0 has all as one interval, node 1 copies them all, the rest has none.
  bit_writer graph(bit_order::msb_first);
  bit_writer offsets(bit_order::msb_first);
  const io::code gamma{code_kind::gamma};
  offsets.write(gamma, 0);
  graph.write(gamma, nodes);
  graph.raw("1 010 1");
  graph.write(gamma, nodes - 4);
  offsets.write(gamma, graph.size());
  const std::size_t start = graph.size();
  graph.write(gamma, nodes);
  graph.raw("01 1");
  offsets.write(gamma, graph.size() - start);
  for (index_t node = 2; node < nodes; ++node) {
    graph.raw("1");
    offsets.write(gamma, 1);
  }
  folder.write("g.properties", "nodes=300000\narcs=600000\n");
  folder.write("g.graph", graph.bytes());
  folder.write("g.offsets", offsets.bytes());
  for (const std::size_t count : {1U, 2U}) {
    const auto edges = read(folder / "g", count);
    ASSERT_EQ(edges.size(), 2U * nodes);
    for (std::size_t i = 0; i < edges.size(); ++i) {
      ASSERT_EQ(edges[i], (edge{i < nodes ? 0U : 1U, static_cast<index_t>(i % nodes)}));
    }
  }
}

TEST(Bvgraph, ReportsProgressUpToTheEnd) {
  const temporary_directory folder;
  const adjacency lists = random_lists(500, 5, 3);
  const auto file = bvgraph_writer(lists, {}).write(folder, "g");
  std::vector<progress_event> events;
  read_options options;
  options.build.progress = [&](const progress_event& event) { events.push_back(event); };
  collecting_sink sink;
  io::read_bvgraph(file, sink, options);
  ASSERT_FALSE(events.empty());
  EXPECT_EQ(events.back().done, std::filesystem::file_size(folder / "g.graph"));
  EXPECT_EQ(events.back().done, events.back().total);
}

TEST(Bvgraph, PassesOnWhatTheSinkThrows) {
  struct : io::edge_sink {
    void add(std::span<const edge>) override { throw out_of_memory("edges", 2, 1, "none"); }
  } sink;
  const temporary_directory folder;
  bvgraph_options options;
  options.with_offsets = true;
  const auto file = bvgraph_writer({{1}, {0}}, options).write(folder, "g");
  for (const std::size_t count : {1U, 2U}) {
    const threads limit(count);
    EXPECT_THROW(io::read_bvgraph(file, sink, {}), out_of_memory);
  }
}

struct damage {
  const char* name;
  const char* properties;
  const char* bits;
  const char* message;
};

class DamagedBvgraph : public testing::TestWithParam<damage> {};

TEST_P(DamagedBvgraph, IsRefusedWithPlaceAndReason) {
  const temporary_directory folder;
  const auto file = write_bits(folder, GetParam().properties, GetParam().bits);
  const std::string message = error_of(file);
  EXPECT_THAT(message, HasSubstr(GetParam().message));
  EXPECT_THAT(message, HasSubstr(folder.path().string()));
}

constexpr const char* plain = "nodes=4\narcs=4\nwindowsize=0\nminintervallength=0\n";
constexpr const char* runs = "nodes=4\narcs=4\nwindowsize=0\nminintervallength=2\n";
constexpr const char* copies = "nodes=4\narcs=4\nwindowsize=2\nminintervallength=0\n";

INSTANTIATE_TEST_SUITE_P(
    Each, DamagedBvgraph,
    testing::Values(
        damage{"outdegree", plain, "00110", "node 0: it has 5 successors, but there are 4 nodes"},
        damage{"truncated_outdegree", plain, "1 0000000", "node 1: the file ends inside a number"},
        damage{"truncated_list", plain, "1 1 1 00100", "node 3: the file ends inside the list"},
        damage{"missing_lists", plain, "011 1011 100 1 00000", "node 2: the file ends inside"},
        damage{"number_of_100_bits", plain,
               "00000000000000000000000000000000000000000000000000"
               "000000000000000000000000000000000000000000000000001",
               "node 0: a number does not fit 64 bits"},
        damage{"successor_below_zero", plain, "010 1010", "node 0: a successor lies 1 before"},
        damage{"successor_too_large", plain, "010 0100001 1", "node 0: a successor lies 4 after"},
        damage{"later_successor_too_large", plain, "011 1011 1011 1",
               "node 0: a successor lies more than 2 after 1"},
        damage{"reference_before_the_first", copies, "010 01",
               "node 0: its list is copied from 1 nodes before"},
        damage{"reference_outside_the_window", copies, "1 1 1 010 0001",
               "node 3: its list is copied from 3 nodes before"},
        damage{"too_many_blocks", copies, "010 1 100 010 01 00100",
               "node 1: a list of 1 successors is copied in 3 blocks"},
        damage{"blocks_too_long", copies, "010 1 100 010 01 010 011",
               "node 1: its copy blocks are longer than the 1 successors"},
        damage{"second_block_too_long", copies, "010 1 100 010 01 011 010 1",
               "node 1: its copy blocks are longer than the 1 successors"},
        damage{"copies_more_than_it_has", copies, "011 1 100 100 010 01 1",
               "node 1: 2 successors are copied, but it has 1"},
        damage{"successor_copied_and_listed", copies, "010 1 100 011 01 1 1010",
               "node 1: a successor is listed twice"},
        damage{"too_many_intervals", runs, "011 011",
               "node 0: 2 intervals of at least 2 nodes are more than its 2 successors"},
        damage{"interval_below_zero", runs, "011 010 010 1", "node 0: an interval lies 1 before"},
        damage{"interval_past_the_end", runs, "011 010 00111 1", "node 0: an interval from node 3"},
        damage{"interval_longer_than_the_list", runs, "011 010 1 010", "node 0: an interval from"},
        damage{"second_interval_past_the_end", runs, "00101 011 1 1 010",
               "node 0: an interval starts after node 3"},
        damage{"residual_in_an_interval", runs, "00100 010 1 1 100",
               "node 0: successor 0 is listed twice"},
        damage{"fewer_arcs", "nodes=2\narcs=1\nwindowsize=0\nminintervallength=0", "011 100 100 1",
               "g.properties: line 2: arcs is 1, but the .graph file has more"},
        damage{"more_arcs", "nodes=2\n\narcs=3\nwindowsize=0\nminintervallength=0", "011 100 100 1",
               "g.properties: line 3: arcs is 3, but the .graph file has 2"},
        damage{"nodes_that_cannot_be", "nodes=4000000000\narcs=4", "1111",
               "g.graph: the lists of 4000000000 nodes take a bit each at least"}),
    [](const auto& each) { return std::string(each.param.name); });

TEST(Bvgraph, NamesTheFileThatIsNotThere) {
  const temporary_directory folder;
  EXPECT_THAT(error_of(folder / "g"), HasSubstr("g.properties: cannot open"));
  folder.write("g.properties", plain);
  EXPECT_THAT(error_of(folder / "g"), HasSubstr("g.graph: cannot open"));
  std::filesystem::create_directory(folder / "g.graph");
  EXPECT_THAT(error_of(folder / "g"), HasSubstr("g.graph: cannot read"));
}

// n lists of n nodes each, in a few bits a list: the window must not hold them all.
TEST(Bvgraph, BoundsWhatAWindowHolds) {
  const temporary_directory folder;
  constexpr std::uint64_t nodes = 60'000;
  bit_writer graph(bit_order::msb_first);
  const io::code gamma{code_kind::gamma};
  for (std::uint64_t node = 0; node < 2000; ++node) {
    graph.write(gamma, nodes);
    graph.raw(node == 0 ? "1 010 1" : "01 1");
    if (node == 0) graph.write(gamma, nodes - 4);
  }
  graph.raw(std::string(nodes - 2000, '1'));
  folder.write("g.properties", "nodes=60000\narcs=120000000\nwindowsize=1999\n");
  folder.write("g.graph", graph.bytes());
  struct : io::edge_sink {
    void add(std::span<const edge>) override {}
  } sink;
  EXPECT_THROW(io::read_bvgraph(folder / "g", sink, {}), invalid_format);
}

TEST(Bvgraph, ReadsCnr2000) {
  const std::filesystem::path shared = shared_data();
  if (!shared_data("cnr-2000.graph")) GTEST_SKIP() << "cnr-2000 is not in " << shared;
  // The offsets are made here, so that both ways of reading are tried.
  const temporary_directory folder;
  const auto properties = io::read_bvgraph_properties(shared / "cnr-2000.properties");
  const io::whole_file graph(shared / "cnr-2000.graph");
  io::bvgraph_decoder<bit_order::msb_first, io::default_bvgraph_codes<bit_order::msb_first>>
      decoder(properties, graph.bytes(), "cnr-2000.graph");
  bit_writer offsets(bit_order::msb_first);
  for (std::uint64_t last = 0; decoder.next_node() < properties.nodes;) {
    offsets.write({code_kind::gamma}, decoder.position() - last);
    last = decoder.position();
    decoder.decode_next();
  }
  folder.write("g.offsets", offsets.bytes());
  std::filesystem::create_symlink(shared / "cnr-2000.graph", folder / "g.graph");
  std::filesystem::create_symlink(shared / "cnr-2000.properties", folder / "g.properties");
  for (const std::size_t count : {1U, 2U}) {
    const auto edges = read(folder / "g", count);
    std::uint64_t checksum = 0;
    std::uint64_t diagonal = 0;
    for (const edge& e : edges) {
      checksum += std::uint64_t{e.row} * 325'557 + e.col;
      diagonal += e.row == e.col ? 1 : 0;
    }
    EXPECT_EQ(edges.size(), 3'216'152U);
    EXPECT_EQ(checksum, 183'194'972'974'962'417U);
    EXPECT_EQ(diagonal, 87'442U);
    EXPECT_TRUE(std::is_sorted(edges.begin(), edges.end()));
  }
}

}  // namespace
