// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The target table: the rows of Targets.def with their triples normalised,
// and `host`, which is whatever machine this runs on.

#include "targets/Target.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/TargetParser/X86TargetParser.h"

#include <algorithm>
#include <vector>

using namespace aotc;

namespace {

// The one way a triple enters the table. LLVM's code generator reads the
// three-part `thumbv7em-none-eabihf` with `eabihf` as the system, not the
// environment, and then loses the hard-float ABI without a word.
std::string normalTriple(llvm::StringRef triple) { return llvm::Triple::normalize(triple); }

// "+a,-b,…" in alphabetical order: a StringMap's own order is arbitrary.
std::string featureString(const llvm::StringMap<bool> &features) {
  std::vector<std::string> parts;
  for (const auto &entry : features)
    parts.push_back((entry.second ? "+" : "-") + entry.first().str());
  llvm::sort(parts,
             [](llvm::StringRef a, llvm::StringRef b) { return a.drop_front() < b.drop_front(); });
  return llvm::join(parts, ",");
}

bool has(const llvm::StringMap<bool> &features, std::initializer_list<llvm::StringRef> names) {
  return llvm::all_of(names, [&](llvm::StringRef name) { return features.lookup(name); });
}

// This machine, or nothing where we have no kernels for it.
std::optional<TargetSpec> hostTarget() {
  llvm::Triple triple(normalTriple(llvm::sys::getProcessTriple()));
  llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();

  TargetSpec host;
  host.name = "host";
  host.triple = triple.str();
  host.cpu = llvm::sys::getHostCPUName().str();
  host.features = featureString(features);
  host.runner = Runner::inProcess;
  host.arenaAlign = host.tensorAlign = 16;
  host.summary = "this machine (" + host.cpu + ")";
  if (triple.getArch() == llvm::Triple::x86_64) {
    host.family = Family::x86;
    // What the modules of these levels may use; a virtual machine can hide any.
    const bool avx2 = has(features, {"avx2", "fma", "bmi", "bmi2", "lzcnt"});
    const bool avx512 =
        avx2 && has(features, {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"});
    const bool vnni = avx512 && has(features, {"avx512vnni"});
    host.levels = vnni     ? "avx512vnni,avx512,avx2,ref"
                  : avx512 ? "avx512,avx2,ref"
                  : avx2   ? "avx2,ref"
                           : "ref";
    return host;
  }
  if (triple.getArch() == llvm::Triple::aarch64) {
    host.family = Family::aarch64;
    host.levels = "neon,ref"; // every such processor has NEON
    return host;
  }
  return std::nullopt;
}

std::vector<TargetSpec> buildTable() {
  std::vector<TargetSpec> table;
#define AOTC_TARGET(NAME, FAMILY, TRIPLE, CPU, FEATURES, FLOAT_ABI, LEVELS, RUNNER, MACHINE,       \
                    ARENA_ALIGN, TENSOR_ALIGN, SUMMARY)                                            \
  table.push_back({NAME, Family::FAMILY, normalTriple(TRIPLE), CPU, FEATURES, FloatAbi::FLOAT_ABI, \
                   LEVELS, Runner::RUNNER, MACHINE, ARENA_ALIGN, TENSOR_ALIGN, SUMMARY});
#include "targets/Targets.def"
  if (std::optional<TargetSpec> host = hostTarget())
    table.push_back(std::move(*host));
  return table;
}

} // namespace

llvm::SmallVector<llvm::StringRef, 4> TargetSpec::levelList() const {
  llvm::SmallVector<llvm::StringRef, 4> list;
  llvm::StringRef(levels).split(list, ',', /*MaxSplit=*/-1,
                                /*KeepEmpty=*/false);
  return list;
}

bool TargetSpec::hasLevel(llvm::StringRef level) const {
  return llvm::is_contained(levelList(), level);
}

llvm::ArrayRef<TargetSpec> aotc::allTargets() {
  static const std::vector<TargetSpec> table = buildTable();
  return table;
}

const TargetSpec *aotc::findTarget(llvm::StringRef name) {
  for (const TargetSpec &target : allTargets())
    if (target.name == name)
      return &target;
  return nullptr;
}

llvm::SmallVector<llvm::StringRef, 3> aotc::similarTargets(llvm::StringRef name) {
  std::string wanted = name.lower();
  if (wanted.empty())
    return {};
  // A third of the letters may differ; a longer or shorter spelling of a name
  // ("cortex", "cortex-m4f") is near whatever it adds.
  unsigned limit = std::max<size_t>(2, wanted.size() / 3);
  std::vector<std::pair<unsigned, size_t>> near; // distance, row
  for (size_t row = 0; row < allTargets().size(); ++row) {
    llvm::StringRef known = allTargets()[row].name;
    unsigned distance = known.edit_distance(wanted, /*AllowReplacements=*/true,
                                            /*MaxEditDistance=*/limit);
    if (distance <= limit || known.starts_with(wanted) ||
        llvm::StringRef(wanted).starts_with(known))
      near.emplace_back(distance, row);
  }
  llvm::sort(near);
  llvm::SmallVector<llvm::StringRef, 3> names;
  for (const auto &[distance, row] : llvm::ArrayRef(near).take_front(3))
    names.push_back(allTargets()[row].name);
  return names;
}

std::string aotc::missingOnHost(const TargetSpec &target) {
  const TargetSpec *host = findTarget("host");
  if (!host || host->family != target.family)
    return llvm::Triple(target.triple).getArchName().str() + " processor";
  if (target.family != Family::x86 || target.name == host->name)
    return "";
  llvm::SmallVector<llvm::StringRef, 64> needed;
  llvm::X86::getFeaturesForCPU(target.cpu, needed);
  for (llvm::StringRef feature : llvm::split(target.features, ','))
    if (feature.consume_front("+"))
      needed.push_back(feature);
  llvm::StringMap<bool> present = llvm::sys::getHostCPUFeatures();
  for (llvm::StringRef feature : needed) {
    // Features every x86-64 has are not in the host's list.
    auto found = present.find(feature);
    if (found != present.end() && !found->second)
      return feature.str();
  }
  return "";
}
