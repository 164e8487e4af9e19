#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "cuda/capacity.hpp"
#include "cuda/check.cuh"
#include "cuda/make_ranks.cuh"
#include "cuda/power_iteration.hpp"

namespace baltoro::cuda {
namespace {

// Ranks go to the host in pieces of so many.
constexpr std::uint64_t most_staged = 8ULL << 20U;

// How many iterations to enqueue before looking again, given the last two changes: most of those that are
// needed if the change goes on falling by the same factor.
std::uint32_t iterations_ahead(double before, double last, double tolerance) {
  constexpr double share = 0.9;
  if (!(last > 0) || !(before > last)) return 1;
  const double needed = std::log(tolerance / last) / std::log(last / before);
  return static_cast<std::uint32_t>(
      std::clamp(share * needed, 1.0, static_cast<double>(most_ahead)));
}

template <class T>
rank_vectors<T> vectors_of(const device_memory& memory, std::uint64_t sums, std::uint64_t degrees) {
  rank_vectors<T> v{};
  v.shares = memory.at<T>();
  v.sums = memory.at<T>(sums);
  v.degrees = memory.at<index_t>(degrees);
  return v;
}

}  // namespace

template <class T>
power_iteration<T>::power_iteration(std::unique_ptr<rank_product<T>> product,
                                    const pagerank_options& options, std::span<const double> jumps,
                                    std::span<const index_t> seeds)
    : product_(std::move(product)),
      options_(options),
      jumps_(jumps),
      seeds_(seeds),
      n_(product_->vertices()),
      batch_(seeds.empty() ? 1 : static_cast<index_t>(seeds.size())),
      layout_(plan()) {
  require_fit(1, product_->resident_bytes(), options.cuda,
              [&](index_t) { return needs().total(); });
}

template <class T>
typename power_iteration<T>::layout power_iteration<T>::plan() const {
  const std::uint64_t vector = aligned(sizeof(T) * n_ * batch_);
  layout l{};
  l.sums = vector;
  l.degrees = l.sums + vector;
  l.jumps = l.degrees + aligned(sizeof(index_t) * n_);
  l.seeds = l.jumps + aligned(jumps_.size_bytes());
  l.lost = l.seeds + aligned(seeds_.size_bytes());
  l.partial = l.lost + aligned(sizeof(double) * batch_);
  l.control = l.partial + aligned(2 * sizeof(double) * rank_blocks * batch_);
  l.bytes = l.control + aligned(sizeof(rank_control));
  return l;
}

template <class T>
working_set power_iteration<T>::needs() const {
  return {.matrix_bytes = product_->matrix_bytes(),
          .vector_bytes = layout_.lost,
          .scratch_bytes = product_->scratch_bytes() + layout_.bytes - layout_.lost +
                           sizeof(double) * std::min(most_staged, n_ * batch_)};
}

template <class T>
void power_iteration<T>::prepare() {
  if (memory_.bytes() != 0) return;
  memory_ = device_memory(layout_.bytes, "the vectors of PageRank");
  host_ = pinned_memory(sizeof(rank_control));
  const cudaStream_t s = work_.get();
  product_->prepare(s, memory_.at<T>(), memory_.at<T>(layout_.sums));
  copy_to_device(memory_.at<double>(layout_.jumps), jumps_.data(), jumps_.size_bytes(), s);
  copy_to_device(memory_.at<index_t>(layout_.seeds), seeds_.data(), seeds_.size_bytes(), s);
  check(cudaMemsetAsync(memory_.at<rank_control>(layout_.control), 0, sizeof(rank_control), s),
        "cudaMemsetAsync");
  product_->count_degrees(s, memory_.at<index_t>(layout_.degrees));
  work_.wait();
}

template <class T>
template <bool Start>
void power_iteration<T>::make_ranks() {
  const double uniform = 1.0 / static_cast<double>(n_);
  const rank_rule rule{jumps_.empty() ? nullptr : memory_.at<double>(layout_.jumps),
                       seeds_.empty() ? nullptr : memory_.at<index_t>(layout_.seeds),
                       uniform,
                       options_.dangling_to == dangling::personalization,
                       options_.damping,
                       options_.tolerance,
                       options_.max_iterations};
  rank_vectors<T> v = vectors_of<T>(memory_, layout_.sums, layout_.degrees);
  v.vertices = n_;
  v.batch = batch_;
  v.clear = product_->adds();
  v.lost = memory_.at<double>(layout_.lost);
  v.partial = memory_.at<double>(layout_.partial);
  v.control = memory_.at<rank_control>(layout_.control);
  const unsigned across = std::bit_ceil(std::min<unsigned>(batch_, rank_threads));
  const unsigned down = rank_threads / across;
  const auto blocks =
      static_cast<unsigned>(std::min<std::uint64_t>(rank_blocks, (n_ + down - 1) / down));
  launch(make_ranks_pass<Start, T>, dim3(blocks, (batch_ + across - 1) / across),
         dim3(across, down), 0, work_.get(), v, rule);
}

template <class T>
typename power_iteration<T>::figures power_iteration<T>::run() {
  prepare();
  const rank_control& control = *host_.at<rank_control>();
  figures result;
  make_ranks<true>();
  std::uint32_t ahead = 4;
  while (result.iterations < options_.max_iterations && !result.converged) {
    ahead = std::min(ahead, options_.max_iterations - result.iterations);
    for (std::uint32_t i = 0; i < ahead; ++i) {
      product_->run(work_.get(), memory_.at<T>(), memory_.at<T>(layout_.sums));
      make_ranks<false>();
    }
    copy_to_host(host_.at<rank_control>(), memory_.at<rank_control>(layout_.control),
                 sizeof(rank_control), work_.get());
    work_.wait();
    double before = result.change;
    while (result.iterations < control.iterations) {
      before = result.change;
      result.change = control.changes[result.iterations++ % most_ahead];
      if (options_.on_iteration) options_.on_iteration(result.iterations, result.change);
    }
    result.converged = result.change < options_.tolerance;
    ahead = iterations_ahead(before, result.change, options_.tolerance);
  }
  return result;
}

template <class T>
void power_iteration<T>::copy_ranks(double* to) const {
  const std::uint64_t entries = n_ * batch_;
  const device_memory staging(sizeof(double) * std::min(most_staged, entries),
                              "a piece of the ranks");
  rank_vectors<T> v = vectors_of<T>(memory_, layout_.sums, layout_.degrees);
  v.batch = batch_;
  for (std::uint64_t first = 0; first < entries; first += most_staged) {
    const std::uint64_t count = std::min(most_staged, entries - first);
    const auto blocks = static_cast<unsigned>((count + rank_threads - 1) / rank_threads);
    launch(write_ranks<T>, dim3(blocks), dim3(rank_threads), 0, work_.get(), v, first, count,
           staging.at<double>());
    copy_to_host(to + first, staging.data(), sizeof(double) * count, work_.get());
    work_.wait();
  }
}

template class power_iteration<float>;
template class power_iteration<double>;

}  // namespace baltoro::cuda
