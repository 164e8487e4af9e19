/// \file
/// \brief Weakly and strongly connected components of a directed graph.
#pragma once

#include <baltoro/matrix.hpp>
#include <baltoro/product.hpp>
#include <baltoro/progress.hpp>

#include <cstdint>
#include <vector>

namespace baltoro {

/// How components are searched.
struct components_options {
  progress_callback progress{};  ///< told how far the search is. What it throws ends the operation.
};

/// The components of a graph, numbered by their smallest vertex: component 0 holds vertex 0.
struct components_result {
  std::vector<index_t> component;    ///< of each vertex
  std::vector<std::uint64_t> sizes;  ///< of each component, in vertices
  working_set needs;                 ///< the most memory the search held
  /// The component with the most vertices, of several the first. \pre there is a vertex
  index_t largest() const;
};

/// Weakly connected components: vertices are in one component when edges, followed either way, lead from one
/// to the other. One pass over the matrix that joins sets, without locks (Rem's algorithm in the form of
/// Patwary, Refsnes and Manne, 2012); 4 bytes a vertex beside the result. On the CPU.
/// \throws invalid_argument when the matrix is not square
components_result weak_components(const matrix& a, const components_options& options = {});

/// Strongly connected components: vertices are in one component when paths along the edges lead from each to
/// the other. Vertices that no cycle can go through are peeled off, a search along and one against the edges
/// take the component of a vertex of high degree, and colours that spread along the edges take all others,
/// round by round (Slota, Rajamanickam and Madduri, BFS and Coloring-based Parallel Algorithms for Strongly
/// Connected Components, IPDPS 2014). A round costs as many steps as its longest path; steps cost what their
/// frontier costs. 24 bytes a vertex beside the result. On the CPU.
/// \throws invalid_argument when the matrix is not square
components_result strong_components(const matrix& a, const components_options& options = {});

/// The most memory that weak_components() and strong_components() hold, their result included.
working_set components_needs(const matrix& a);

}  // namespace baltoro
