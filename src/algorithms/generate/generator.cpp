#include <baltoro/error.hpp>
#include <baltoro/generate.hpp>
#include <baltoro/threads.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include "algorithms/generate/linked_rows.hpp"
#include "algorithms/generate/merkle.hpp"
#include "algorithms/generate/model.hpp"
#include "algorithms/generate/scattered.hpp"

namespace baltoro {
namespace {

using namespace generators;

void require_room(shape dims, std::uint64_t edges) {
  if (edges <= std::uint64_t{dims.rows} * dims.cols) return;
  throw invalid_argument(fmt::format("{} edges: a {}x{} matrix has {} cells", edges, dims.rows,
                                     dims.cols, std::uint64_t{dims.rows} * dims.cols));
}

void require_between(const char* what, double value, double least, double most) {
  if (value >= least && value <= most) return;
  throw invalid_argument(
      fmt::format("{} {}: it must be between {} and {}", what, value, least, most));
}

}  // namespace

generator::generator(std::shared_ptr<const model> made) : model_(std::move(made)) {}

generator generator::web(index_t vertices, std::uint64_t edges, std::uint64_t seed) {
  const shape dims{vertices, vertices};
  require_room(dims, edges);
  return generator(linked_rows(dims, edges, seed,
                               {.hosts = true,
                                .group = 0.85,
                                .kept = 0.97,
                                .run = 0.79,
                                .near = 0.55,
                                .head = 0.4,
                                .distance_ratio = 0.6,
                                .popularity_ratio = 0.9,
                                .degree_ratio = 0.6,
                                .degree_spread = 256}));
}

generator generator::merkle(index_t vertices, std::uint64_t edges, std::uint64_t seed) {
  require_room({vertices, vertices}, edges);
  return generator(merkle_rows(vertices, edges, seed, {}));
}

generator generator::social(index_t vertices, std::uint64_t edges, std::uint64_t seed) {
  const shape dims{vertices, vertices};
  require_room(dims, edges);
  return generator(linked_rows(dims, edges, seed,
                               {.group = 0.2,
                                .kept = 0.5,
                                .run = 0.15,
                                .near = 0.85,
                                .distance_ratio = 0.75,
                                .popularity_ratio = 1.1,
                                .degree_ratio = 0.6}));
}

generator generator::citation(shape dims, std::uint64_t edges, std::uint64_t seed) {
  require_room(dims, edges);
  return generator(linked_rows(dims, edges, seed,
                               {.older_only = true,
                                .scattered_hubs = true,
                                .group = 0.1,
                                .kept = 0.3,
                                .run = 0.02,
                                .near = 0.7,
                                .distance_ratio = 1.0,
                                .popularity_ratio = 1.2,
                                .degree_ratio = 0.5,
                                .degree_spread = 64}));
}

generator generator::relation(shape dims, std::uint64_t edges, std::uint64_t seed,
                              const relation_options& options) {
  require_room(dims, edges);
  require_between("repeat", options.repeat, 0, 1);
  require_between("skew", options.skew, 0, 2);
  return generator(linked_rows(dims, edges, seed,
                               {.least_one = true,
                                .group = options.repeat,
                                .kept = 1,
                                .run = 0,
                                .near = 0,
                                .popularity_ratio = std::exp2(1 - options.skew),
                                .degree_ratio = 0.4,
                                .degree_spread = 64}));
}

generator generator::rmat(unsigned scale, std::uint64_t edges, double a, double b, double c,
                          std::uint64_t seed) {
  if (scale > 31) throw invalid_argument(fmt::format("scale {}: it must be at most 31", scale));
  if (!(a >= 0 && b >= 0 && c >= 0 && a + b + c <= 1)) {
    throw invalid_argument(fmt::format(
        "probabilities {}, {}, {}: each must be at least 0 and their sum at most 1", a, b, c));
  }
  return generator(rmat_cells(scale, edges, {a, b, c}, seed));
}

generator generator::uniform(shape dims, std::uint64_t edges, std::uint64_t seed) {
  if (edges > 0 && (dims.rows == 0 || dims.cols == 0)) {
    throw invalid_argument(
        fmt::format("a {}x{} matrix has no cells to draw", dims.rows, dims.cols));
  }
  return generator(uniform_cells(dims, edges, seed));
}

shape generator::dims() const { return model_->dims; }
std::uint64_t generator::edges() const { return model_->edges; }
std::uint64_t generator::parts() const { return model_->parts(); }

void generator::make(std::uint64_t part, std::vector<edge>& edges) const {
  if (part >= parts()) {
    throw invalid_argument(fmt::format("part {}: there are {}", part, parts()));
  }
  edges.clear();
  model_->make(part, edges);
}

void generator::for_each(const std::function<void(std::span<const edge>)>& take) const {
  const std::uint64_t count = parts();
  std::vector<std::vector<edge>> batch(4 * std::size_t{thread_limit::current()});
  for (std::uint64_t first = 0; first < count; first += batch.size()) {
    const std::uint64_t last = std::min<std::uint64_t>(count, first + batch.size());
    tbb::parallel_for(first, last, [&](std::uint64_t part) { make(part, batch[part - first]); });
    for (std::uint64_t part = first; part < last; ++part) take(batch[part - first]);
  }
}

std::vector<edge> generator::all() const {
  std::vector<edge> result;
  result.reserve(edges());
  for_each(
      [&](std::span<const edge> part) { result.insert(result.end(), part.begin(), part.end()); });
  return result;
}

std::vector<edge> generate_web(index_t vertices, double degree, std::uint64_t seed) {
  require_between("degree", degree, 0, 1e6);
  const double most = static_cast<double>(vertices) * vertices;
  return generator::web(vertices, static_cast<std::uint64_t>(std::min(degree * vertices, most)),
                        seed)
      .all();
}

std::vector<edge> generate_rmat(unsigned scale, std::uint64_t edges, double a, double b, double c,
                                std::uint64_t seed) {
  return generator::rmat(scale, edges, a, b, c, seed).all();
}

std::vector<edge> generate_uniform(shape dims, std::uint64_t edges, std::uint64_t seed) {
  return generator::uniform(dims, edges, seed).all();
}

}  // namespace baltoro
