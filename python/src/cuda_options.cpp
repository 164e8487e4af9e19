// How things run on a GPU, and scratch that they share there.
#include <baltoro/cuda.hpp>
#include <baltoro/error.hpp>

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "bindings.hpp"
#include "calls.hpp"

namespace baltoro::python {
namespace {

using namespace nb::literals;

// Scratch as Python holds it.
struct held_scratch {
  std::shared_ptr<shared_scratch> shared = std::make_shared<shared_scratch>();
};

template <class Choice>
Choice named(const std::string& name, std::initializer_list<Choice> all, const char* what) {
  std::string names;
  for (const Choice each : all) {
    if (name == name_of(each)) return each;
    names += names.empty() ? "" : ", ";
    names += name_of(each);
  }
  throw invalid_argument(fmt::format("there is no {} '{}'; there are {}", what, name, names));
}

std::string text_of(const place& on) {
  const cuda_options& o = on.cuda;
  const auto truth = [](bool value) { return value ? "True" : "False"; };
  return fmt::format(
      "baltoro.Cuda(configuration='{}', offsets='{}', tile_nodes={}, top_nodes={}, "
      "leaves_in_place={}, record={}, memory_limit_bytes={}, container_warps={}{})",
      name_of(o.configuration), name_of(o.offsets), o.tile_nodes, o.top_nodes,
      truth(o.leaves_in_place), truth(o.record), o.memory_limit_bytes, o.container_warps,
      on.scratch == nullptr ? "" : ", scratch=...");
}

void bind_scratch(nb::module_& m) {
  nb::class_<held_scratch>(
      m, "Scratch",
      "Memory of a GPU in which products of many matrices, laid out level-order, work one after "
      "the\n"
      "other: `device=baltoro.Cuda(scratch=...)`. It is as large as the product that needs most, "
      "and\n"
      "calls that share it wait for each other, on whatever streams and threads they are.")
      .def(nb::init<>())
      .def_prop_ro(
          "nbytes",
          [](const held_scratch& s) {
            return without_gil([&] {
              const std::lock_guard turn(s.shared->turn);
              return allocated_bytes(*s.shared->memory);
            });
          },
          "Bytes that it holds on the GPU now.")
      .def("__repr__", [](const held_scratch&) { return "<baltoro.Scratch>"; });
}

}  // namespace

void bind_cuda(nb::module_& m) {
  bind_scratch(m);
  const cuda_options usual;
  nb::class_<place>(
      m, "Cuda",
      "How products, searches and iterations run on a GPU; `device=` takes one wherever it takes\n"
      "\"cuda\". Results do not depend on any of this, but for the rounding of sums. Of "
      "level-order\n"
      "matrices, where nothing else is said:\n\n"
      "configuration: \"tree_only\", the fewest bytes, or \"cached_frontier\", 8 bytes a node more "
      "and\n"
      "    one kernel a product.\n"
      "offsets: where a node's first child is learned from: \"automatic\", \"directory\" or "
      "\"scan\".\n"
      "tile_nodes: children of one tile, at least 4; 0: whole levels.\n"
      "top_nodes: the descent starts at the deepest level with at most so many nodes.\n"
      "leaves_in_place: False gives leaves codes and threads of their own.\n"
      "record: whether repeated products of one vector replay a CUDA graph.\n"
      "memory_limit_bytes: most device memory to use, of either layout; 0: what is free.\n"
      "container_warps: of adaptive matrices and one vector, the warps that work off a container\n"
      "    together, 1 or 4; 0: 4 where containers are few.\n"
      "scratch: a `baltoro.Scratch` to work in; None: every plan has scratch of its own.")
      .def(
          "__init__",
          [](place* made, const std::string& configuration, const std::string& offsets,
             std::uint64_t tile_nodes, std::uint64_t top_nodes, bool leaves_in_place, bool record,
             std::uint64_t memory_limit_bytes, unsigned container_warps,
             const std::optional<held_scratch>& scratch) {
            const auto shared = scratch ? scratch->shared : nullptr;
            new (made) place{
                .where = device::cuda,
                .cuda = {.configuration = named(
                             configuration,
                             {cuda_configuration::tree_only, cuda_configuration::cached_frontier},
                             "configuration"),
                         .offsets = named(offsets,
                                          {child_offsets::automatic, child_offsets::directory,
                                           child_offsets::scan},
                                          "source of offsets"),
                         .tile_nodes = tile_nodes,
                         .top_nodes = top_nodes,
                         .leaves_in_place = leaves_in_place,
                         .record = record,
                         .memory_limit_bytes = memory_limit_bytes,
                         .scratch = shared ? shared->memory : nullptr,
                         .container_warps = container_warps},
                .scratch = shared};
          },
          nb::kw_only(), "configuration"_a = name_of(usual.configuration),
          "offsets"_a = name_of(usual.offsets), "tile_nodes"_a = usual.tile_nodes,
          "top_nodes"_a = usual.top_nodes, "leaves_in_place"_a = usual.leaves_in_place,
          "record"_a = usual.record, "memory_limit_bytes"_a = usual.memory_limit_bytes,
          "container_warps"_a = usual.container_warps, "scratch"_a = nb::none())
      .def("__repr__", &text_of);
}

}  // namespace baltoro::python
