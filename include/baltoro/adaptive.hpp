/// \file
/// \brief The layout `adaptive`: the matrix cut into containers, each in the cheapest of several
/// encodings, 8×8 leaves named by a dictionary.
///
/// A *leaf* is an aligned 8×8 square that holds a non-zero; its *pattern* is one word, bit 8·r + c
/// the cell in row r and column c of the square. Leaves are sorted by the Morton code of their
/// square, counted in leaves. A *container* is a run of at most `max_leaves` consecutive leaves; its
/// `level` says how large the smallest aligned square around them is, 2^level leaves a side. All
/// leaves of a container lie between the first leaf of that container and the first of the next, so
/// the table of containers is also the index for cells.
///
/// What a container keeps is its payload, a run of 32-bit words that starts with a header:
///
/// | part | content |
/// | --- | --- |
/// | header | leaves − 1 (10 bits), kind (4), what the kind needs (18) |
/// | positions | where the leaves are, as the kind says |
/// | classes | two bits a leaf, as two words for every 32 leaves: the low bits, then the high ones |
/// | ids | four streams one after the other: for class c the ids of its leaves, `width[c]` bits each |
/// | escapes | where class 3 has no ids: the patterns of its leaves, as k²-trees of three levels or row by row |
///
/// Every stream fills words from the low bit up. Positions, classes and escapes start at a word.
#pragma once

#include <baltoro/host_device.hpp>
#include <baltoro/types.hpp>

#include <cstdint>

namespace baltoro {

/// How ids of patterns are written: four classes, each with ids of one width. Pattern p of the
/// dictionary, which is sorted by falling frequency, belongs to the first class whose range holds it.
struct leaf_classes {
  /// Number of classes.
  static constexpr unsigned count = 4;
  /// The width of class 3 when its leaves keep their pattern themselves, in the escapes, as k²-trees.
  static constexpr std::uint32_t raw = 0xFF;
  /// The same, as rows that differ from the row before.
  static constexpr std::uint32_t raw_rows = 0xFE;
  /// The widest id.
  static constexpr std::uint32_t max_width = 24;
  /// The most patterns of a dictionary.
  static constexpr std::uint64_t max_patterns = 1ULL << 24U;

  std::uint32_t width[count] = {0, 0, 0,
                                raw};  ///< bits of an id; in class 3 also `raw` or `raw_rows`

  /// Whether class 3 keeps patterns instead of ids.
  BALTORO_HOST_DEVICE constexpr bool escapes() const { return width[3] >= raw_rows; }
  /// Whether it does so by rows.
  BALTORO_HOST_DEVICE constexpr bool escapes_by_rows() const { return width[3] == raw_rows; }
  /// Bits that a leaf of a class takes in its stream.
  BALTORO_HOST_DEVICE constexpr std::uint32_t bits(unsigned of) const {
    return of == 3 && escapes() ? 0 : width[of];
  }
  /// The first pattern of a class.
  BALTORO_HOST_DEVICE constexpr std::uint64_t first(unsigned of) const {
    std::uint64_t sum = 0;
    for (unsigned c = 0; c < of; ++c) sum += 1ULL << width[c];
    return sum;
  }
};

/// An adaptive matrix that somebody else owns. Trivially copyable, passed to kernels by value.
struct adaptive_view {
  /// log2 of the side of a leaf.
  static constexpr unsigned leaf_log2 = 3;
  /// The most leaves of a container.
  static constexpr unsigned max_leaves = 512;
  /// The largest level of a container: 2^13 leaves, 2^16 cells a side.
  static constexpr unsigned max_level = 13;
  /// Containers that share one 64-bit base of their payload's place. So many payloads, the longest
  /// there can be, are shorter than 2^16 words.
  static constexpr unsigned containers_per_base = 32;

  shape dims;                             ///< rows and columns
  std::uint64_t nnz = 0;                  ///< number of non-zero cells
  std::uint64_t leaves = 0;               ///< number of leaves
  std::uint64_t containers = 0;           ///< number of containers
  std::uint64_t payload_words = 0;        ///< words of `payload`, one of padding included
  std::uint64_t patterns = 0;             ///< number of patterns of the dictionary
  leaf_classes classes;                   ///< how ids are written
  const std::uint64_t* places = nullptr;  ///< of each container: first leaf's code << 4 | level
  const std::uint16_t* starts = nullptr;  ///< of each container: payload, relative to its base
  const std::uint64_t* start_bases = nullptr;  ///< one for `containers_per_base` containers
  const std::uint32_t* payload = nullptr;      ///< the payloads of all containers, in order
  const std::uint64_t* dictionary = nullptr;   ///< patterns by falling frequency

  /// The Morton code of the first leaf of a container, in leaves.
  BALTORO_HOST_DEVICE constexpr std::uint64_t first_leaf(std::uint64_t container) const {
    return places[container] >> 4U;
  }
  /// The level of a container.
  BALTORO_HOST_DEVICE constexpr unsigned level(std::uint64_t container) const {
    return static_cast<unsigned>(places[container] & 15U);
  }
  /// The payload of a container.
  BALTORO_HOST_DEVICE constexpr const std::uint32_t* payload_of(std::uint64_t container) const {
    return payload + start_bases[container / containers_per_base] + starts[container];
  }
  /// Number of entries of `start_bases`.
  BALTORO_HOST_DEVICE constexpr std::uint64_t bases() const {
    return (containers + containers_per_base - 1) / containers_per_base;
  }
};

/// The first word of a payload.
struct container_header {
  std::uint32_t word = 0;  ///< as it is stored

  /// Puts a header together. \pre 1 ≤ leaves ≤ 1024, kind < 16, detail < 2^18
  BALTORO_HOST_DEVICE static constexpr container_header of(unsigned leaves, unsigned kind,
                                                           std::uint32_t detail) {
    return {(leaves - 1) | kind << 10U | detail << 14U};
  }
  /// Number of leaves.
  BALTORO_HOST_DEVICE constexpr unsigned leaves() const { return (word & 1023U) + 1; }
  /// How positions are encoded.
  BALTORO_HOST_DEVICE constexpr unsigned kind() const { return (word >> 10U) & 15U; }
  /// What the kind needs to know.
  BALTORO_HOST_DEVICE constexpr std::uint32_t detail() const { return word >> 14U; }
};

}  // namespace baltoro
