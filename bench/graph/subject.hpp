// A graph that is measured, in every form that is needed, each made when it is first asked for.
#pragma once

#include <baltoro/error.hpp>
#include <baltoro/matrix.hpp>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engines/engine.hpp"
#include "graph/csr.hpp"
#include "measure/place.hpp"

namespace baltoro::bench {

// An engine's result is not the right one.
class wrong_result : public error {
 public:
  using error::error;
};

class subject {
 public:
  subject(std::string name, matrix a) : name_(std::move(name)), compressed_(std::move(a)) {}

  const std::string& name() const { return name_; }
  const matrix& compressed() const { return compressed_; }
  shape dims() const { return compressed_.dims(); }
  std::uint64_t nnz() const { return compressed_.nnz(); }
  const csr& uncompressed();

  // Compares what a run left in y with a loop over the CSR in double: the first vector, the last and
  // one between, and that all others hold numbers. Throws wrong_result.
  void require_right(place& where, const task& what);

 private:
  void require_right_bits(const std::vector<float>& y, direction side);
  // Vector k of the right y.
  const std::vector<double>& reference(direction side, index_t k);

  std::string name_;
  matrix compressed_;
  std::optional<csr> uncompressed_;
  std::map<std::pair<direction, index_t>, std::vector<double>> references_;
};

// K copies of a matrix along the diagonal of a larger one. Throws invalid_argument where that has
// more rows or columns than a matrix may have.
matrix copies_on_diagonal(const matrix& a, std::uint64_t copies);

}  // namespace baltoro::bench
