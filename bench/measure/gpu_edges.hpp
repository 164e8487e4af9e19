// Edges where a GPU reaches them.
#pragma once

#include <baltoro/types.hpp>

#include <memory>
#include <span>

namespace baltoro::bench {

// A copy in pinned memory of the host, and one in the device's memory.
std::shared_ptr<const edge> pinned_edges(std::span<const edge> edges);
std::shared_ptr<const edge> device_edges(std::span<const edge> edges);

}  // namespace baltoro::bench
