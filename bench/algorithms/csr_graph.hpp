// Searches over CSR without values, with the tables and sets that the library's own searches have: only how a
// level follows the edges differs.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cuda/search/search_graph.hpp"
#include "engines/device_csr.hpp"

namespace baltoro::bench {

// Which CSR there are, and how a level goes.
enum class csr_steps {
  push,  // over the edges out of the frontier
  pull,  // over the edges into what is open, in a CSR of those, until all is known
  both,  // whichever has less to do (Beamer, Asanović and Patterson, SC 2012), with both CSR
};

constexpr const char* name_of(csr_steps steps) {
  switch (steps) {
    case csr_steps::push:
      return "push";
    case csr_steps::pull:
      return "pull";
    case csr_steps::both:
      return "push and pull";
  }
  return "unknown";
}

// `out` has a row of successors for each vertex, `in` one of predecessors. Uploads those that are needed.
// Keeps no parents.
std::unique_ptr<cuda::search_graph> make_csr_graph(const csr& out, const csr& in, csr_steps steps);

}  // namespace baltoro::bench
