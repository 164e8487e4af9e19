// What a build without the GPU backend answers.
#include <baltoro/device.hpp>
#include <baltoro/error.hpp>

#include "engines/engines.hpp"
#include "measure/energy.hpp"
#include "measure/gpu_edges.hpp"
#include "measure/hardware.hpp"
#include "measure/place.hpp"
#include "runs/algorithms.hpp"

namespace baltoro::bench {
namespace {

[[noreturn]] void refuse() { throw not_compiled(query_cuda().reason); }

}  // namespace

std::unique_ptr<place> make_gpu_place() { refuse(); }
std::unique_ptr<engine> make_cusparse(subject&) { refuse(); }
std::unique_ptr<engine> make_bcsr(subject&) { refuse(); }
std::unique_ptr<engine> make_naive(subject&) { refuse(); }
gpu_identity identify_gpu() { refuse(); }
hardware_figures measure_hardware(const protocol&) { refuse(); }
void measure_algorithms(graph_result&, subject&, const bench_options&) { refuse(); }
void measure_search_from_many(graph_result&, subject&, const bench_options&) { refuse(); }
std::function<double()> gpu_energy_counter() { refuse(); }
std::shared_ptr<const edge> pinned_edges(std::span<const edge>) { refuse(); }
std::shared_ptr<const edge> device_edges(std::span<const edge>) { refuse(); }

}  // namespace baltoro::bench
