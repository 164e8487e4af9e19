#include "runs/construction.hpp"

#include <baltoro/builder.hpp>
#include <baltoro/device.hpp>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "measure/gpu_edges.hpp"
#include "report/results.hpp"
#include "runs/bench.hpp"

namespace baltoro::bench {
namespace {

// All runs of one kind take about so long, or one does.
constexpr double most_seconds = 10;

template <class T>
bool same(const T* a, const T* b, std::uint64_t count) {
  return count == 0 || std::memcmp(a, b, count * sizeof(T)) == 0;
}

bool same(const matrix& a, const matrix& b) {
  if (a.nnz() != b.nnz() || a.bytes().total() != b.bytes().total()) return false;
  if (a.kind() == layout::level_order) {
    return same(a.tree().signatures, b.tree().signatures, a.tree().signature_words()) &&
           same(a.tree().directory, b.tree().directory, a.tree().samples());
  }
  const adaptive_view& left = a.adaptive();
  const adaptive_view& right = b.adaptive();
  return left.containers == right.containers && left.payload_words == right.payload_words &&
         same(left.places, right.places, left.containers) &&
         same(left.payload, right.payload, left.payload_words) &&
         same(left.dictionary, right.dictionary, left.patterns);
}

class construction_runs {
 public:
  construction_runs(graph_result& to, subject& graph, const bench_options& options)
      : to_(to), options_(options), dims_(graph.dims()), name_(graph.name()) {
    edges_.reserve(graph.nnz());
    graph.compressed().for_each_by_row(
        [&](std::span<const edge> some) { edges_.insert(edges_.end(), some.begin(), some.end()); });
  }

  void measure(layout kind) {
    const std::optional<matrix> expected = time(kind, device::cpu, "host", edges_, std::nullopt);
    if (!query_cuda().usable) return;
    time(kind, device::cuda, "host", edges_, expected);
    with_copy(kind, "pinned", pinned_edges, expected);
    with_copy(kind, "device", device_edges, expected);
  }

 private:
  template <class Copy>
  void with_copy(layout kind, const char* from, const Copy& copy,
                 const std::optional<matrix>& expected) {
    std::shared_ptr<const edge> copied;
    try {
      copied = copy(edges_);
    } catch (const error& failure) {
      construction_result& result = begin(kind, device::cuda, from);
      result.lacking = lack::skipped;
      result.reason = failure.what();
      return;
    }
    time(kind, device::cuda, from, {copied.get(), edges_.size()}, expected);
  }

  construction_result& begin(layout kind, device where, const char* from) {
    options_.note(name_ + ", building " + name_of(kind) + " on " + name_of(where) + " from " +
                  from);
    construction_result& result = to_.constructions.emplace_back();
    result.kind = kind;
    result.where = where;
    result.from = from;
    return result;
  }

  std::optional<matrix> time(layout kind, device where, const char* from,
                             std::span<const edge> edges, const std::optional<matrix>& expected) {
    construction_result& result = begin(kind, where, from);
    build_options how;
    how.dims = dims_;
    how.kind = kind;
    how.where = where;
    std::optional<matrix> built;
    std::vector<double> seconds;
    try {
      result.device_bytes = build_needs(edges.size(), how).device_bytes;
      for (double all = 0;
           seconds.size() < options_.how.runs && (seconds.empty() || all < most_seconds);
           all += seconds.back()) {
        built.reset();
        const auto start = std::chrono::steady_clock::now();
        built.emplace(build(edges, how));
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
        seconds.push_back(took.count());
      }
      if (expected && !same(*built, *expected))
        throw wrong_result("not the matrix that the CPU builds");
      result.seconds = quartiles_of(seconds);
      result.first_seconds = seconds.front();
      result.runs = static_cast<unsigned>(seconds.size());
    } catch (const error& failure) {
      result.lacking = lack::failed;
      result.reason = failure.what();
    }
    options_.on_change();
    return built;
  }

  graph_result& to_;
  const bench_options& options_;
  shape dims_;
  std::string name_;
  std::vector<edge> edges_;
};

}  // namespace

void measure_construction(graph_result& to, subject& graph, const bench_options& options) {
  construction_runs runs(to, graph, options);
  for (const layout kind : {layout::level_order, layout::adaptive}) runs.measure(kind);
}

}  // namespace baltoro::bench
