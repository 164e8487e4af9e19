// What a BVGraph's .properties file says about its .graph file.
//
// The file is a Java properties file. Read: nodes, arcs, windowsize (7), minintervallength (4),
// zetak (3), version (0), endianness (big), graphclass and compressionflags, where the numbers in
// brackets stand for keys left out. All other keys are statistics.
//
// compressionflags is a list of COMPONENT_CODE, separated by "|". Both writers of the format are
// understood:
//   Java        UNARY, GAMMA, DELTA, NIBBLE, ZETA and GOLOMB, the last two with the parameter
//   zetak;
//               block counts have a component of their own, BLOCK_COUNT; intervals are always gamma
//   webgraph-rs UNARY, GAMMA, DELTA, ZETA (with zetak), ZETA<k>, PI<k>; intervals have a component,
//               and BLOCKS means block counts too
// They differ in BLOCKS_DELTA alone: only webgraph-rs writes the key "endianness", which decides.
#pragma once

#include <baltoro/types.hpp>

#include <cstdint>
#include <filesystem>
#include <string>

#include "io/bit_reader.hpp"
#include "io/instantaneous_codes.hpp"

namespace baltoro::io {

struct bvgraph_codes {
  code outdegrees{code_kind::gamma};
  code references{code_kind::unary};
  code block_counts{code_kind::gamma};
  code blocks{code_kind::gamma};
  code intervals{code_kind::gamma};
  code residuals{code_kind::zeta, 3};
  code offsets{code_kind::gamma};

  friend bool operator==(const bvgraph_codes&, const bvgraph_codes&) = default;
};

struct bvgraph_properties {
  index_t nodes = 0;
  std::uint64_t arcs = 0;
  std::string arcs_place;  // "line 3", for messages
  index_t window_size = 7;
  std::uint64_t min_interval_length = 4;  // 0: no intervals
  bit_order order = bit_order::msb_first;
  bvgraph_codes codes;
};

// Throws io_error or invalid_format.
bvgraph_properties read_bvgraph_properties(const std::filesystem::path& file);

}  // namespace baltoro::io
