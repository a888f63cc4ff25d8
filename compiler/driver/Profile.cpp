// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The model is compiled once more with hooks around its layers, the same as an
// application uses on its board (runtime-stub/README.md). Where instructions are
// counted, the bundle without runs beside it and gives the total; of times, which
// differ from call to call, total and layers are those of one call.
#include "compiler/driver/Profile.h"

#include "compiler/driver/ModelFile.h"
#include "compiler/emit/Table.h"
#include "compiler/emit/Text.h"
#include "compiler/support/InterfaceJson.h"

#include "llvm/Support/FormatVariadic.h"

#include <numeric>

namespace aotc {

int64_t Profile::outside() const {
  return total - std::accumulate(layers.begin(), layers.end(), int64_t(0));
}

/// Takes off the instructions of the hooks. Half of that lies between begin and end of a
/// layer: the return from the one, the arguments and the call of the other.
static void removeHooks(Profile &profile, int64_t totalWithHooks) {
  int64_t count = static_cast<int64_t>(profile.layers.size());
  int64_t each = count ? (totalWithHooks - profile.total) / (2 * count) : 0;
  for (int64_t &layer : profile.layers)
    layer = std::max<int64_t>(0, layer - each);
}

std::optional<Profile> profile(const InferenceCommand &command, llvm::StringRef modelBytes,
                               const Execution &execution) {
  std::optional<Bundle> hooked = compileAgain(command, modelBytes, &CompileOptions::hooks);
  if (!hooked)
    return std::nullopt;
  Profile profile;
  profile.isTime = execution.result.nsPerInference.has_value();
  llvm::SmallVector<RunCase, 2> cases = {makeCase(*hooked, execution.inputs)};
  if (!profile.isTime)
    cases.push_back(makeCase(execution.bundle, execution.inputs));
  RunOptions options;
  options.timeoutSeconds = command.timeoutSeconds;
  options.exactCounts = true;
  auto results = runBundles(cases, command.options.target, options);
  if (!results) {
    reportError(results.takeError());
    return std::nullopt;
  }
  const RunResult &layered = results->front(), &plain = results->back();
  profile.layers = layered.layers;
  if (profile.isTime) {
    profile.total = *layered.nsPerInference;
    return profile;
  }
  if (!plain.instructions || !layered.instructions ||
      layered.layers.size() != hooked->interface.layers.size()) {
    reportError("this QEMU cannot count the instructions of layers; one with plug-ins can");
    return std::nullopt;
  }
  profile.total = *plain.instructions;
  removeHooks(profile, *layered.instructions);
  return profile;
}

/// '#' by the share of the largest layer.
static std::string bar(int64_t value, int64_t largest) {
  constexpr int64_t width = 12;
  return std::string(largest ? std::max<int64_t>(0, (value * width + largest / 2) / largest) : 0,
                     '#');
}

/// "1,152", or "-" for none.
static std::string macsText(int64_t macs) { return macs ? text::grouped(macs) : "-"; }

/// "0.420", or "-" for a layer that multiplies nothing.
static std::string perMac(int64_t value, int64_t macs) {
  return macs ? llvm::formatv("{0:f3}", double(value) / double(macs)).str() : "-";
}

void printProfile(llvm::raw_ostream &os, const ModelInterface &model, const Profile &profile) {
  constexpr size_t nameWidth = 24;
  std::string unit = profile.isTime ? "ns" : "instructions";
  text::Table table({">#", "operator", "name", "kernel", ">weights", ">used_memory", ">footprint",
                     ">MACs", profile.isTime ? ">ns/MAC" : ">instr/MAC", ">" + unit, ">share", ""});
  int64_t largest = 0, macs = 0, footprint = 0;
  for (auto [layer, value] : llvm::zip_equal(model.layers, profile.layers)) {
    largest = std::max(largest, value);
    macs += layer.macs;
    footprint = std::max(footprint, layer.footprintBytes);
  }
  auto share = [&](int64_t value) {
    return llvm::formatv("{0:f1}%",
                         100.0 * double(value) / double(std::max<int64_t>(1, profile.total)))
        .str();
  };
  for (auto [layer, value] : llvm::zip_equal(model.layers, profile.layers))
    table.add({layer.opIndex < 0 ? "-" : std::to_string(layer.opIndex), text::printable(layer.op),
               text::shortName(layer.name, nameWidth), text::kernelName(layer.kernel).str(),
               text::grouped(layer.weightsBytes), text::grouped(layer.usedMemory),
               text::grouped(layer.footprintBytes), macsText(layer.macs), perMac(value, layer.macs),
               text::grouped(value), share(value), bar(value, largest)});
  table.add({"", "", "outside the layers", "", "", "", "", "", "", text::grouped(profile.outside()),
             share(profile.outside()), ""});
  table.add({"", "", "whole inference", "", text::grouped(model.weightsBytes),
             text::grouped(model.mostUsedMemory()), text::grouped(footprint), macsText(macs),
             perMac(profile.total, macs), text::grouped(profile.total), share(profile.total), ""});
  table.print(os);
  os << "  #: operator in the model file\n"
     << text::kMemoryLegend << "  outside the layers: the checks of " << model.name
     << "_run's arguments and the calls"
     << (profile.isTime ? "; the median call, without the clock's readings\n" : "\n");
}

void jsonProfile(llvm::json::OStream &json, const ModelInterface &model, const Profile &profile) {
  const char *unit = profile.isTime ? "ns" : "instructions";
  json.attributeObject("profile", [&] {
    json.attribute("unit", unit);
    json.attributeArray("layers", [&] {
      for (auto [layer, value] : llvm::zip_equal(model.layers, profile.layers))
        json.object([&, &layer = layer, value = value] {
          json.attribute("step", layer.index);
          json.attribute("op", utf8(layer.op));
          jsonKnown(json, "op_index", layer.opIndex);
          json.attribute("name", utf8(layer.name));
          json.attribute("kernel", layer.kernel);
          jsonNumber(json, "macs", layer.macs ? std::optional(layer.macs) : std::nullopt);
          json.attribute("weights_bytes", layer.weightsBytes);
          json.attribute("used_memory", layer.usedMemory);
          json.attribute("footprint_bytes", layer.footprintBytes);
          json.attribute(unit, value);
        });
    });
    json.attribute("outside_layers", profile.outside());
    json.attribute("total", profile.total);
  });
}

} // namespace aotc
