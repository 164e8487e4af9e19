#include "algorithms/generate/random.hpp"

#include <algorithm>
#include <bit>

namespace baltoro::generators {

// Fixed point with 20 bits: what an optimiser may do to sums of doubles would tell machines apart.
power_law::power_law(double ratio, std::uint64_t largest)
    : largest_(static_cast<std::uint32_t>(std::clamp<std::uint64_t>(largest, 1, ~0U))) {
  octaves_ = static_cast<unsigned>(std::bit_width(largest_));
  const auto factor = static_cast<std::uint64_t>(std::clamp(ratio, 0.0, 4.0) * (1U << 20U));
  std::array<std::uint64_t, most_octaves> mass{};
  // Rising masses start low, so that 32 octaves of a ratio of up to 2 fit; steeper ones level off.
  mass[0] = factor > 1U << 20U ? std::uint64_t{1} << 20U : std::uint64_t{1} << 40U;
  std::uint64_t total = mass[0];
  for (unsigned k = 1; k < octaves_; ++k) {
    mass[k] = std::min(mass[k - 1] * factor >> 20U, std::uint64_t{1} << 41U);
    // The last octave ends where the numbers do.
    if (k + 1 == octaves_) {
      mass[k] = (mass[k] >> 10U) * ((std::uint64_t{largest_} - (1U << k) + 1) * 1024U >> k);
    }
    total += mass[k];
  }
  const int up = std::countl_zero(total);
  std::uint64_t before = 0;
  for (unsigned k = 0; k < octaves_; ++k) {
    before += mass[k];
    const std::uint64_t share = (before << up) / ((total << up) >> 32U);
    upto_[k] = static_cast<std::uint32_t>(std::min<std::uint64_t>(share, ~0U));
  }
}

}  // namespace baltoro::generators
