// The habits that give a stand-in the structure of its graph; bench/stand_ins.cpp shows both side by side.
#pragma once

#include <baltoro/generate.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "algorithms/generate/linked_rows.hpp"
#include "algorithms/generate/merkle.hpp"

namespace baltoro::generators {

// A graph and its habits: those of a version history, or of linked rows, which change with the scale.
struct stand_in_habits {
  stand_in graph;
  std::optional<merkle_habits> merkle{};
  link_habits links{};
};

std::span<const stand_in_habits> all_stand_ins();

}  // namespace baltoro::generators
