// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The map for tools: one key per field of ModelInterface, in a fixed order.
#include "compiler/emit/MemoryMap.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace aotc;
using llvm::json::OStream;

namespace {

/// A user's name may hold any bytes; JSON wants UTF-8.
std::string utf8(llvm::StringRef text) { return llvm::json::fixUTF8(text); }

/// Absent numbers ("-1 unknown") are null.
void number(OStream &json, llvm::StringRef key, int64_t value) {
  if (value < 0)
    json.attribute(key, nullptr);
  else
    json.attribute(key, value);
}

void integers(OStream &json, llvm::StringRef key, llvm::ArrayRef<int64_t> values) {
  json.attributeArray(key, [&] {
    for (int64_t value : values)
      json.value(value);
  });
}

void tensors(OStream &json, llvm::StringRef key, llvm::ArrayRef<IoTensor> list,
             const ModelInterface &model) {
  json.attributeArray(key, [&] {
    for (const IoTensor &tensor : list)
      json.object([&] {
        json.attribute("name", utf8(tensor.name));
        json.attribute("symbol", tensor.symbol);
        json.attribute("type", dtypeName(tensor.type));
        integers(json, "shape", tensor.shape);
        if (tensor.scale) {
          json.attribute("scale", *tensor.scale);
          json.attribute("zero_point", *tensor.zeroPoint);
        }
        json.attribute("bytes", tensor.bytes);
        json.attribute("region", utf8(model.regions[tensor.region].name));
        json.attribute("offset", tensor.offset);
        json.attribute("align", tensor.align);
        number(json, "tensor", tensor.tensor);
      });
  });
}

void buffers(OStream &json, const ModelInterface &model) {
  json.attributeArray("buffers", [&] {
    for (const PlannedBuffer &buffer : model.buffers)
      json.object([&] {
        json.attribute("name", utf8(buffer.name));
        json.attribute("role", buffer.role);
        json.attribute("region", utf8(model.regions[buffer.region].name));
        json.attribute("offset", buffer.offset);
        json.attribute("bytes", buffer.bytes);
        json.attribute("align", buffer.align);
        json.attribute("first_step", buffer.firstStep);
        json.attribute("last_step", buffer.lastStep);
        number(json, "tensor", buffer.tensor);
        json.attributeArray("shares_with", [&] {
          for (const std::string &other : buffer.sharesWith)
            json.value(utf8(other));
        });
      });
  });
}

void layers(OStream &json, const ModelInterface &model) {
  json.attributeArray("layers", [&] {
    for (const LayerRecord &layer : model.layers)
      json.object([&] {
        json.attribute("step", layer.index);
        json.attribute("op", utf8(layer.op));
        number(json, "op_index", layer.opIndex);
        json.attribute("name", utf8(layer.name));
        json.attribute("kernel", layer.kernel);
        json.attribute("function", layer.function);
        json.attribute("remark", utf8(layer.remark));
        json.attribute("macs", layer.macs);
        json.attribute("weights_bytes", layer.weightsBytes);
        json.attribute("used_memory", layer.usedMemory);
        json.attribute("scratch_bytes", layer.scratchBytes);
        integers(json, "result_tensors", layer.resultTensors);
      });
  });
}

} // namespace

std::string aotc::printMapJson(const ModelInterface &model) {
  std::string text;
  llvm::raw_string_ostream os(text);
  {
    OStream json(os, /*IndentSize=*/2);
    json.object([&] {
      json.attribute("schema", "aotc.map.1");
      json.attribute("name", model.name);
      json.attribute("target", model.target);
      json.attribute("model_file", utf8(model.modelFile));
      json.attribute("model_sha256", model.modelSha256);
      json.attribute("compiler", model.compilerVersion);
      json.attribute("options", utf8(model.options));
      json.attribute("abi_symbol", model.abiSymbol());
      json.attribute("arena_bytes", model.arenaBytes);
      json.attribute("arena_without_scratch_bytes", model.arenaWithoutScratchBytes);
      json.attribute("state_bytes", model.stateBytes);
      json.attribute("weights_bytes", model.weightsBytes);
      json.attribute("code_bytes", model.codeBytes);
      number(json, "stack_bytes", model.stackBytes);
      json.attribute("io_used_memory", model.ioUsedMemory);
      json.attribute("plan_bound_bytes", model.planBound);
      json.attribute("plan_optimal", model.planOptimal);
      json.attribute("order_peak_bytes", model.orderPeak);
      json.attribute("order_given_peak_bytes", model.orderGivenPeak);
      json.attribute("order_proved", model.orderProved);
      json.attributeArray("regions", [&] {
        for (const RegionRecord &region : model.regions)
          json.object([&] {
            json.attribute("name", utf8(region.name));
            json.attribute("symbol", region.symbol);
            json.attribute("bytes", region.bytes);
            json.attribute("align", region.align);
            number(json, "capacity", region.capacity.value_or(-1));
            number(json, "base", region.base.value_or(-1));
            if (!region.section.empty())
              json.attribute("section", region.section);
          });
      });
      tensors(json, "inputs", model.inputs, model);
      tensors(json, "outputs", model.outputs, model);
      buffers(json, model);
      layers(json, model);
    });
  }
  text += '\n';
  return text;
}
