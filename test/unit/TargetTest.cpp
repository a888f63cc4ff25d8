// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The target table, and that its rows give objects a vendor's linker accepts:
// build attributes as arm-none-eabi-gcc 12 writes them for the same choice of
// -mcpu, -mfpu and -mfloat-abi.
#include "targets/Target.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/ARMAttributeParser.h"
#include "llvm/Support/ARMBuildAttributes.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

#include <catch2/catch.hpp>

using namespace aotc;

namespace {

const TargetSpec &target(llvm::StringRef name) {
  const TargetSpec *found = findTarget(name);
  REQUIRE(found);
  return *found;
}

// An object with `float f(float, float)`, compiled for `spec`.
llvm::SmallVector<char, 0> objectFor(const TargetSpec &spec) {
  llvm::InitializeAllTargetInfos();
  llvm::InitializeAllTargets();
  llvm::InitializeAllTargetMCs();
  llvm::InitializeAllAsmPrinters();

  llvm::Triple triple(spec.triple);
  std::string error;
  const llvm::Target *backend = llvm::TargetRegistry::lookupTarget(triple, error);
  REQUIRE(backend);
  llvm::TargetOptions options;
  if (spec.floatAbi != FloatAbi::none)
    options.FloatABIType =
        spec.floatAbi == FloatAbi::hard ? llvm::FloatABI::Hard : llvm::FloatABI::Soft;
  std::unique_ptr<llvm::TargetMachine> machine(
      backend->createTargetMachine(triple, spec.cpu, spec.features, options, llvm::Reloc::Static));

  llvm::LLVMContext context;
  llvm::Module module("m", context);
  module.setTargetTriple(triple);
  module.setDataLayout(machine->createDataLayout());
  llvm::Type *real = llvm::Type::getFloatTy(context);
  auto *function = llvm::Function::Create(llvm::FunctionType::get(real, {real, real}, false),
                                          llvm::Function::ExternalLinkage, "f", module);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "entry", function));
  builder.CreateRet(builder.CreateFAdd(function->getArg(0), function->getArg(1)));

  llvm::SmallVector<char, 0> object;
  llvm::raw_svector_ostream stream(object);
  llvm::legacy::PassManager passes;
  REQUIRE_FALSE(
      machine->addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::ObjectFile));
  passes.run(module);
  return object;
}

// Values of build attributes, 0 where absent (Arm IHI 0045, section 3.3.5).
struct Attributes {
  unsigned fpArch, vfpArgs, hardFpUse;
  bool operator==(const Attributes &) const = default;
};
Attributes attributesFor(llvm::StringRef name, unsigned cpuArch = 13 /* v7E-M */) {
  llvm::SmallVector<char, 0> object = objectFor(target(name));
  auto file = llvm::object::ObjectFile::createELFObjectFile(
      llvm::MemoryBufferRef({object.data(), object.size()}, "object"));
  REQUIRE(bool(file));
  llvm::ARMAttributeParser parser;
  for (const llvm::object::SectionRef &section : (*file)->sections())
    if (llvm::cantFail(section.getName()) == ".ARM.attributes") {
      llvm::StringRef contents = llvm::cantFail(section.getContents());
      llvm::cantFail(parser.parse(llvm::arrayRefFromStringRef(contents), llvm::endianness::little));
    }
  auto value = [&](unsigned tag) { return parser.getAttributeValue(tag).value_or(0); };
  CHECK(value(llvm::ARMBuildAttrs::CPU_arch) == cpuArch);
  CHECK(value(llvm::ARMBuildAttrs::CPU_arch_profile) == 'M');
  CHECK(value(llvm::ARMBuildAttrs::ABI_align_needed) == 1); // 8-byte
  return {value(llvm::ARMBuildAttrs::FP_arch), value(llvm::ARMBuildAttrs::ABI_VFP_args),
          value(llvm::ARMBuildAttrs::ABI_HardFP_use)};
}

using Names = std::vector<llvm::StringRef>;
Names similar(llvm::StringRef name) {
  auto found = similarTargets(name);
  return {found.begin(), found.end()};
}

} // namespace

TEST_CASE("triples are normalised and every row is well formed") {
  CHECK(target("cortex-m4").triple == "thumbv7em-unknown-none-eabihf");
  CHECK(target("cortex-m4+nofp").triple == "thumbv7em-unknown-none-eabi");
  CHECK(target("cortex-a53").triple == "aarch64-unknown-linux-gnu");
  for (const TargetSpec &spec : allTargets()) {
    INFO(spec.name);
    CHECK(findTarget(spec.name) == &spec); // names are unique
    CHECK(llvm::Triple::normalize(spec.triple) == spec.triple);
    CHECK(spec.levelList().back() == "ref");
    CHECK((spec.floatAbi == FloatAbi::none) == !isArm32(spec.family));
    CHECK(spec.arenaAlign % spec.tensorAlign == 0);
  }
  CHECK_FALSE(findTarget("cortex-m4f"));
}

TEST_CASE("objects carry the float ABI's build attributes") {
  // VFPv4-D16 = 6, arguments in VFP registers = 1, single precision only = 1.
  CHECK(attributesFor("cortex-m4") == Attributes{6, 1, 1});
  CHECK(attributesFor("cortex-m4+softfp") == Attributes{6, 0, 1});
  CHECK(attributesFor("cortex-m4+nofp") == Attributes{0, 0, 0});
  // FPv5-D16 = 8; double precision, too = 0.
  CHECK(attributesFor("cortex-m7") == Attributes{8, 1, 0});
  CHECK(attributesFor("cortex-m7+nofp.dp") == Attributes{8, 1, 1});
  CHECK(attributesFor("cortex-m0", 12) == Attributes{0, 0, 0});  // v6S-M
  CHECK(attributesFor("cortex-m3", 10) == Attributes{0, 0, 0});  // v7
  CHECK(attributesFor("cortex-m23", 16) == Attributes{0, 0, 0}); // v8-M Baseline
  CHECK(attributesFor("cortex-m33", 17) == Attributes{8, 1, 1}); // v8-M Mainline
  CHECK(attributesFor("cortex-m55", 21) == Attributes{8, 1, 0}); // v8.1-M Mainline
  CHECK(attributesFor("cortex-m85+nofp", 21) == Attributes{0, 0, 0});
}

TEST_CASE("levels, best first") {
  for (const char *name : {"cortex-m4", "cortex-m55+nomve"})
    CHECK(target(name).levelList() == llvm::SmallVector<llvm::StringRef, 4>{"dsp", "fpu", "ref"});
  for (const char *name : {"cortex-m3", "cortex-m33+nodsp+nofp"})
    CHECK(target(name).levelList() == llvm::SmallVector<llvm::StringRef, 4>{"thumb2", "ref"});
  CHECK(target("cortex-m0plus").levelList() ==
        llvm::SmallVector<llvm::StringRef, 4>{"thumb1", "ref"});
  CHECK(target("cortex-m85+softfp").levelList() ==
        llvm::SmallVector<llvm::StringRef, 4>{"mve", "dsp", "ref"});
  CHECK_FALSE(target("cortex-m4+nofp").hasLevel("fpu"));
  CHECK_FALSE(target("cortex-m55+nomve").hasLevel("mve"));
  CHECK_FALSE(target("cortex-m55+nofp").hasLevel("mve"));
  CHECK(target("x86-64-v3").hasLevel("avx2"));
  CHECK_FALSE(target("x86-64-v2").hasLevel("avx2"));
  CHECK_FALSE(target("x86-64-v3").hasLevel("avx"));
}

TEST_CASE("a name that is nearly right finds its neighbours") {
  CHECK(similar("cortexm4").front() == "cortex-m4"); // one insertion
  CHECK(similar("X86-64-v3").front() == "x86-64-v3");
  CHECK(similar("cortex-m4f").front() == "cortex-m4");
  CHECK(similar("cortex").size() == 3); // begins many names
  CHECK(similar("z80-and-friends").empty());
  CHECK(similar("").empty());
}

TEST_CASE("what this machine can execute in process") {
  const TargetSpec *host = findTarget("host");
  if (!host) {
    WARN("skipped: needs an x86-64 or AArch64 machine");
    return;
  }
  CHECK(missingOnHost(*host) == "");
  CHECK(missingOnHost(target("cortex-m4")) == "thumbv7em processor");
  if (host->family == Family::x86) {
    // avx2 is a level of the host exactly if x86-64-v3 code runs here.
    CHECK(missingOnHost(target("x86-64-v3")).empty() == host->hasLevel("avx2"));
    // Likewise for what a row adds to its CPU.
    CHECK(missingOnHost(target("x86-64-v4+vnni")).empty() == host->hasLevel("avx512vnni"));
  }
}

TEST_CASE("no module for a level a family does not have") {
  CHECK(kernelBitcode("dsp", Family::x86).empty());
  CHECK(kernelBitcode("nonsense", Family::armM).empty());
}
