// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/emit/LayerHooks.h"

#include "compiler/emit/Text.h"

#include "llvm/IR/Module.h"

using namespace aotc;
using llvm::StringRef;

extern "C" {
extern const char aotc_hooks_header_data[], aotc_hooks_header_end[];
}

LayerHooks::LayerHooks(llvm::Module &module, const ModelInterface &interface) : module(module) {
  if (!interface.hooks)
    return;
  llvm::Constant *text = llvm::ConstantDataArray::getString(module.getContext(), interface.name);
  name =
      new llvm::GlobalVariable(module, text->getType(), /*isConstant=*/true,
                               llvm::GlobalValue::InternalLinkage, text, interface.name + ".name");
}

void LayerHooks::call(llvm::IRBuilder<> &b, StringRef hook, size_t layer) {
  if (!name)
    return;
  llvm::FunctionCallee function =
      module.getOrInsertFunction(hook, b.getVoidTy(), b.getPtrTy(), b.getInt32Ty());
  b.CreateCall(function, {name, b.getInt32(static_cast<uint32_t>(layer))});
}

/// A C string literal of printable text; "??/" would be a trigraph.
static std::string literal(StringRef text) {
  std::string result = "\"";
  for (char c : text::printable(text)) {
    if (c == '"' || c == '?')
      result += '\\';
    result += c;
  }
  return result + "\"";
}

void aotc::printHooks(llvm::raw_ostream &os, const ModelInterface &model) {
  StringRef text(aotc_hooks_header_data, aotc_hooks_header_end - aotc_hooks_header_data);
  std::string upper = StringRef(model.name).upper();
  os << "\n/* What " << model.name << "_run calls around each layer: the text of aotc/hooks.h. */\n"
     << text.substr(text.find("#ifndef")) << "\n#define " << upper << "_LAYER_COUNT "
     << model.layers.size()
     << "\n/* Operator and tensor of each layer: static const char *const names[" << upper
     << "_LAYER_COUNT] = " << upper << "_LAYER_NAMES; */\n#define " << upper << "_LAYER_NAMES {";
  for (const LayerRecord &layer : model.layers)
    os << (layer.index ? ", \\\n  " : " \\\n  ")
       << literal(layer.op + " " + text::shortName(layer.name));
  os << "}\n";
}
