// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the parts of a generated header call the model's blocks and tensors.
#pragma once

#include "compiler/support/ModelInterface.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace aotc {

struct HeaderNames {
  explicit HeaderNames(const ModelInterface &model)
      : model(model), name(model.name), upper(llvm::StringRef(name).upper()) {}

  static llvm::StringRef kind(bool isInput) { return isInput ? "input" : "output"; }
  /// KWS_ARENA
  std::string macro(const RegionRecord &region) const {
    return upper + "_" + llvm::StringRef(region.symbol).upper();
  }
  /// KWS_INPUT_X
  std::string macro(const IoTensor &tensor, bool isInput) const {
    return upper + (isInput ? "_INPUT_" : "_OUTPUT_") + llvm::StringRef(tensor.symbol).upper();
  }
  const RegionRecord &regionOf(const IoTensor &tensor) const {
    return model.regions[tensor.region];
  }
  /// One text for each block, with commas between.
  template <typename Text> std::string eachBlock(Text text) const {
    return llvm::join(llvm::map_range(model.regions, text), ", ");
  }
  /// The object takes arrays.
  bool severalBlocks() const { return model.regions.size() > 1; }
  /// A model with one input (output) needs no tensor name to tell which.
  bool isOnly(bool isInput) const { return (isInput ? model.inputs : model.outputs).size() == 1; }
  /// input_x, quantize_x; or the short forms input, quantize_input.
  std::string accessorName(const IoTensor &tensor, bool isInput, bool brief) const {
    return kind(isInput).str() + (brief ? "" : "_" + tensor.symbol);
  }
  std::string converterName(const IoTensor &tensor, bool isInput, bool brief) const {
    return (isInput ? "quantize_" : "dequantize_") + (brief ? kind(isInput).str() : tensor.symbol);
  }
  static bool canQuantize(const IoTensor &tensor) {
    return tensor.scale && dtypeInfo(tensor.type).isQuantizedStorage;
  }

  const ModelInterface &model;
  const std::string name, upper;
};

} // namespace aotc
