// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/support/InterfaceJson.h"

using namespace aotc;
using llvm::StringRef;
using llvm::json::OStream;

std::string aotc::utf8(StringRef text) { return llvm::json::fixUTF8(text); }

void aotc::jsonNumber(OStream &json, StringRef key, std::optional<int64_t> value) {
  if (value)
    json.attribute(key, *value);
  else
    json.attribute(key, nullptr);
}

void aotc::jsonKnown(OStream &json, StringRef key, int64_t value) {
  jsonNumber(json, key, value < 0 ? std::nullopt : std::optional(value));
}

void aotc::jsonFigures(OStream &json, const ModelInterface &model,
                       std::optional<int64_t> stackBytes) {
  json.attribute("target", model.target);
  json.attribute("model_sha256", model.modelSha256);
  json.attribute("arena_bytes", model.arenaBytes);
  json.attribute("arena_without_scratch_bytes", model.arenaWithoutScratchBytes);
  json.attribute("state_bytes", model.stateBytes);
  json.attribute("weights_bytes", model.weightsBytes);
  json.attribute("code_bytes", model.codeBytes);
  jsonNumber(json, "stack_bytes", stackBytes);
}

void aotc::jsonRegions(OStream &json, llvm::ArrayRef<RegionRecord> regions,
                       llvm::function_ref<void(const RegionRecord &)> more) {
  json.attributeArray("regions", [&] {
    for (const RegionRecord &region : regions)
      json.object([&] {
        json.attribute("name", utf8(region.name));
        json.attribute("symbol", region.symbol);
        json.attribute("bytes", region.bytes);
        json.attribute("align", region.align);
        if (more)
          more(region);
      });
  });
}

void aotc::jsonTensors(OStream &json, StringRef key, llvm::ArrayRef<IoTensor> tensors,
                       llvm::function_ref<void(const IoTensor &)> more) {
  json.attributeArray(key, [&] {
    for (const IoTensor &tensor : tensors)
      json.object([&] {
        json.attribute("name", utf8(tensor.name));
        json.attribute("type", dtypeName(tensor.type));
        json.attribute("shape", llvm::json::Array(tensor.shape));
        if (tensor.scale)
          json.attribute("scale", *tensor.scale);
        if (tensor.zeroPoint)
          json.attribute("zero_point", *tensor.zeroPoint);
        more(tensor);
      });
  });
}
