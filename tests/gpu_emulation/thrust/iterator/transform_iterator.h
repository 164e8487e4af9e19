#pragma once

#include <cstdint>

namespace thrust {

template <class Function, class Iterator>
class transform_iterator {
 public:
  transform_iterator(Iterator of, Function function) : of_(of), function_(function) {}
  auto operator[](std::int64_t i) const { return function_(of_[i]); }

 private:
  Iterator of_;
  Function function_;
};

template <class Function, class Iterator>
transform_iterator<Function, Iterator> make_transform_iterator(Iterator of, Function function) {
  return {of, function};
}

}  // namespace thrust
