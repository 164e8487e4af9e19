// BFS and PageRank beside SuiteSparse:GraphBLAS, in one run on one graph with the same threads.
//
//   OMP_WAIT_POLICY=passive graphblas_bench GRAPH [RUNS [THREADS]]
//
// The peer's algorithms are those of LAGraph (LAGr_BreadthFirstSearch, LAGr_PageRank), written against the C
// API: it keeps the matrix and its transpose in CSR, iso-valued, and searches push and pull. Engines take
// turns, every result is checked against the peer's, and medians and bytes are printed as JSON. Its threads wait
// passively, since those of several engines take turns on the same cores.
#include <baltoro/bfs.hpp>
#include <baltoro/builder.hpp>
#include <baltoro/error.hpp>
#include <baltoro/pagerank.hpp>
#include <baltoro/reader.hpp>
#include <baltoro/threads.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <vector>

extern "C" {
#include <GraphBLAS.h>
}
#include <nlohmann/json.hpp>

namespace {

using namespace baltoro;

void check(GrB_Info info) {
  if (info < 0) throw error("GraphBLAS: error " + std::to_string(info));
}

// The graph as the peer keeps it.
class peer_graph {
 public:
  explicit peer_graph(const matrix& a) : n_(a.rows()) {
    std::vector<GrB_Index> rows;
    std::vector<GrB_Index> cols;
    a.for_each_by_row([&](std::span<const edge> batch) {
      for (const edge& e : batch) {
        rows.push_back(e.row);
        cols.push_back(e.col);
      }
    });
    along_ = matrix_of(rows, cols);
    against_ = matrix_of(cols, rows);
    degrees_.assign(n_, 0);
    for (const GrB_Index row : rows) ++degrees_[row];
    edges_ = rows.size();
  }
  ~peer_graph() {
    GrB_Matrix_free(&along_);
    GrB_Matrix_free(&against_);
  }
  peer_graph(const peer_graph&) = delete;
  peer_graph& operator=(const peer_graph&) = delete;

  // Both directions, as the library reports them.
  std::uint64_t bytes() const {
    std::size_t one = 0;
    std::size_t other = 0;
    check(GxB_Matrix_memoryUsage(&one, along_));
    check(GxB_Matrix_memoryUsage(&other, against_));
    return one + other;
  }

  // LAGr_BreadthFirstSearch, levels only: q is the frontier, the levels are its mask.
  std::vector<std::int32_t> bfs_from(index_t source) const {
    GrB_Vector q = nullptr;
    GrB_Vector level = nullptr;
    check(GrB_Vector_new(&q, GrB_BOOL, n_));
    check(GrB_Vector_setElement_BOOL(q, true, source));
    check(GrB_Vector_new(&level, GrB_INT32, n_));
    check(GxB_Vector_Option_set(level, GxB_SPARSITY_CONTROL, GxB_BITMAP + GxB_FULL));
    constexpr double alpha = 8;
    constexpr double beta1 = 8;
    constexpr double beta2 = 512;
    const auto n = static_cast<double>(n_);
    auto unexplored = static_cast<double>(edges_);
    GrB_Index members = 1;
    GrB_Index reached = 0;
    GrB_Index last_members = 0;
    bool push = true;
    bool may_pull = true;
    bool has_pulled = false;
    for (std::int32_t distance = 0; members > 0; ++distance) {
      check(GrB_Vector_assign_INT32(level, q, nullptr, distance, GrB_ALL, n_, GrB_DESC_S));
      reached += members;
      if (reached == n_) break;
      if (push) {
        const bool growing = members > last_members;
        bool pull = false;
        if (unexplored < n) {
          may_pull = false;
        } else if (has_pulled) {
          pull = growing && static_cast<double>(members) > n / beta1;
        } else {
          std::vector<GrB_Index> list(members);
          GrB_Index count = members;
          check(GrB_Vector_extractTuples_BOOL(list.data(), nullptr, &count, q));
          double frontier_edges = 0;
          for (const GrB_Index v : list) frontier_edges += static_cast<double>(degrees_[v]);
          unexplored -= frontier_edges;
          pull = growing && frontier_edges > unexplored / alpha;
        }
        push = !(may_pull && pull);
      } else {
        push = members < last_members && static_cast<double>(members) <= n / beta2;
      }
      has_pulled = has_pulled || !push;
      last_members = members;
      check(GxB_Vector_Option_set(q, GxB_SPARSITY_CONTROL, push ? GxB_SPARSE : GxB_BITMAP));
      if (push) {
        check(GrB_vxm(q, level, nullptr, GxB_ANY_PAIR_BOOL, q, along_, GrB_DESC_RSC));
      } else {
        check(GrB_mxv(q, level, nullptr, GxB_ANY_PAIR_BOOL, against_, q, GrB_DESC_RSC));
      }
      check(GrB_Vector_nvals(&members, q));
    }
    std::vector<std::int32_t> distances(n_, -1);
    GrB_Index count = n_;
    std::vector<GrB_Index> at(n_);
    std::vector<std::int32_t> values(n_);
    check(GrB_Vector_extractTuples_INT32(at.data(), values.data(), &count, level));
    for (GrB_Index i = 0; i < count; ++i) distances[at[i]] = values[i];
    GrB_Vector_free(&q);
    GrB_Vector_free(&level);
    return distances;
  }

  // LAGr_PageRank in double: r = (1 − d)/n + d·(Aᵀ (r ⊘ degree) + what is lost / n).
  std::vector<double> pagerank_to(double damping, double tolerance,
                                  std::uint32_t& iterations) const {
    GrB_Vector r = nullptr;
    GrB_Vector t = nullptr;
    GrB_Vector w = nullptr;
    GrB_Vector degree = nullptr;
    GrB_Vector sink = nullptr;
    for (GrB_Vector* v : {&r, &t, &w, &degree}) check(GrB_Vector_new(v, GrB_FP64, n_));
    check(GrB_Vector_new(&sink, GrB_BOOL, n_));
    const auto n = static_cast<double>(n_);
    for (GrB_Index v = 0; v < n_; ++v) {
      // A vertex without successors gives 0 / ∞.
      const double d = degrees_[v] == 0 ? INFINITY : static_cast<double>(degrees_[v]) / damping;
      check(GrB_Vector_setElement_FP64(degree, d, v));
      if (degrees_[v] == 0) check(GrB_Vector_setElement_BOOL(sink, true, v));
    }
    check(GrB_Vector_wait(degree, GrB_MATERIALIZE));
    check(GrB_Vector_wait(sink, GrB_MATERIALIZE));
    GrB_Index sinks = 0;
    check(GrB_Vector_nvals(&sinks, sink));
    check(GrB_Vector_assign_FP64(r, nullptr, nullptr, 1 / n, GrB_ALL, n_, nullptr));
    check(GrB_Vector_assign_FP64(t, nullptr, nullptr, 0, GrB_ALL, n_, nullptr));
    double change = 1;
    for (iterations = 0; change >= tolerance && iterations < 1000; ++iterations) {
      double teleport = (1 - damping) / n;
      if (sinks > 0) {
        GrB_Vector lost = nullptr;
        double sum = 0;
        check(GrB_Vector_new(&lost, GrB_FP64, n_));
        check(GrB_Vector_assign(lost, sink, nullptr, r, GrB_ALL, n_, GrB_DESC_RS));
        check(GrB_Vector_reduce_FP64(&sum, nullptr, GrB_PLUS_MONOID_FP64, lost, nullptr));
        GrB_Vector_free(&lost);
        teleport += damping * sum / n;
      }
      std::swap(r, t);
      check(GrB_Vector_eWiseMult_BinaryOp(w, nullptr, nullptr, GrB_DIV_FP64, t, degree, nullptr));
      check(GrB_Vector_assign_FP64(r, nullptr, nullptr, teleport, GrB_ALL, n_, nullptr));
      check(GrB_mxv(r, nullptr, GrB_PLUS_FP64, GxB_PLUS_SECOND_FP64, against_, w, nullptr));
      check(GrB_Vector_assign(t, nullptr, GrB_MINUS_FP64, r, GrB_ALL, n_, nullptr));
      check(GrB_Vector_apply(t, nullptr, nullptr, GrB_ABS_FP64, t, nullptr));
      check(GrB_Vector_reduce_FP64(&change, nullptr, GrB_PLUS_MONOID_FP64, t, nullptr));
    }
    std::vector<GrB_Index> at(n_);
    std::vector<double> ranks(n_);
    GrB_Index count = n_;
    check(GrB_Vector_extractTuples_FP64(at.data(), ranks.data(), &count, r));
    for (GrB_Vector* v : {&r, &t, &w, &degree, &sink}) GrB_Vector_free(v);
    return ranks;
  }

 private:
  GrB_Matrix matrix_of(const std::vector<GrB_Index>& rows,
                       const std::vector<GrB_Index>& cols) const {
    GrB_Matrix built = nullptr;
    check(GrB_Matrix_new(&built, GrB_BOOL, n_, n_));
    GrB_Scalar yes = nullptr;
    check(GrB_Scalar_new(&yes, GrB_BOOL));
    check(GrB_Scalar_setElement_BOOL(yes, true));
    check(GxB_Matrix_build_Scalar(built, rows.data(), cols.data(), yes, rows.size()));
    check(GrB_Matrix_wait(built, GrB_MATERIALIZE));
    GrB_Scalar_free(&yes);
    return built;
  }

  GrB_Index n_;
  std::uint64_t edges_ = 0;
  GrB_Matrix along_ = nullptr;
  GrB_Matrix against_ = nullptr;
  std::vector<std::uint64_t> degrees_;
};

double seconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

// Vertices at random that reach at least a tenth of the graph, so that there is something to search; the same
// in every run of the program.
std::vector<index_t> draw_sources(const matrix& a, int count) {
  std::mt19937_64 random(1);
  std::vector<index_t> sources;
  for (int tries = 0; tries < 1000 && static_cast<int>(sources.size()) < count; ++tries) {
    const auto source = static_cast<index_t>(random() % a.rows());
    const bfs_result found = bfs(a, {&source, 1});
    const std::uint64_t reached = std::accumulate(found.reached_per_level.begin(),
                                                  found.reached_per_level.end(), std::uint64_t{0});
    if (reached >= a.rows() / 10) sources.push_back(source);
  }
  if (sources.empty()) throw error("no vertex was found that reaches a tenth of the graph");
  return sources;
}

int run(const char* file, int runs, unsigned wanted_threads) {
  const thread_limit limit(wanted_threads);
  check(GrB_init(GrB_NONBLOCKING));
  const graph opened = read_graph(file);
  const matrix level_order = convert(opened.at(), layout::level_order);
  const matrix adaptive = convert(opened.at(), layout::adaptive);
  const unsigned threads = thread_limit::current();
  check(GxB_Global_Option_set(GxB_GLOBAL_NTHREADS, static_cast<int>(threads)));
  const peer_graph peer(adaptive);
  constexpr double damping = 0.85;
  constexpr double tolerance = 1e-6;

  const std::vector<index_t> sources = draw_sources(adaptive, runs + 1);
  std::map<std::string, std::vector<double>> taken;
  bool right = true;
  for (int i = 0; i <= runs; ++i) {
    // The first run warms up and does not count. Sources change, alike for all engines.
    const index_t source = sources[static_cast<std::size_t>(i) % sources.size()];
    const auto note = [&](const std::string& name, const std::function<void()>& work) {
      const double seconds = seconds_of(work);
      if (i > 0) taken[name].push_back(seconds);
    };
    std::vector<std::int32_t> wanted;
    note("bfs graphblas", [&] { wanted = peer.bfs_from(source); });
    bfs_result found;
    note("bfs adaptive", [&] { found = bfs(adaptive, {&source, 1}); });
    right = right && found.distances == wanted;
    note("bfs level_order", [&] { found = bfs(level_order, {&source, 1}); });
    right = right && found.distances == wanted;
  }
  std::map<std::string, std::uint32_t> iterations;
  for (int i = 0; i <= std::max(1, runs / 4); ++i) {
    const auto note = [&](const std::string& name, const std::function<void()>& work) {
      const double seconds = seconds_of(work);
      if (i > 0) taken[name].push_back(seconds);
    };
    std::vector<double> wanted;
    note("pagerank graphblas",
         [&] { wanted = peer.pagerank_to(damping, tolerance, iterations["graphblas"]); });
    const pagerank_options options = {.damping = damping, .tolerance = tolerance};
    pagerank_result found;
    const auto compare = [&](const char* name) {
      iterations[name] = found.iterations;
      double difference = 0;
      for (std::size_t v = 0; v < wanted.size(); ++v) {
        difference += std::abs(wanted[v] - found.ranks[v]);
      }
      right = right && difference < 10 * tolerance;
    };
    note("pagerank adaptive", [&] { found = pagerank(adaptive, options); });
    compare("adaptive");
    note("pagerank level_order", [&] { found = pagerank(level_order, options); });
    compare("level_order");
  }
  nlohmann::ordered_json report = {
      {"graph", file},
      {"threads", threads},
      {"runs", runs},
      {"results_agree", right},
      {"matrix_bytes",
       {{"graphblas_both_directions", peer.bytes()},
        {"adaptive", adaptive.bytes().total()},
        {"level_order", level_order.bytes().total()}}},
      {"working_set_bytes",
       {{"bfs adaptive", bfs_needs(adaptive).total()},
        {"bfs level_order", bfs_needs(level_order).total()},
        {"pagerank adaptive", pagerank_needs(adaptive).total()},
        {"pagerank level_order", pagerank_needs(level_order).total()}}},
      {"pagerank_iterations", iterations}};
  for (const auto& [name, seconds] : taken) {
    const std::string of = name.substr(0, name.find(' '));
    report["median_ms"][name] = 1000 * median(seconds);
    // The median of the ratios of one round each.
    std::vector<double> ratios;
    for (std::size_t i = 0; i < seconds.size(); ++i) {
      ratios.push_back(seconds[i] / taken[of + " graphblas"][i]);
    }
    report["ratio_to_graphblas"][name] = median(ratios);
  }
  std::cout << report.dump(2) << '\n';
  check(GrB_finalize());
  return right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: graphblas_bench GRAPH [RUNS [THREADS]]\n";
    return 2;
  }
  try {
    return run(argv[1], argc > 2 ? std::max(1, std::atoi(argv[2])) : 20,
               argc > 3 ? static_cast<unsigned>(std::max(0, std::atoi(argv[3]))) : 0);
  } catch (const std::exception& failure) {
    std::cerr << "graphblas_bench: " << failure.what() << '\n';
    return 1;
  }
}
