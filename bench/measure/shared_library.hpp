// Libraries that are used where they are there.
#pragma once

#include <baltoro/error.hpp>

#include <string>

#include <dlfcn.h>

namespace baltoro::bench {

// A library that stays loaded until the process ends.
class shared_library {
 public:
  // Throws not_compiled with the loader's words.
  explicit shared_library(const char* name)
      : name_(name), handle_(::dlopen(name, RTLD_NOW | RTLD_LOCAL)) {
    if (handle_ == nullptr) throw not_compiled(words());
  }

  // Throws not_compiled where the library has no such function.
  template <class Function>
  void find(Function*& function, const char* name) const {
    function = reinterpret_cast<Function*>(::dlsym(handle_, name));
    if (function == nullptr) throw not_compiled(name_ + " has no function " + name);
  }

 private:
  std::string words() const {
    const char* const reason = ::dlerror();
    return reason == nullptr ? name_ + " cannot be loaded" : reason;
  }

  std::string name_;
  void* handle_;
};

}  // namespace baltoro::bench
