// The functions that decode the format give the same on the GPU as on the CPU.
#include <baltoro/builder.hpp>
#include <baltoro/device.hpp>
#include <baltoro/generate.hpp>
#include <baltoro/morton.hpp>
#include <baltoro/semiring.hpp>

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "cuda/check.cuh"
#include "support/device_array.hpp"

namespace {

using namespace baltoro;
using cuda::check;
using test::device_array;

__global__ void decode_nodes(level_order_view tree, std::uint64_t* first_child) {
  const std::uint64_t node = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (node < tree.internal_nodes()) first_child[node] = tree.first_child(node);
}

__global__ void look_up(level_order_view tree, const edge* cells, std::uint32_t* found,
                        std::uint64_t count) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const std::uint64_t code = morton::encode(cells[i].row, cells[i].col);
  const bool same = morton::row_of(code) == cells[i].row && morton::col_of(code) == cells[i].col;
  found[i] = same && contains(tree, cells[i].row, cells[i].col) ? 1 : 0;
}

__global__ void evaluate_semirings(const float* x, float* terms, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  terms[3 * i] = plus_times<float>::add(plus_times<float>::term(x[i]), 1.0F);
  terms[3 * i + 1] = lor_land<float>::add(lor_land<float>::term(x[i]), lor_land<float>::zero());
  terms[3 * i + 2] = min_plus<float>::add(min_plus<float>::term(x[i]), min_plus<float>::zero());
}

class CudaDecode : public testing::Test {
 protected:
  void SetUp() override {
    if (!query_cuda().usable) GTEST_SKIP() << query_cuda().reason;
  }
};

TEST_F(CudaDecode, TreesAreReadAsOnTheCpu) {
  const auto cells = generate_web(40'000, 12, 3);
  for (const std::uint32_t step : {16U, 256U, 4096U}) {
    const matrix a = build(cells, {.dims = shape{40'000, 40'000}, .directory_step = step});
    const level_order_view& host = a.tree();
    device_array signatures(host.signatures, host.signature_words());
    device_array directory(host.directory, host.samples());
    device_array bases(host.directory_base, host.bases());
    level_order_view tree = host;
    tree.signatures = signatures.data();
    tree.directory = directory.data();
    tree.directory_base = bases.data();

    std::vector<std::uint64_t> children(host.internal_nodes());
    device_array on_device(children.data(), children.size());
    const auto blocks = [](std::uint64_t count) {
      return dim3(static_cast<unsigned>((count + 255) / 256));
    };
    cuda::launch(decode_nodes, blocks(children.size()), dim3(256), 0, nullptr, tree,
                 on_device.data());
    for (std::uint64_t node = 0; node < children.size(); ++node) {
      children[node] = host.first_child(node);
    }
    EXPECT_EQ(on_device.host(), children);

    // Every cell, and as many neighbours that mostly are none.
    std::vector<edge> asked = cells;
    for (const edge& e : cells) asked.push_back({e.col, e.row});
    std::vector<std::uint32_t> found(asked.size());
    device_array asked_on_device(asked.data(), asked.size());
    device_array answers(found.data(), found.size());
    cuda::launch(look_up, blocks(asked.size()), dim3(256), 0, nullptr, tree, asked_on_device.data(),
                 answers.data(), asked.size());
    for (std::size_t i = 0; i < asked.size(); ++i) {
      found[i] = a.contains(asked[i].row, asked[i].col) ? 1 : 0;
    }
    EXPECT_EQ(answers.host(), found);
  }
}

TEST_F(CudaDecode, SemiringsAreThoseOfTheCpu) {
  const std::vector<float> x = {0.0F, 1.0F, -2.5F, 1e9F, 3e38F, 0.1F};
  std::vector<float> wanted;
  for (const float v : x) {
    wanted.push_back(v + 1.0F);
    wanted.push_back(lor_land<float>::term(v));
    wanted.push_back(min_plus<float>::term(v));
  }
  device_array on_device(x.data(), x.size());
  device_array terms(wanted.data(), wanted.size());
  check(cudaMemset(terms.data(), 0, wanted.size() * sizeof(float)), "cudaMemset");
  cuda::launch(evaluate_semirings, dim3(1), dim3(32), 0, nullptr, on_device.data(), terms.data(),
               static_cast<int>(x.size()));
  EXPECT_EQ(terms.host(), wanted);
}

}  // namespace
