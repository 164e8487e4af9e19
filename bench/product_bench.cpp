// Building and multiplying on the CPU in both layouts, beside a plain CSR loop over the same graph in the
// same run.
//
// Names say what is measured:
// op:mxv/graph:cnr-2000/layout:adaptive/backend:cpu/semiring:plus_times/type:float. Real graphs are taken
// from the folder in BALTORO_BENCH_DATA, or ../shared/data; where that is absent only the generated
// graph is measured. --graph=NAME measures that one alone, --like=NAME:SCALE the stand-in for a graph of the
// paper instead, at a fraction of its size. Every benchmark runs on --threads=N threads, by default 1.
#include <baltoro/baltoro.hpp>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

namespace {

using namespace baltoro;

constexpr layout both_layouts[] = {layout::level_order, layout::adaptive};

// The name of a layout in the name of a benchmark.
std::string key_of(layout kind) { return kind == layout::adaptive ? "adaptive" : "level_order"; }

// A graph in every form that is measured.
struct subject {
  std::string name;
  matrix level_order;
  matrix adaptive;
  std::vector<edge> edges;  // row-major
  std::vector<std::uint64_t> row_begin;
  std::vector<index_t> columns;

  subject(std::string of_name, matrix a) : name(std::move(of_name)), level_order(std::move(a)) {
    level_order.for_each_by_row([&](std::span<const edge> batch) {
      edges.insert(edges.end(), batch.begin(), batch.end());
    });
    adaptive = build(edges, {.dims = level_order.dims(), .kind = layout::adaptive});
    row_begin.resize(rows() + std::size_t{1});
    for (const edge& e : edges) {
      ++row_begin[e.row + std::size_t{1}];
      columns.push_back(e.col);
    }
    for (std::size_t r = 0; r < rows(); ++r) row_begin[r + 1] += row_begin[r];
  }

  index_t rows() const { return level_order.rows(); }
  const matrix& in(layout kind) const { return kind == layout::adaptive ? adaptive : level_order; }
};

template <class T>
std::vector<T> random_vector(std::size_t size) {
  std::mt19937_64 random(1);
  std::vector<T> x(size);
  for (T& v : x) v = static_cast<T>(random() % 1000) / T{1000};
  return x;
}

void set_counters(benchmark::State& state, const subject& s, double bytes) {
  const auto nnz = static_cast<double>(s.edges.size());
  state.counters["ns_per_edge"] = benchmark::Counter(
      nnz / 1e9, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  state.counters["bits_per_edge"] = 8 * bytes / nnz;
  state.counters["matrix_bytes"] = bytes;
}

template <class T>
void multiply_compressed(benchmark::State& state, const subject& s, layout kind,
                         product_options options) {
  plan<T> product(s.in(kind), options);
  const auto x = random_vector<T>(product.x_size());
  std::vector<T> y(product.y_size());
  for (auto _ : state) {
    product.run(x, y);
    benchmark::ClobberMemory();
  }
  set_counters(state, s, static_cast<double>(s.in(kind).bytes().total()));
  state.counters["scratch_bytes"] = static_cast<double>(product.needs().scratch_bytes);
}

template <class T>
void multiply_csr(benchmark::State& state, const subject& s, direction side) {
  const auto x = random_vector<T>(s.rows());
  std::vector<T> y(s.rows());
  for (auto _ : state) {
    if (side == direction::right) {
      for (std::size_t r = 0; r < y.size(); ++r) {
        T sum = 0;
        for (auto k = s.row_begin[r]; k < s.row_begin[r + 1]; ++k) sum += x[s.columns[k]];
        y[r] = sum;
      }
    } else {
      std::fill(y.begin(), y.end(), T{0});
      for (std::size_t r = 0; r < y.size(); ++r) {
        for (auto k = s.row_begin[r]; k < s.row_begin[r + 1]; ++k) y[s.columns[k]] += x[r];
      }
    }
    benchmark::ClobberMemory();
  }
  set_counters(state, s, static_cast<double>(4 * s.columns.size() + 8 * s.row_begin.size()));
}

void build_matrix(benchmark::State& state, const subject& s, layout kind) {
  for (auto _ : state) benchmark::DoNotOptimize(build(s.edges, {.kind = kind}).nnz());
  set_counters(state, s, static_cast<double>(s.in(kind).bytes().total()));
  state.counters["edges_per_second"] = benchmark::Counter(
      static_cast<double>(s.edges.size()), benchmark::Counter::kIsIterationInvariantRate);
}

template <class T>
void register_products(const subject& s, const std::string& type) {
  for (const direction side : {direction::right, direction::left}) {
    const std::string op = side == direction::right ? "op:mxv" : "op:vxm";
    const std::string tail = "/graph:" + s.name;
    benchmark::RegisterBenchmark(
        (op + tail + "/layout:csr/backend:cpu/semiring:plus_times/type:" + type).c_str(),
        [&s, side](benchmark::State& state) { multiply_csr<T>(state, s, side); });
    for (const layout kind : both_layouts) {
      for (const semiring ring : {semiring::plus_times, semiring::lor_land, semiring::min_plus}) {
        for (const index_t batch : {1U, 16U, 128U}) {
          const std::string name = op + tail + "/layout:" + key_of(kind) +
                                   "/backend:cpu/semiring:" + name_of(ring) + "/type:" + type +
                                   (batch == 1 ? "" : "/batch:" + std::to_string(batch));
          benchmark::RegisterBenchmark(name.c_str(), [&s, kind, side, ring,
                                                      batch](benchmark::State& state) {
            multiply_compressed<T>(state, s, kind, {.side = side, .ring = ring, .batch = batch});
          });
        }
      }
    }
  }
}

// "swh:100": the stand-in for swh, a hundredth of its size.
std::unique_ptr<subject> stand_in_of(const std::string& name_and_scale) {
  const std::size_t colon = name_and_scale.find(':');
  const std::string name = name_and_scale.substr(0, colon);
  const std::uint64_t scale =
      colon == std::string::npos ? 1 : std::stoull(name_and_scale.substr(colon + 1));
  const generator graph = generator::like(name, scale);
  builder edges({.dims = graph.dims(), .kind = layout::level_order});
  graph.for_each([&](std::span<const edge> part) { edges.add(part); });
  return std::make_unique<subject>("stand-in-for-" + name + "-" + std::to_string(scale),
                                   edges.finish());
}

std::filesystem::path data_folder() {
  const char* const named = std::getenv("BALTORO_BENCH_DATA");
  return named != nullptr ? named : "../shared/data";
}

}  // namespace

int main(int argc, char** argv) {
  unsigned threads = 1;
  std::string only;
  std::string like;
  std::vector<char*> arguments;
  for (int i = 0; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument.starts_with("--threads=")) {
      threads = static_cast<unsigned>(std::stoul(argument.substr(10)));
    } else if (argument.starts_with("--graph=")) {
      only = argument.substr(8);
    } else if (argument.starts_with("--like=")) {
      like = argument.substr(7);
    } else {
      arguments.push_back(argv[i]);
    }
  }
  const thread_limit limit(threads);
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return 2;
  benchmark::AddCustomContext("threads", std::to_string(threads));
  benchmark::AddCustomContext("baltoro_version", version());

  std::vector<std::unique_ptr<subject>> subjects;
  if (!like.empty()) {
    subjects.push_back(stand_in_of(like));
    only = like;
  }
  if (only.empty() || only == "web-200k") {
    subjects.push_back(std::make_unique<subject>(
        "web-200k", build(generate_web(200'000, 12, 1), {.dims = shape{200'000, 200'000}})));
  }
  for (const auto& [name, file] :
       {std::pair{"cnr-2000", "cnr-2000.graph"}, std::pair{"git-v1.8.0", "git-v1.8.0.mtx.zst"}}) {
    if (!only.empty() && only != name) continue;
    const auto path = data_folder() / file;
    if (std::filesystem::exists(path)) {
      subjects.push_back(std::make_unique<subject>(name, read_graph(path).at()));
    } else {
      std::fprintf(stderr, "%s is absent: %s is not measured\n", path.c_str(), name);
    }
  }
  for (const auto& s : subjects) {
    for (const layout kind : both_layouts) {
      benchmark::RegisterBenchmark(
          ("op:build/graph:" + s->name + "/layout:" + key_of(kind) + "/backend:cpu").c_str(),
          [&s, kind](benchmark::State& state) { build_matrix(state, *s, kind); });
    }
    register_products<float>(*s, "float");
    register_products<double>(*s, "double");
  }
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
