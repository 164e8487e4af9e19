// Random numbers for generators: counter-based, so that any thread, on a CPU or a GPU, gets at any of them
// without the ones before, and in integers alone, so that every machine gets the same.
//
// Philox4x32-10. Source: J. Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011.
#pragma once

#include <baltoro/host_device.hpp>

#include <array>
#include <cstdint>

namespace baltoro::generators {

struct philox_block {
  std::uint32_t word[4];
};

// The 128 random bits that a counter and a key stand for.
BALTORO_HOST_DEVICE constexpr philox_block philox(philox_block counter, std::uint64_t key) {
  auto key0 = static_cast<std::uint32_t>(key);
  auto key1 = static_cast<std::uint32_t>(key >> 32U);
  for (unsigned round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t{0xD251'1F53U} * counter.word[0];
    const std::uint64_t b = std::uint64_t{0xCD9E'8D57U} * counter.word[2];
    counter = {{static_cast<std::uint32_t>(b >> 32U) ^ counter.word[1] ^ key0,
                static_cast<std::uint32_t>(b),
                static_cast<std::uint32_t>(a >> 32U) ^ counter.word[3] ^ key1,
                static_cast<std::uint32_t>(a)}};
    key0 += 0x9E37'79B9U;
    key1 += 0xBB67'AE85U;
  }
  return counter;
}

// A probability as a number of 2^-32: what a random word must lie below.
BALTORO_HOST_DEVICE constexpr std::uint32_t probability(double p) {
  if (!(p > 0)) return 0;
  return p >= 1 ? ~0U : static_cast<std::uint32_t>(p * 4294967296.0);
}

// A sequence of random numbers. Sequences of one seed and different `stream` or `purpose` have nothing
// in common.
class random_sequence {
 public:
  BALTORO_HOST_DEVICE constexpr random_sequence(std::uint64_t seed, std::uint64_t stream,
                                                std::uint32_t purpose)
      : seed_(seed), stream_(stream), purpose_(purpose) {}

  // 32 random bits.
  BALTORO_HOST_DEVICE constexpr std::uint32_t next() {
    if ((used_ & 3U) == 0) {
      block_ = philox({{used_ >> 2U, purpose_, static_cast<std::uint32_t>(stream_),
                        static_cast<std::uint32_t>(stream_ >> 32U)}},
                      seed_);
    }
    return block_.word[used_++ & 3U];
  }
  // Uniform below `limit`.
  BALTORO_HOST_DEVICE constexpr std::uint32_t below(std::uint32_t limit) {
    return static_cast<std::uint32_t>((std::uint64_t{next()} * limit) >> 32U);
  }
  // True with a probability in 2^-32; ~0 is always true.
  BALTORO_HOST_DEVICE constexpr bool chance(std::uint32_t of) {
    return of == ~0U || (of != 0 && next() < of);
  }

 private:
  std::uint64_t seed_;
  std::uint64_t stream_;
  std::uint32_t purpose_;
  std::uint32_t used_ = 0;
  philox_block block_{};
};

// Numbers from 1 on whose density falls by a power: octave k, [2^k, 2^(k+1)), is drawn `ratio` times as often
// as the one before, and all numbers in it alike. A density x^-g has the ratio 2^(1-g): 1 for 1/x,
// 1/2 for 1/x², above 1 for a density that falls more slowly than 1/x.
class power_law {
 public:
  static constexpr unsigned most_octaves = 32;

  // All numbers are 1.
  constexpr power_law() { upto_[0] = ~0U; }

  // Numbers up to about `largest`.
  power_law(double ratio, std::uint64_t largest);

  BALTORO_HOST_DEVICE constexpr std::uint32_t draw(random_sequence& random) const {
    if (largest_ == 1) return 1;
    const std::uint32_t of_octave = random.next();
    unsigned octave = 0;
    while (octave + 1 < octaves_ && of_octave >= upto_[octave]) ++octave;
    if (octave == 0) return 1;
    const std::uint32_t first = 1U << octave;
    const std::uint32_t last = octave + 1 == octaves_ ? largest_ : 2 * first - 1;
    return first + random.below(last - first + 1);
  }

 private:
  std::array<std::uint32_t, most_octaves> upto_{};  // in 2^-32, of this octave and those before
  unsigned octaves_ = 1;
  std::uint32_t largest_ = 1;
};

}  // namespace baltoro::generators
