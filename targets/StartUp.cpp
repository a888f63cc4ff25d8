// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts of the architecture: Arm DDI 0403 (Armv7-M) and DDI 0553 (Armv8-M),
// "Alignment support", "System address map", "CCR" and "CPACR".
#include "targets/StartUp.h"

#include "llvm/TargetParser/Triple.h"

using namespace aotc;

bool aotc::isStrictlyAligned(const TargetSpec &target) {
  const auto architecture = llvm::Triple(target.triple).getSubArch();
  return architecture == llvm::Triple::ARMSubArch_v6m ||
         architecture == llvm::Triple::ARMSubArch_v8m_baseline;
}

bool aotc::usesFpu(const TargetSpec &target) {
  return target.floatAbi == FloatAbi::hard || target.floatAbi == FloatAbi::softfp;
}

std::vector<StartUpNeed> aotc::startUpNeeds(const TargetSpec &target) {
  std::vector<StartUpNeed> needs;
  if (target.family != Family::armM)
    return needs;
  if (!isStrictlyAligned(target))
    needs.push_back({"unaligned-access",
                     "unaligned LDR, LDRH, STR and STRH that work: CCR.UNALIGN_TRP 0, as after "
                     "reset; all tensors in Normal memory, not in Device memory (without an MPU "
                     "that is 0xa0000000 to 0xdfffffff, where some boards have SDRAM)"});
  if (usesFpu(target))
    needs.push_back({"fpu", std::string(target.hasLevel("mve") ? "FPU and Helium" : "the FPU") +
                                " switched on, which integer layers may use too: bits 20 to 23 of "
                                "CPACR set, then DSB and ISB"});
  return needs;
}
