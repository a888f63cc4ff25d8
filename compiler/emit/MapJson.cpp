// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The map for tools: one key per field of ModelInterface, in a fixed order.
#include "compiler/emit/MemoryMap.h"
#include "compiler/emit/Text.h"
#include "compiler/support/InterfaceJson.h"

#include "llvm/Support/raw_ostream.h"

using namespace aotc;
using llvm::json::OStream;

namespace {

void integers(OStream &json, llvm::StringRef key, llvm::ArrayRef<int64_t> values) {
  json.attributeArray(key, [&] {
    for (int64_t value : values)
      json.value(value);
  });
}

void places(OStream &json, llvm::StringRef key, llvm::ArrayRef<IoTensor> list,
            const ModelInterface &model) {
  jsonTensors(json, key, list, [&](const IoTensor &tensor) {
    json.attribute("symbol", tensor.symbol);
    json.attribute("bytes", tensor.bytes);
    json.attribute("mode", ioModeName(tensor.mode));
    json.attribute("region", utf8(model.regions[tensor.region].name));
    json.attribute("offset", tensor.offset);
    json.attribute("align", tensor.align);
    jsonKnown(json, "tensor", tensor.tensor);
  });
}

llvm::StringRef wayName(SharedBytes::Way way) {
  switch (way) {
  case SharedBytes::Way::inPlace:
    return "in_place";
  case SharedBytes::Way::apart:
    return "apart";
  case SharedBytes::Way::unread:
    return "unread";
  }
  llvm_unreachable("unknown way");
}

void sharing(OStream &json, const ModelInterface &model, const PlannedBuffer &buffer) {
  json.attributeArray("sharing", [&] {
    for (const SharedBytes &shared : buffer.shares)
      json.object([&] {
        json.attribute("buffer", static_cast<int64_t>(shared.buffer));
        json.attribute("bytes", shared.bytes);
        json.attribute("step", shared.step);
        json.attribute("way", wayName(shared.way));
        bool declared = shared.way != SharedBytes::Way::unread;
        json.attribute("direction", shared.descending ? "descending" : "ascending");
        jsonNumber(json, "distance", declared ? std::optional(shared.distance) : std::nullopt);
        jsonNumber(json, "declared", declared ? std::optional(shared.declared) : std::nullopt);
        json.attribute("why", utf8(text::sharingReason(model, shared)));
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
        jsonKnown(json, "tensor", buffer.tensor);
        json.attributeArray("shares_with", [&] {
          for (const SharedBytes &shared : buffer.shares)
            json.value(utf8(model.buffers[shared.buffer].name));
        });
        sharing(json, model, buffer);
      });
  });
}

void tensors(OStream &json, const ModelInterface &model) {
  json.attributeArray("tensors", [&] {
    for (const TensorRecord &tensor : model.tensors)
      json.object([&] {
        json.attribute("name", utf8(tensor.name));
        jsonKnown(json, "tensor", tensor.tensor);
        json.attribute("buffer", static_cast<int64_t>(tensor.buffer));
        json.attribute("offset_in_buffer", tensor.offset);
        json.attribute("bytes", tensor.bytes);
        json.attribute("first_step", tensor.firstStep);
        json.attribute("last_step", tensor.lastStep);
        if (tensor.dissolved.empty())
          json.attribute("dissolved", nullptr);
        else
          json.attributeObject("dissolved", [&] {
            json.attribute("op", utf8(tensor.dissolved));
            jsonKnown(json, "op_index", tensor.dissolvedIndex);
          });
      });
  });
}

void peak(OStream &json, const ModelInterface &model) {
  if (model.peakStep < 0) {
    json.attribute("peak", nullptr);
    return;
  }
  json.attributeObject("peak", [&] {
    json.attribute("step", model.peakStep);
    json.attribute("bytes", model.layers[model.peakStep].heightBytes);
    json.attributeArray("live", [&] {
      for (auto [number, buffer] : llvm::enumerate(model.buffers))
        if (buffer.liveAt(model.peakStep))
          json.value(static_cast<int64_t>(number));
    });
  });
}

void advice(OStream &json, const ModelInterface &model) {
  json.attributeObject("advice", [&] {
    json.attribute("text", utf8(model.adviceText));
    json.attributeArray("changes", [&] {
      for (const AdviceRecord &advice : model.advice)
        json.object([&] {
          json.attribute("change", utf8(advice.change));
          json.attribute("arena_bytes", advice.arenaBytes);
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
        jsonKnown(json, "op_index", layer.opIndex);
        json.attribute("name", utf8(layer.name));
        json.attribute("kernel", layer.kernel);
        json.attribute("function", layer.function);
        json.attribute("remark", utf8(layer.remark));
        json.attribute("macs", layer.macs);
        json.attribute("weights_bytes", layer.weightsBytes);
        json.attribute("used_memory", layer.usedMemory);
        json.attribute("scratch_bytes", layer.scratchBytes);
        json.attribute("footprint_bytes", layer.footprintBytes);
        json.attribute("height_bytes", layer.heightBytes);
        integers(json, "result_tensors", layer.resultTensors);
      });
  });
}

} // namespace

std::string aotc::printMapJson(const ModelInterface &model, unsigned indent) {
  std::string text;
  llvm::raw_string_ostream os(text);
  {
    OStream json(os, indent);
    json.object([&] {
      json.attribute("schema", "aotc.map.1");
      json.attribute("name", model.name);
      json.attribute("model_file", utf8(model.modelFile));
      json.attribute("compiler", model.compilerVersion);
      json.attribute("options", utf8(model.options));
      json.attribute("abi_symbol", model.abiSymbol());
      jsonFigures(json, model,
                  model.stackBytes < 0 ? std::nullopt : std::optional(model.stackBytes));
      json.attributeArray("start_up", [&] {
        for (const StartUpNeed &need : model.startUp)
          json.object([&] {
            json.attribute("need", need.name);
            json.attribute("text", need.text);
          });
      });
      json.attribute("io_used_memory", model.ioUsedMemory);
      json.attribute("plan_bound_bytes", model.planBound);
      json.attribute("plan_optimal", model.planOptimal);
      json.attribute("order_peak_bytes", model.orderPeak);
      json.attribute("order_given_peak_bytes", model.orderGivenPeak);
      json.attribute("order_proved", model.orderProved);
      jsonRegions(json, model.regions, [&](const RegionRecord &region) {
        json.attribute("owner", isCallers(region.owner) ? ioModeName(region.owner) : "model");
        jsonNumber(json, "capacity", region.capacity);
        jsonNumber(json, "base", region.base);
        if (!region.section.empty())
          json.attribute("section", region.section);
      });
      places(json, "inputs", model.inputs, model);
      places(json, "outputs", model.outputs, model);
      peak(json, model);
      advice(json, model);
      buffers(json, model);
      tensors(json, model);
      layers(json, model);
    });
  }
  text += '\n';
  return text;
}
