/// \file
/// \brief Synthetic graphs for tests, benchmarks and first steps. The same arguments give the same graph on
/// every machine and on any number of threads.
#pragma once

#include <baltoro/types.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace baltoro {

/// How the columns of a relation() are distributed.
struct relation_options {
  /// Probability that a row has the columns of the row before: the locality of rows that were entered
  /// together.
  double repeat = 0.5;
  /// The exponent s of Zipf's law: the column of rank k is drawn in proportion to k^−s, 0 to 2.
  double skew = 1.0;
};

/// A synthetic graph that is described, and made part by part: a part is a range of rows (of edges for
/// rmat() and uniform()), and needs no other part. So graphs larger than memory are made as a stream,
/// and parts on several threads.
///
/// Except for rmat() and uniform(), a graph has exactly the edges that were asked for, without duplicates,
/// and comes in row-major order.
///
/// Copying one copies a handle. Any number of threads may use it at once.
class generator {
 public:
  /// A web crawl in URL order: pages are grouped in hosts, neighbours copy most of their links from each
  /// other, new links go to near pages in runs, to the first pages of the host, and few to popular
  /// pages elsewhere.
  /// \throws invalid_argument, as all of these do, where more edges are asked for than there are cells
  static generator web(index_t vertices, std::uint64_t edges, std::uint64_t seed);

  /// The Merkle DAG of version histories: in each repository commits, then the versions of its trees, then
  /// files. A version of a tree is the one before with an entry or two replaced; repositories share
  /// subtrees with others.
  static generator merkle(index_t vertices, std::uint64_t edges, std::uint64_t seed);

  /// A social network in an order that keeps communities together: the probability of a link falls with a
  /// power of the distance, and some vertices are popular everywhere.
  static generator social(index_t vertices, std::uint64_t edges, std::uint64_t seed);

  /// Works (rows) that cite works (columns), both in order of time: mostly recent ones, and a few that everyone
  /// cites; younger ones only where the first rows would otherwise not have their number.
  static generator citation(shape dims, std::uint64_t edges, std::uint64_t seed);

  /// A relation of many things (rows) to few values (columns), such as the country of a person: about the same
  /// number in every row, columns by Zipf's law, neighbouring rows often alike.
  static generator relation(shape dims, std::uint64_t edges, std::uint64_t seed,
                            const relation_options& options = {});

  /// An R-MAT graph of 2^scale vertices: edges fall into quadrants with probabilities a, b, c and the
  /// rest. Exactly \p edges edges, unordered, duplicates possible.
  /// \throws invalid_argument when scale > 31 or the probabilities are not probabilities
  static generator rmat(unsigned scale, std::uint64_t edges, double a, double b, double c,
                        std::uint64_t seed);

  /// Cells drawn uniformly. Exactly \p edges edges, unordered, duplicates possible.
  static generator uniform(shape dims, std::uint64_t edges, std::uint64_t seed);

  /// A stand-in (see stand_ins()): a graph with the shape, the number of edges and the structure of one
  /// of the paper's, with none of its edges.
  /// \param scale divides rows, columns and edges; the structure is meant to stay as it is
  /// \throws invalid_argument when there is no stand-in of that name, or scale is 0 or leaves less than
  /// 4096 edges
  static generator like(std::string_view name, std::uint64_t scale = 1, std::uint64_t seed = 1);

  /// Rows and columns.
  shape dims() const;
  /// The number of edges, duplicates counted.
  std::uint64_t edges() const;
  /// The number of parts.
  std::uint64_t parts() const;
  /// Replaces \p edges by those of a part. 65,536 edges for rmat() and uniform();
  /// for the others 8192 rows, or fewer where these would have more than some four million edges.
  /// \throws invalid_argument when there is no such part
  void make(std::uint64_t part, std::vector<edge>& edges) const;
  /// Calls \p take with the edges of all parts in order, on the calling thread. Parts are made in
  /// parallel before; four a thread are held.
  void for_each(const std::function<void(std::span<const edge>)>& take) const;
  /// All edges. 8 bytes an edge.
  std::vector<edge> all() const;

  /// What makes the edges; for the library itself.
  class model;
  /// A generator of a model; for the library itself.
  explicit generator(std::shared_ptr<const model> made);

 private:
  std::shared_ptr<const model> model_;
};

/// A graph of the paper (Table 2), and what its stand-in has to match.
struct stand_in {
  std::string_view name;   ///< as in the paper, for instance "uk-2002"
  shape dims;              ///< rows and columns
  std::uint64_t edges;     ///< non-zeros
  double nodes_per_edge;   ///< nodes of the plain tree a non-zero; bits an edge are four times that
  double edges_per_block;  ///< non-zeros in a 4×4 block that has any
};

/// The stand-ins of the paper's fourteen graphs, in its order. Dimensions, which the paper gives for few of them,
/// are those that its sizes imply; for graphs of the Laboratory for Web Algorithmics those published
/// there. Non-zeros a 4×4 block follow from its sizes with and without the cached frontier, which takes
/// 8 bytes a block.
std::span<const stand_in> stand_ins();

/// generator::web() with about vertices × degree edges, all at once.
/// \throws invalid_argument when the degree is not from 0 to 1,000,000
std::vector<edge> generate_web(index_t vertices, double degree, std::uint64_t seed);

/// generator::rmat(), all at once.
std::vector<edge> generate_rmat(unsigned scale, std::uint64_t edges, double a, double b, double c,
                                std::uint64_t seed);

/// generator::uniform(), all at once.
std::vector<edge> generate_uniform(shape dims, std::uint64_t edges, std::uint64_t seed);

}  // namespace baltoro
