// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `compile`, and `share-arena`, which is its second half for bundles that exist
// already.
#include "compiler/driver/Commands.h"
#include "compiler/driver/Compile.h"
#include "compiler/driver/ModelFile.h"
#include "compiler/emit/SharedArena.h"
#include "compiler/support/OutputFiles.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Path.h"

#include <list>

namespace aotc {

namespace {

/// The dependency file's form of a path (make syntax).
std::string makeEscape(llvm::StringRef path) {
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

/// The files of one command: written together, so that a failure leaves none.
class OutputFolder {
public:
  explicit OutputFolder(llvm::StringRef folder) : folder(folder) {}

  std::string path(const llvm::Twine &name) const {
    llvm::SmallString<128> result(folder);
    llvm::sys::path::append(result, name);
    return std::string(result);
  }
  void add(const llvm::Twine &name, std::string text) {
    texts.push_back(std::move(text));
    files.push_back({path(name), texts.back()});
  }
  /// NAME.d: that files of this folder are made from `sources`.
  void addDependencies(llvm::StringRef name, llvm::ArrayRef<std::string> results,
                       llvm::ArrayRef<std::string> sources) {
    auto escaped = [](llvm::StringRef path) { return makeEscape(path); };
    auto here = [&](llvm::StringRef result) { return makeEscape(path(result)); };
    add(name + ".d", llvm::join(llvm::map_range(results, here), " ") + ": " +
                         llvm::join(llvm::map_range(sources, escaped), " ") + "\n");
  }
  llvm::Error write() const { return writeOutputFiles(files); }

private:
  const llvm::StringRef folder;
  std::list<std::string> texts;
  std::vector<OutputFile> files;
};

void noteChangedName(llvm::StringRef asked, llvm::StringRef name) {
  if (!asked.empty() && asked != name)
    llvm::errs() << "note: '" << asked << "' cannot be a name in C; files and symbols are called '"
                 << name << "'\n";
}

/// `sources`: the files the bundle was made from.
void addBundle(OutputFolder &folder, const Bundle &bundle, llvm::ArrayRef<std::string> sources) {
  const std::string &name = bundle.interface.name;
  std::vector<std::string> results;
  for (const Bundle::File &file : bundle.files) {
    results.push_back(name + file.suffix.str());
    folder.add(results.back(), file.bytes);
  }
  folder.addDependencies(name, results, sources);
}

void addSharedArena(OutputFolder &folder, const SharedArena &arena,
                    llvm::ArrayRef<std::string> sources) {
  folder.add(arena.name + ".h", printSharedHeader(arena));
  folder.add(arena.name + ".map.json", printSharedMapJson(arena));
  folder.add(arena.name + ".map.txt", printSharedMapText(arena));
  folder.addDependencies(arena.name, {arena.name + ".h"}, sources);
}

void printSummary(const CompileCommand &command, const ModelInterface &model,
                  const OutputFolder &folder) {
  llvm::outs() << model.name << " for " << model.target
               << (command.targetGiven ? "" : " (this machine; --target chooses another CPU)")
               << ": RAM " << model.arenaBytes << " bytes";
  if (model.regions.size() > 1)
    for (auto [i, region] : llvm::enumerate(model.regions))
      llvm::outs() << (i ? " + " : ", ") << region.bytes << " in " << region.name;
  if (model.planOptimal)
    llvm::outs() << " (proved least for these lifetimes)";
  llvm::outs() << ", used_memory up to " << model.mostUsedMemory();
  if (model.stackBytes >= 0)
    llvm::outs() << ", stack " << model.stackBytes;
  llvm::outs() << ", weights " << model.weightsBytes << ", code " << model.codeBytes << "; "
               << folder.path(model.name + ".h") << '\n';
}

void printSummary(const SharedArena &arena, const OutputFolder &folder) {
  llvm::outs() << arena.name << ": one arena of " << arena.arenaBytes << " bytes instead of "
               << arena.apartBytes << " for " << memberNames(arena) << "; "
               << folder.path(arena.name + ".h") << '\n';
}

/// The bundles share what the maps say, as they would later.
llvm::Expected<SharedArena> shareArena(llvm::StringRef name, llvm::ArrayRef<Bundle> bundles) {
  std::vector<ArenaMember> members;
  for (const Bundle &bundle : bundles) {
    llvm::Expected<ArenaMember> member = readArenaMember(bundle.bytes(".map.json"));
    if (!member)
      return member.takeError();
    members.push_back(std::move(*member));
  }
  return shareArena(name, std::move(members));
}

/// The name of the i-th model as the user has it.
llvm::StringRef modelName(const CompileCommand &command, size_t i) {
  bool given = !command.names.empty() && !command.names[i].empty();
  return given ? llvm::StringRef(command.names[i]) : llvm::sys::path::stem(command.models[i]);
}

/// What is wrong with a command for several models, or empty.
std::string wrongCommand(const CompileCommand &command) {
  size_t count = command.models.size();
  if (!command.names.empty() && command.names.size() != count)
    return (llvm::Twine(count) + " models and " + llvm::Twine(command.names.size()) +
            " names; give one --name for each model, in order")
        .str();
  if (count > 1 && (!command.options.stopAfter.empty() || !command.options.dumpPhases.empty()))
    return "--stop-after and --dump-phases take one model at a time";
  if (count > 1 && !(command.options.plan.empty() && command.options.savePlan.empty()))
    return "--plan and --save-plan take one model at a time";
  return "";
}

} // namespace

int compileCommand(const CompileCommand &command) {
  if (!checkOptions(command.options))
    return 2;
  if (std::string problem = wrongCommand(command); !problem.empty()) {
    reportError(problem);
    return 2;
  }
  if (command.printName) {
    for (size_t i = 0; i < command.models.size(); ++i)
      llvm::outs() << toModelName(modelName(command, i)) << '\n';
    return 0;
  }
  std::vector<Bundle> bundles;
  llvm::StringMap<llvm::StringRef> modelOf; // by the name of the files
  OutputFolder folder(command.outputDir);
  bool wrong = false;
  for (auto [i, path] : llvm::enumerate(command.models)) {
    CompileOptions options = command.options;
    if (!command.names.empty())
      options.name = command.names[i];
    std::unique_ptr<llvm::MemoryBuffer> model = readModelFile(path);
    std::optional<Bundle> bundle;
    std::string ir;
    if (model) {
      llvm::raw_string_ostream irStream(ir);
      bundle = compileModel(model->getBuffer(), path, options, llvm::errs(), irStream);
      llvm::outs() << ir;
    }
    if (!bundle) { // after an error, or at --stop-after, which leaves IR
      wrong |= ir.empty();
      continue; // the next model's errors are told as well
    }
    const std::string &name = bundle->interface.name;
    if (auto [other, added] = modelOf.try_emplace(name, path); !added) {
      reportError("'" + other->second + "' and '" + path + "' are both called '" + name +
                  "'; give each a --name");
      return 1;
    }
    noteChangedName(options.name, name);
    std::vector<std::string> sources = {path};
    if (!options.machineFile.empty())
      sources.push_back(options.machineFile);
    if (!options.plan.empty())
      sources.push_back(options.plan);
    addBundle(folder, *bundle, sources);
    bundles.push_back(std::move(*bundle));
  }
  if (wrong)
    return 1;

  std::optional<SharedArena> arena;
  if (!command.sharedArena.empty() && !bundles.empty()) {
    llvm::Expected<SharedArena> shared = shareArena(command.sharedArena, bundles);
    if (!shared)
      return reportError(shared.takeError());
    arena = std::move(*shared);
    noteChangedName(command.sharedArena, arena->name);
    addSharedArena(folder, *arena, command.models);
  }
  if (llvm::Error error = folder.write())
    return reportError(std::move(error));
  for (const Bundle &bundle : bundles)
    printSummary(command, bundle.interface, folder);
  if (arena)
    printSummary(*arena, folder);
  return 0;
}

int shareArenaCommand(const ShareArenaCommand &command) {
  if (command.printName) {
    llvm::outs() << toModelName(command.name) << '\n';
    return 0;
  }
  std::vector<ArenaMember> members;
  for (const std::string &path : command.maps) {
    std::unique_ptr<llvm::MemoryBuffer> map = readModelFile(path);
    if (!map)
      return 1;
    llvm::Expected<ArenaMember> member = readArenaMember(map->getBuffer());
    if (!member)
      return reportError("'" + path + "': " + llvm::toString(member.takeError()));
    members.push_back(std::move(*member));
  }
  llvm::Expected<SharedArena> arena = shareArena(command.name, std::move(members));
  if (!arena)
    return reportError(arena.takeError());
  noteChangedName(command.name, arena->name);
  OutputFolder folder(command.outputDir);
  addSharedArena(folder, *arena, command.maps);
  if (llvm::Error error = folder.write())
    return reportError(std::move(error));
  printSummary(*arena, folder);
  return 0;
}

} // namespace aotc
