/// \file
/// \brief Everything of Baltoro that users see.
#pragma once

#include <baltoro/adaptive.hpp>
#include <baltoro/bfs.hpp>
#include <baltoro/builder.hpp>
#include <baltoro/cuda.hpp>
#include <baltoro/density.hpp>
#include <baltoro/device.hpp>
#include <baltoro/error.hpp>
#include <baltoro/generate.hpp>
#include <baltoro/graph.hpp>
#include <baltoro/k2m.hpp>
#include <baltoro/level_order.hpp>
#include <baltoro/matrix.hpp>
#include <baltoro/morton.hpp>
#include <baltoro/npy.hpp>
#include <baltoro/pagerank.hpp>
#include <baltoro/payload.hpp>
#include <baltoro/product.hpp>
#include <baltoro/progress.hpp>
#include <baltoro/reader.hpp>
#include <baltoro/semiring.hpp>
#include <baltoro/threads.hpp>
#include <baltoro/types.hpp>
#include <baltoro/version.hpp>
#include <baltoro/writer.hpp>
