// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A model file as plain data for `aotc inspect`: also of models with
// unsupported operators. Knows no MLIR.
#pragma once

#include "compiler/support/Operator.h"

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace aotc {

struct InspectedTensor {
  int64_t index = 0;
  std::string name, type;     ///< the user's name; "INT8"
  std::vector<int64_t> shape; ///< as in the file: may hold 0 or -1
  Quantization quant;
  int64_t bytes = 0; ///< 0 where shape or type do not tell
  bool constant = false, variable = false;
  bool used = false; ///< by an operator or as input or output
};

struct InspectedOperator {
  int64_t index = 0;
  std::string code; ///< CONV_2D; CUSTOM "Name"
  int64_t version = 1;
  std::vector<int64_t> inputs; ///< tensor numbers, -1: absent
  std::vector<int64_t> outputs;
  std::vector<std::string> problems; ///< empty: supported
};

struct InspectedModel {
  std::string description;
  int64_t subgraphs = 0; ///< the rest describes the first
  std::vector<int64_t> inputs, outputs;
  std::vector<InspectedTensor> tensors;
  std::vector<InspectedOperator> operators;
  std::vector<std::string> problems;    ///< all, in file order; empty: it compiles
  std::vector<std::string> implemented; ///< operators aotc has, by name

  bool supported() const { return problems.empty(); }
};

/// Never fails: a file that cannot be read has `problems` and nothing else.
InspectedModel inspectTFLite(llvm::StringRef bytes);

} // namespace aotc
