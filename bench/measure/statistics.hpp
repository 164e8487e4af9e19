// Medians and quartiles.
#pragma once

#include <vector>

namespace baltoro::bench {

struct quartiles {
  double q1 = 0;
  double median = 0;
  double q3 = 0;
};

// Of at least one value. Between two values it is interpolated linearly, as NumPy does.
quartiles quartiles_of(std::vector<double> values);

}  // namespace baltoro::bench
