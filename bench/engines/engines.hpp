// The engines that are compared.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engines/engine.hpp"
#include "graph/subject.hpp"

namespace baltoro::bench {

inline constexpr const char* cusparse_name = "cusparse";
inline constexpr const char* bcsr_name = "bcsr";

struct engine_kind {
  std::string name;
  device where;
  bool on_request;  // left out where no engines are named
  // Throws baltoro::error with the reason where the engine is absent or does not fit.
  std::function<std::unique_ptr<engine>(subject&)> make;
};

// All of them, in the order they are reported in.
std::vector<engine_kind> engine_kinds();

// The descent of the compressed tree, on a GPU or the cores of this machine.
std::unique_ptr<engine> make_level_order(subject& graph, std::string name, device where,
                                         const cuda_options& options);
// Containers of at most so many leaves, on a GPU or the cores of this machine. `reproducible` has the option of
// products of that name, and no Boolean ones, which are so anyway.
std::unique_ptr<engine> make_adaptive(subject& graph, std::string name, device where,
                                      std::uint32_t container_leaves, bool reproducible = false);
// NVIDIA's library, on CSR with float values.
std::unique_ptr<engine> make_cusparse(subject& graph);
// CSR without values.
std::unique_ptr<engine> make_bcsr(subject& graph);
// The paper's starting point (5.5): every level expanded by a fan-out array, a scan and an expansion,
// for which memory is allocated at every level of every product.
std::unique_ptr<engine> make_naive(subject& graph);

}  // namespace baltoro::bench
