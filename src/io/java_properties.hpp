// Java's .properties syntax: "key=value", "key: value" or "key value" a line, comments after # and
// !, a backslash before a line's end continues it, \t \n \r \f and \uXXXX stand for characters.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace baltoro::io {

struct java_property {
  std::string value;
  std::uint64_t line = 0;  // 1-based; that of the key
};

// Never fails: like Java, everything is taken as some key and value, the last one of a key counts,
// and an incomplete \u stands for itself.
std::map<std::string, java_property, std::less<>> parse_java_properties(std::string_view text);

}  // namespace baltoro::io
