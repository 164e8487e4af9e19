#include "runs/algorithms.hpp"

#include <baltoro/bfs.hpp>
#include <baltoro/builder.hpp>
#include <baltoro/pagerank.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <random>
#include <set>

#include <fmt/format.h>

#include "algorithms/csr_graph.hpp"
#include "algorithms/csr_ranks.hpp"
#include "cuda/search/multi_search.hpp"
#include "cuda/search/single_search.hpp"
#include "engines/engines.hpp"
#include "runs/guarded.hpp"

namespace baltoro::bench {
namespace {

constexpr const char* own_name = "adaptive";
constexpr double tolerance = 1e-6;
constexpr algorithms::traversal along = algorithms::traversal::of(false, false);

// What is searched, in all forms.
struct forms {
  matrix adaptive;
  const csr* out = nullptr;
  csr in;
};

class runner {
 public:
  runner(graph_result& to, subject& graph, const bench_options& options)
      : to_(to), name_(graph.name()), options_(options) {
    forms_.adaptive = convert(graph.compressed(), layout::adaptive);
    forms_.out = &graph.uncompressed();
    forms_.in = transposed(*forms_.out);
  }

  void run() {
    draw_sources();
    choose_source();
    search_many();
    search_one();
    rank<float>("float");
    rank<double>("double");
  }

  void run_search_from_many() {
    draw_sources();
    search_many();
  }

 private:
  using graph_maker = std::function<std::unique_ptr<cuda::search_graph>()>;

  index_t draw() { return static_cast<index_t>(random_() % forms_.adaptive.rows()); }

  void draw_sources() {
    for (index_t k = 0; k < options_.sources.value_or(128); ++k) sources_.push_back(draw());
  }

  // Of some vertices the one that reaches most.
  void choose_source() {
    constexpr unsigned tried = 8;
    std::uint64_t most = 0;
    for (unsigned k = 0; k < tried; ++k) {
      const index_t source = draw();
      bfs_result found = bfs(forms_.adaptive, {&source, 1});
      std::uint64_t reached = 0;
      for (const std::uint64_t count : found.reached_per_level) reached += count;
      if (reached <= most) continue;
      most = reached;
      source_ = source;
      distances_ = std::move(found.distances);
    }
  }

  // Measures run(), which says how many steps it took, after it has been checked. `ready` makes what it needs.
  void measure(
      const std::string& algorithm, const std::string& engine, const std::string& variant,
      const std::function<void(algorithm_result&, std::function<std::uint32_t()>&)>& ready) {
    algorithm_result result;
    result.algorithm = algorithm;
    result.engine = engine;
    result.variant = variant;
    options_.note(fmt::format("{}: {}, {} {}", name_, algorithm, engine, variant));
    result.lacking = guarded(result.reason, [&] {
      std::function<std::uint32_t()> run;
      ready(result, run);
      result.steps = run();
      std::vector<double> times;
      for (unsigned i = 0; i < options_.how.runs; ++i) {
        const auto start = std::chrono::steady_clock::now();
        run();
        const std::chrono::duration<double, std::milli> took =
            std::chrono::steady_clock::now() - start;
        times.push_back(took.count());
      }
      result.runs = options_.how.runs;
      result.ms = quartiles_of(std::move(times));
    });
    to_.algorithms.push_back(std::move(result));
    options_.on_change();
  }

  // Calls each(engine, variant, maker) for all ways to follow the edges.
  template <class Each>
  void for_each_graph(const Each& each) {
    each(own_name, "default",
         graph_maker([&] { return cuda::make_search_graph(forms_.adaptive, along); }));
    for (const csr_steps steps : {csr_steps::push, csr_steps::pull, csr_steps::both}) {
      each(bcsr_name, name_of(steps),
           graph_maker([&, steps] { return make_csr_graph(*forms_.out, forms_.in, steps); }));
    }
  }

  void search_many() {
    if (sources_.size() > cuda::multi_search::most_sources) {
      throw invalid_argument(fmt::format("{} sources, more than {}", sources_.size(),
                                         cuda::multi_search::most_sources));
    }
    for_each_graph([&](const char* engine, const char* variant, const graph_maker& make) {
      measure(fmt::format("search from {} sources", sources_.size()), engine, variant,
              [&](algorithm_result& result, std::function<std::uint32_t()>& run) {
                auto search = std::make_shared<cuda::multi_search>(
                    make(), static_cast<index_t>(sources_.size()), false, cuda_options{});
                search->prepare();
                result.needs = search->needs();
                require_right(*search);
                run = [this, search] {
                  std::uint32_t levels = 0;
                  search->run(sources_, no_limit,
                              [&](std::uint32_t, std::span<const std::uint32_t>) { ++levels; });
                  return levels;
                };
              });
    });
  }

  // Levels as the CPU counts them for a few of the sources, the whole table as the first engine has it.
  void require_right(cuda::multi_search& search) {
    const std::size_t count = sources_.size();
    const std::set<std::size_t> some = {0, count / 3, 2 * count / 3, count - 1};
    std::map<std::size_t, std::vector<std::uint64_t>> found;
    search.run(sources_, no_limit, [&](std::uint32_t, std::span<const std::uint32_t> counts) {
      for (const std::size_t k : some) {
        if (counts[k] != 0) found[k].push_back(counts[k]);
      }
    });
    for (const std::size_t k : some) {
      const auto [levels, is_new] = expected_.try_emplace(k);
      if (is_new) levels->second = bfs(forms_.adaptive, {&sources_[k], 1}).reached_per_level;
      if (found[k] != levels->second) {
        throw wrong_result(fmt::format("wrong result: source {} has other levels", k));
      }
    }
    std::vector<std::uint64_t> table(search.words() * forms_.adaptive.rows());
    search.copy_reached(table.data());
    if (table_.empty()) {
      table_ = std::move(table);
    } else if (table != table_) {
      throw wrong_result("wrong result: others are reached than the first engine says");
    }
  }

  void search_one() {
    for_each_graph([&](const char* engine, const char* variant, const graph_maker& make) {
      measure("search from one source", engine, variant,
              [&](algorithm_result& result, std::function<std::uint32_t()>& run) {
                auto search = std::make_shared<cuda::single_search>(make(), false, cuda_options{});
                search->prepare();
                run = [this, search] {
                  std::uint32_t levels = 0;
                  search->run({&source_, 1},
                              [&](std::uint32_t, std::span<const std::uint32_t>) { ++levels; });
                  return levels;
                };
                run();
                result.needs = search->needs();
                std::vector<std::int32_t> distances(forms_.adaptive.rows());
                search->copy_distances(distances.data());
                if (distances != distances_) throw wrong_result("wrong result: other distances");
              });
    });
  }

  template <class T>
  void rank(const char* precision) {
    using product = std::unique_ptr<cuda::rank_product<T>>;
    const std::string algorithm = fmt::format("PageRank to {:g} in {}", tolerance, precision);
    const auto add = [&](const char* engine, const std::string& variant,
                         const std::function<product()>& make) {
      measure(algorithm, engine, variant,
              [&](algorithm_result& result, std::function<std::uint32_t()>& run) {
                auto iteration = std::make_shared<cuda::power_iteration<T>>(
                    make(), pagerank_options{.tolerance = tolerance}, std::span<const double>(),
                    std::span<const index_t>());
                iteration->prepare();
                run = [iteration] { return iteration->run().iterations; };
                run();
                result.needs = iteration->needs();
                std::vector<double> ranks(forms_.adaptive.rows());
                iteration->copy_ranks(ranks.data());
                require_right(ranks);
              });
    };
    add(own_name, "default",
        [&] { return cuda::make_rank_product<T>(forms_.adaptive, 1, cuda_options{}); });
    for (const char* spmv : {"CSR_ALG1", "CSR_ALG2"}) {
      add(cusparse_name, spmv,
          [&] { return make_cusparse_ranks<T>(forms_.in, *forms_.out, spmv); });
    }
    for (const unsigned threads : {1U, 2U, 4U, 8U, 16U, 32U}) {
      add(bcsr_name, fmt::format("{} threads a row", threads),
          [&] { return make_bcsr_ranks<T>(forms_.in, *forms_.out, threads); });
    }
  }

  void require_right(const std::vector<double>& ranks) {
    if (ranks_.empty()) ranks_ = pagerank(forms_.adaptive, {.tolerance = tolerance}).ranks;
    double distance = 0;
    for (std::size_t v = 0; v < ranks.size(); ++v) distance += std::abs(ranks[v] - ranks_[v]);
    if (!(distance < 20 * tolerance)) {
      throw wrong_result(
          fmt::format("wrong result: ranks differ by {:.2g} from those of the CPU", distance));
    }
  }

  graph_result& to_;
  std::string name_;
  const bench_options& options_;
  forms forms_;
  std::mt19937_64 random_{1};
  std::vector<index_t> sources_;
  index_t source_ = 0;
  // What the CPU finds.
  std::vector<std::int32_t> distances_;
  std::vector<double> ranks_;
  std::map<std::size_t, std::vector<std::uint64_t>> expected_;
  std::vector<std::uint64_t> table_;
};

// Or says why nothing is measured.
bool is_square(graph_result& to, const subject& graph) {
  if (graph.dims().rows == graph.dims().cols) return true;
  algorithm_result& result = to.algorithms.emplace_back();
  result.algorithm = "all";
  result.engine = own_name;
  result.lacking = lack::skipped;
  result.reason = "the matrix is not square";
  return false;
}

}  // namespace

void measure_algorithms(graph_result& to, subject& graph, const bench_options& options) {
  if (is_square(to, graph)) runner(to, graph, options).run();
}

void measure_search_from_many(graph_result& to, subject& graph, const bench_options& options) {
  if (is_square(to, graph)) runner(to, graph, options).run_search_from_many();
}

}  // namespace baltoro::bench
