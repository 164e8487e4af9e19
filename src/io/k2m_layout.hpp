// The structures of a .k2m file, as docs/format.md specifies them. All numbers are little-endian.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>

namespace baltoro::io::k2m {

static_assert(std::endian::native == std::endian::little, ".k2m files are mapped as they are");

// The first byte is no text, the rest names the format and shows a transfer that mangled line ends.
inline constexpr std::array<unsigned char, 8> magic = {0x89, 'K', '2', 'M', '\r', '\n', 0x1A, '\n'};
inline constexpr std::uint32_t version = 1;
inline constexpr std::uint64_t alignment = 64;

struct header {
  std::array<unsigned char, 8> magic;
  std::uint32_t version;
  std::uint32_t header_bytes;  // 64: where the section table starts
  std::uint64_t file_bytes;
  std::uint32_t sections;
  std::uint32_t relations;
  std::array<std::uint64_t, 3> reserved;  // 0
  std::uint64_t checksum;  // XXH3 of the bytes before this field and of the section table
};
static_assert(sizeof(header) == 64);

enum class section_kind : std::uint32_t {
  matrix = 1,          // shape, layout and counts of one relation
  signatures = 2,      // level_order: one nibble a node
  directory = 3,       // level_order: 32-bit rank samples
  directory_base = 4,  // level_order: 64-bit bases of the samples
  places = 5,          // adaptive: of each container its first leaf and its level
  starts = 6,          // adaptive: of each container where its payload begins, 16 bits
  start_bases = 7,     // adaptive: 64-bit bases of the starts
  payload = 8,         // adaptive: the payloads of all containers
  dictionary = 9,      // adaptive: patterns of leaves
  relation_names = 16,
  vertex_names = 17,
};

// The relation of sections that belong to the whole file.
inline constexpr std::uint32_t whole_file = 0xFFFF'FFFF;

struct section {
  section_kind kind;
  std::uint32_t relation;
  std::uint64_t offset;    // from the start of the file, a multiple of 64
  std::uint64_t bytes;     // without padding
  std::uint64_t checksum;  // XXH3 of those bytes
};
static_assert(sizeof(section) == 32);

// Starts every matrix section; what follows depends on the layout.
struct matrix_record {
  std::uint32_t layout;
  std::uint32_t rows;
  std::uint32_t cols;
  std::uint32_t reserved;  // 0
  std::uint64_t nnz;
};
static_assert(sizeof(matrix_record) == 24);

// Follows the matrix_record of layout level_order; then the first node of each level and the number
// of nodes, levels + 1 numbers of 64 bits.
struct level_order_record {
  std::uint32_t levels;
  std::uint32_t step_log2;
};
static_assert(sizeof(level_order_record) == 8);

// Follows the matrix_record of layout adaptive.
struct adaptive_record {
  std::uint64_t leaves;
  std::uint64_t containers;
  std::uint64_t payload_words;
  std::uint64_t patterns;
  std::array<std::uint32_t, 4> widths;  // of the classes' ids
};
static_assert(sizeof(adaptive_record) == 48);

// The checksum of a header with its section table.
std::uint64_t checksum_of(const header& head, std::span<const section> table);

}  // namespace baltoro::io::k2m
