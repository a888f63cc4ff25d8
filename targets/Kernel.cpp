// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel registry, generated from the Kernels.def files, and the choice of
// a kernel for an operator.
#include "targets/Kernel.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

#define AOTC_KERNEL(op, variant, level, Host)                                                      \
  namespace aotc::Host {                                                                           \
  std::string reject(const OperatorDesc &);                                                        \
  llvm::Expected<KernelCall> prepare(const OperatorDesc &);                                        \
  }
#include "targets/AllKernels.def"

namespace aotc {

llvm::ArrayRef<KernelRow> allKernels() {
#define AOTC_KERNEL(op, variant, level, Host)                                                      \
  {#op, #variant, #level, "aotc_" #op "_" #variant "__" #level, Host::reject, Host::prepare},
  static const std::vector<KernelRow> rows = {
#include "targets/AllKernels.def"
  };
  return rows;
}

llvm::Expected<KernelCall> KernelRow::prepare(const OperatorDesc &op) const {
  llvm::Expected<KernelCall> call = prepareCall(op);
  if (call) {
    call->level = level.str();
    if (call->symbol.empty())
      call->symbol = symbol.str();
  }
  return call;
}

/// True if the variant's name begins with the type of the first operand: only
/// the reasons of such rows say something about the operator.
static bool isForType(const KernelRow &row, const OperatorDesc &op) {
  return !op.inputs.empty() && row.variant.split('_').first == dtypeName(op.inputs[0].type);
}

/// "no conv_2d kernel for s16 input (there are s8, f32)"
static std::string noKernelForType(const OperatorDesc &op) {
  llvm::SmallVector<llvm::StringRef> types;
  for (const KernelRow &row : allKernels()) {
    llvm::StringRef type = row.variant.split('_').first;
    if (row.op == op.op && !llvm::is_contained(types, type))
      types.push_back(type);
  }
  if (types.empty())
    return "no kernel for " + op.op;
  llvm::StringRef type = op.inputs.empty() ? "absent" : dtypeName(op.inputs[0].type);
  return "no " + op.op + " kernel for " + type.str() + " input (there are " +
         llvm::join(types, ", ") + ")";
}

int64_t rowTableBytes(int64_t pointers, const TargetSpec &target) {
  constexpr int64_t most = 32; // 128 bytes of stack on Cortex-M
  return pointers > most ? pointers * target.pointerBytes() : 0;
}

KernelChoice chooseKernel(const OperatorDesc &op, const TargetSpec &target,
                          llvm::StringRef onlyLevel) {
  KernelChoice choice;
  llvm::SmallVector<std::string> reasons, refusals;
  for (llvm::StringRef level : target.levelList()) {
    if (!onlyLevel.empty() && level != onlyLevel)
      continue;
    for (const KernelRow &row : allKernels()) {
      if (row.op != op.op || row.level != level)
        continue;
      std::string reason = row.reject(op);
      if (reason.empty()) {
        choice.row = &row;
        choice.remark = row.symbol.str();
        for (const std::string &refusal : refusals)
          choice.remark += "; " + refusal;
        return choice;
      }
      if (!isForType(row, op))
        continue;
      refusals.push_back((row.symbol + " rejected: " + reason).str());
      if (!llvm::is_contained(reasons, reason))
        reasons.push_back(std::move(reason));
    }
  }
  choice.remark = reasons.empty() ? noKernelForType(op) : llvm::join(reasons, "; ");
  return choice;
}

} // namespace aotc
