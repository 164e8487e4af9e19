// The algorithms that keep their vectors on the GPU. Arguments have been checked.
#pragma once

#include <baltoro/bfs.hpp>
#include <baltoro/pagerank.hpp>

#include <span>

namespace baltoro::cuda {

// `jumps` are the probabilities of a jump, of sum 1; empty: all alike.
pagerank_result pagerank(const matrix& a, const pagerank_options& options,
                         std::span<const double> jumps);

personalized_pagerank_result personalized_pagerank(const matrix& a, std::span<const index_t> seeds,
                                                   const pagerank_options& options);

// What they hold on the device. Of graphs with vertices, and with seeds.
working_set pagerank_needs(const matrix& a, const pagerank_options& options);
working_set personalized_pagerank_needs(const matrix& a, std::uint64_t seeds,
                                        const pagerank_options& options);

bfs_result bfs(const matrix& a, std::span<const index_t> sources, const bfs_options& options);

multi_source_result multi_source_bfs(const matrix& a, std::span<const index_t> sources,
                                     const multi_source_options& options);

// Of an adaptive matrix.
reach_result reach(const matrix& a, std::span<const index_t> sources, const reach_options& options);

// What they hold on the device. Of graphs with vertices, and from sources; bfs from one.
working_set bfs_needs(const matrix& a, const bfs_options& options);
working_set multi_source_needs(const matrix& a, std::uint64_t sources,
                               const multi_source_options& options);
working_set reach_needs(const matrix& a, std::uint64_t sources, const reach_options& options);

}  // namespace baltoro::cuda
