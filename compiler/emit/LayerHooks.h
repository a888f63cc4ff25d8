// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls around each layer, of bundles made with EmitOptions::hooks: what they
// are is said by the runtime stub's aotc/hooks.h.
#pragma once

#include "compiler/support/ModelInterface.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/Support/raw_ostream.h"

namespace aotc {

inline constexpr llvm::StringLiteral kLayerBegin = "aotc_layer_begin", kLayerEnd = "aotc_layer_end";

/// Writes the calls into a model's code. Without ModelInterface::hooks nothing,
/// not even a declaration.
class LayerHooks {
public:
  LayerHooks(llvm::Module &module, const ModelInterface &interface);
  void begin(llvm::IRBuilder<> &b, size_t layer) { call(b, kLayerBegin, layer); }
  void end(llvm::IRBuilder<> &b, size_t layer) { call(b, kLayerEnd, layer); }

private:
  void call(llvm::IRBuilder<> &b, llvm::StringRef hook, size_t layer);

  llvm::Module &module;
  llvm::GlobalVariable *name = nullptr; ///< the text NAME; null: no hooks
};

/// For a header: the hooks' declarations, NAME_LAYER_COUNT, NAME_LAYER_NAMES.
void printHooks(llvm::raw_ostream &os, const ModelInterface &model);

} // namespace aotc
