// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/driver/Commands.h"
#include "compiler/driver/Compile.h"
#include "compiler/driver/ModelFile.h"
#include "compiler/support/OutputFiles.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"

namespace aotc {

/// The dependency file's form of a path (make syntax).
static std::string makeEscape(llvm::StringRef path) {
  std::string result;
  for (char c : path) {
    if (c == ' ' || c == '#')
      result += '\\';
    else if (c == '$')
      result += '$';
    result += c;
  }
  return result;
}

int compileCommand(const CompileCommand &command) {
  if (command.printName) {
    llvm::outs() << toModelName(command.options.name.empty() ? llvm::sys::path::stem(command.model)
                                                             : command.options.name)
                 << '\n';
    return 0;
  }
  if (!checkOptions(command.options))
    return 2;
  std::unique_ptr<llvm::MemoryBuffer> model = readModelFile(command.model);
  if (!model)
    return 1;
  std::string ir;
  llvm::raw_string_ostream irStream(ir);
  std::optional<Bundle> bundle =
      compileModel(model->getBuffer(), command.model, command.options, llvm::errs(), irStream);
  llvm::outs() << ir;
  if (!bundle) // after an error, or at --stop-after, which leaves IR
    return ir.empty() ? 1 : 0;

  const ModelInterface &interface = bundle->interface;
  auto path = [&](llvm::StringRef suffix) {
    llvm::SmallString<128> result(command.outputDir);
    llvm::sys::path::append(result, interface.name + suffix);
    return std::string(result);
  };
  std::string dependencies = makeEscape(path(".o")) + " " + makeEscape(path(".h")) + ": " +
                             makeEscape(command.model) +
                             (command.options.machineFile.empty()
                                  ? ""
                                  : " " + makeEscape(command.options.machineFile)) +
                             "\n";
  if (llvm::Error error = writeOutputFiles({{path(".o"), bundle->object},
                                            {path(".h"), bundle->header},
                                            {path(".map.json"), bundle->mapJson},
                                            {path(".map.txt"), bundle->mapText},
                                            {path(".d"), dependencies}}))
    return reportError(std::move(error));
  if (!command.options.name.empty() && command.options.name != interface.name)
    llvm::errs() << "note: '" << command.options.name
                 << "' is no C identifier; files and symbols are called '" << interface.name
                 << "'\n";
  llvm::outs() << interface.name << " for " << interface.target
               << (command.targetGiven ? "" : " (this machine; --target chooses another CPU)")
               << ": RAM " << interface.arenaBytes << " bytes";
  if (interface.regions.size() > 1)
    for (auto [i, region] : llvm::enumerate(interface.regions))
      llvm::outs() << (i ? " + " : ", ") << region.bytes << " in " << region.name;
  if (interface.planOptimal)
    llvm::outs() << " (proved least for these lifetimes)";
  if (interface.stackBytes >= 0)
    llvm::outs() << ", stack " << interface.stackBytes;
  llvm::outs() << ", weights " << interface.weightsBytes << ", code " << interface.codeBytes << "; "
               << path(".h") << '\n';
  return 0;
}

} // namespace aotc
