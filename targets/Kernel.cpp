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
    if (call->function.empty())
      call->function = (this->op + "_" + variant).str();
    call->level = level.str();
    call->symbol = "aotc_" + call->function + "__" + call->level;
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

static constexpr llvm::StringLiteral kRejected = "rejected: ";

std::vector<KernelOffer> kernelOffers(const OperatorDesc &op, const TargetSpec &target,
                                      llvm::StringRef onlyLevel) {
  std::vector<KernelOffer> offers;
  for (llvm::StringRef level : target.levelList()) {
    if (!onlyLevel.empty() && level != onlyLevel)
      continue;
    for (const KernelRow &row : allKernels()) {
      if (row.op != op.op || row.level != level)
        continue;
      std::string reason = row.reject(op);
      if (reason.empty())
        offers.push_back({&row, ""});
      else if (isForType(row, op))
        offers.push_back({&row, (kRejected + reason).str()});
    }
  }
  return offers;
}

KernelChoice chooseKernel(const OperatorDesc &op, llvm::ArrayRef<KernelOffer> offers) {
  KernelChoice choice;
  std::string refusals;
  llvm::SmallVector<llvm::StringRef> reasons;
  for (const KernelOffer &offer : offers) {
    if (offer.accepts()) {
      choice.row = offer.row;
      choice.remark = offer.row->symbol.str() + refusals;
      return choice;
    }
    refusals += ("; " + offer.row->symbol + " " + offer.refusal).str();
    llvm::StringRef reason = offer.refusal;
    reason.consume_front(kRejected);
    if (!llvm::is_contained(reasons, reason))
      reasons.push_back(reason);
  }
  choice.remark = reasons.empty() ? noKernelForType(op) : llvm::join(reasons, "; ");
  return choice;
}

KernelChoice chooseKernel(const OperatorDesc &op, const TargetSpec &target,
                          llvm::StringRef onlyLevel) {
  return chooseKernel(op, kernelOffers(op, target, onlyLevel));
}

} // namespace aotc
