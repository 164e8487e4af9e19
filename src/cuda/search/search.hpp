// Searches in an adaptive matrix.
#pragma once

#include <baltoro/bfs.hpp>

#include <span>

namespace baltoro::cuda {

bfs_result search_adaptive(const matrix& a, std::span<const index_t> sources,
                           const bfs_options& options);
multi_source_result search_adaptive(const matrix& a, std::span<const index_t> sources,
                                    const multi_source_options& options);

// What they hold on the device.
working_set needs_adaptive(const matrix& a, const bfs_options& options);
working_set needs_adaptive(const matrix& a, std::uint64_t sources,
                           const multi_source_options& options);

}  // namespace baltoro::cuda
