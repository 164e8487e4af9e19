/// \file
/// \brief Synthetic graphs for tests, benchmarks and first steps. The same arguments give the same
/// graph on every machine.
#pragma once

#include <baltoro/types.hpp>

#include <cstdint>
#include <vector>

namespace baltoro {

/// A graph like a web crawl in URL order: pages grouped in hosts, most links within the host and to
/// near pages, link lists copied in part from a page nearby, some links to a few popular pages.
/// \param vertices number of pages
/// \param degree average number of links of a page
/// \returns edges with row-major order and without duplicates; about vertices × degree of them
std::vector<edge> generate_web(index_t vertices, double degree, std::uint64_t seed);

/// An R-MAT graph of 2^scale vertices: edges fall into quadrants with probabilities a, b, c and the
/// rest.
/// \returns exactly \p edges edges, unordered, duplicates possible
/// \throws invalid_argument when scale > 31 or the probabilities are not probabilities
std::vector<edge> generate_rmat(unsigned scale, std::uint64_t edges, double a, double b, double c,
                                std::uint64_t seed);

/// Cells drawn uniformly. \returns exactly \p edges edges, unordered, duplicates possible
/// \throws invalid_argument when edges > 0 and the shape has no cells
std::vector<edge> generate_uniform(shape dims, std::uint64_t edges, std::uint64_t seed);

}  // namespace baltoro
