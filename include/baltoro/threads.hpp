/// \file
/// \brief How many threads Baltoro may use.
#pragma once

#include <memory>

namespace baltoro {

/// While an object of this class lives, parallel work of the whole process (not of Baltoro alone:
/// the limit is oneTBB's) uses at most the given number of threads. Without one, every core is
/// used.
class thread_limit {
 public:
  /// \param threads the limit; 0 sets none.
  explicit thread_limit(unsigned threads);
  ~thread_limit();
  /// Takes over the limit; the other is then only good to be destroyed or assigned to.
  thread_limit(thread_limit&&) noexcept;
  /// The same, giving up what was held before.
  thread_limit& operator=(thread_limit&&) noexcept;

  /// The number of threads parallel work would use now.
  static unsigned current();

 private:
  struct control;
  std::unique_ptr<control> control_;
};

}  // namespace baltoro
