// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How numbers, shapes and users' names are written in header and map.
#pragma once

#include "compiler/support/ModelInterface.h"

namespace aotc::text {

/// What the columns "used_memory" and "footprint" of a table of layers mean.
inline constexpr char kMemoryLegend[] =
    "  used_memory: bytes of the tensors live at the call, two in place once, others in full\n"
    "  footprint: distinct bytes of memory in use there, scratch included\n";

/// "aotc 0.1.0, LLVM 22.1.8": who made a file.
llvm::StringRef compilerVersion();
/// 22600 -> "22,600".
std::string grouped(int64_t value);
/// [1, 49, 10, 1] -> "1x49x10x1"; a scalar: "scalar".
std::string shapeText(llvm::ArrayRef<int64_t> shape);
/// "int8", "float32": for people.
llvm::StringRef typeText(DType type);
/// "int8_t", "float": as C writes it (float16 as its bits, bool as a byte).
llvm::StringRef cTypeText(DType type);
/// The shortest decimal that gives the same float, as a C literal: "0.25f".
std::string floatLiteral(double value);
/// Why two buffers may share bytes: "CONV_2D at step 3 runs first to last; its
/// output starts 128 bytes below its input, 96 are enough".
std::string sharingReason(const ModelInterface &model, const SharedBytes &shared);
/// Printable ASCII that can stand in a C comment and a table: other characters
/// become '?', comment marks are broken up, backslashes become '/'.
std::string printable(llvm::StringRef text);
/// printable(), at most `limit` characters: of names that a converter joined with
/// ';' the first; long ones without their middle, with more of the end, which
/// tells layers apart.
std::string shortName(llvm::StringRef name, size_t limit = 40);

/// The words of a sentence in lines of at most 80 characters, the first behind
/// `first`, the others behind `next`.
std::string wrapped(llvm::StringRef words, llvm::StringRef first, llvm::StringRef next);

/// "conv_2d_s8__dsp": every kernel's symbol starts alike, and tables have no room
/// for that.
llvm::StringRef kernelName(llvm::StringRef kernel);

/// Which kernels the target prefers to the layer's and why they were passed over:
/// "aotc_conv_2d_s8_1x1__dsp rejected: kernel is not 1x1"; empty if none.
llvm::StringRef passedOver(const LayerRecord &layer);

} // namespace aotc::text
