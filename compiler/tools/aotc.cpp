// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// aotc: reads the command line; compiler/driver/Commands.h does the work.
#include "compiler/driver/Commands.h"
#include "compiler/driver/MachineChoice.h"
#include "compiler/driver/Version.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <CLI/CLI.hpp>

#include <functional>

using namespace aotc;

constexpr char kModelHelp[] = "the .tflite file, or IR of --dump-phases (.mlir)";
constexpr char kNameHelp[] = "prefix of every generated name (default: from the file name)";
constexpr char kPrintNameHelp[] = "print the prefix of all files and symbols and stop";

static void addCompileOptions(CLI::App *app, CompileOptions &options, MachineChoice &choice) {
  app->add_option("--target,-t", options.target, "CPU to compile for; `aotc targets` lists them")
      ->capture_default_str();
  app->add_option_function<std::string>(
         "--optimize",
         [&options](const std::string &mode) { options.optimize = *parseOptimize(mode); },
         "balanced (default): for speed, if the arena grows by no more than 5 % or 200 bytes "
         "(Cortex-A, x86: 64 KiB); speed: also up to what tensors that share no byte would take; "
         "size: for size of code, parameters and arena")
      ->check(CLI::IsMember(namesIn(kOptimizes)));
  app->add_option("--kernels", options.kernelLevel, "use only kernels of this level, e.g. ref");
  app->add_flag("--keep-tensors", options.keepTensors,
                "no rewriting: every tensor of the file survives");
  app->add_option_function<std::string>(
         "--share",
         [&options](const std::string &mode) {
           options.share = *parseShareMode(mode); // one of them
         },
         "how an output may take over a dying input's memory (default overlap)")
      ->check(CLI::IsMember(namesIn(kShareModes)));
  app->add_option("--machine,-m", choice.machine,
                  "board whose memory is used, by name (`aotc targets` lists them) or .yaml file");
  app->add_option("--region", choice.regions,
                  "NAME=SIZE[:COST] changes or adds memory for the buffers (cheap one is filled "
                  "first), NAME=none takes it away")
      ->allow_extra_args(false);
  app->add_option("--rows-per-call", options.blockRows,
                  "output rows per kernel call (default 0: the kernel's choice)")
      ->check(CLI::Range(int64_t(0), int64_t(1) << 31));
  app->add_flag("--descending", options.descending,
                "run every kernel from the last pixel to the first");
  app->add_option("--plan", options.plan,
                  "take the memory plan of this file (of --save-plan); it is only verified");
  app->add_option("--save-plan", options.savePlan, "write the memory plan to this file (CSV)");
  app->add_option("--plan-effort", options.planEffort,
                  "factor of the planner's limits, when a plan is not proved least; 0: "
                  "heuristics only")
      ->check(CLI::Range(int64_t(0), kMaxPlanEffort))
      ->capture_default_str();
  app->add_option("--dump-phases", options.dumpPhases,
                  "write the IR after each phase to this folder");
  app->add_flag("--remarks", options.remarks, "print which kernel each layer got, and why");
}

/// `input`, `output`: the options' names.
static void addIoModes(CLI::App *app, CompileOptions &options, const std::string &input,
                       const std::string &output) {
  const std::string text =
      "where it lies: arena, arena-preserved, caller (memory of yours, {0}) or "
      "caller-consumable (other buffers may use that too); MODE for all, "
      "NAME=MODE for one";
  auto describe = [&](const std::string &what) {
    std::string result = text;
    return result.replace(result.find("{0}"), 3, what);
  };
  app->add_option(input, options.inputModes, describe("not written"))
      ->allow_extra_args(false)
      ->type_name("[NAME=]MODE");
  app->add_option(output, options.outputModes, describe("written at the end"))
      ->allow_extra_args(false)
      ->type_name("[NAME=]MODE");
}

static void addRunOptions(CLI::App *app, InferenceCommand &run, MachineChoice &choice) {
  app->add_option("MODEL", run.model, kModelHelp)->required();
  app->add_option("--name", run.options.name, kNameHelp);
  addCompileOptions(app, run.options, choice);
  addIoModes(app, run.options, "--input-mode", "--output-mode");
  app->add_option("--input,-i", run.inputs,
                  "data of the next model input, .bin or .npy; several tensors "
                  "in a file are several inferences (default: pseudo-random)");
  app->add_option("--seed", run.seed, "of the pseudo-random input")->capture_default_str();
  app->add_option("--save-elf", run.saveElf, "keep the linked image");
  app->add_flag("--check-memory", run.checkMemory,
                "also run with other contents of unused memory, and layer by layer: "
                "each may change only its results and its scratch");
  app->add_option("--timeout", run.timeoutSeconds,
                  "seconds the model may run, all inferences together")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
}

/// An empty text is a variable that was not set, say in a script: never the default.
static void refuseEmptyTexts(CLI::App &app) {
  const CLI::Validator notEmpty(
      [](const std::string &text) { return std::string(text.empty() ? "must not be empty" : ""); },
      "");
  for (CLI::App *verb : app.get_subcommands(nullptr))
    for (CLI::Option *option : verb->get_options())
      if (option->get_items_expected_max() > 0)
        option->check(notEmpty);
}

/// The candidate nearest to a mistyped word, if one is near.
static std::string nearest(llvm::StringRef word, llvm::ArrayRef<std::string> candidates) {
  unsigned least = std::max<unsigned>(2, word.size() / 3) + 1;
  std::string best;
  for (const std::string &candidate : candidates)
    if (unsigned distance = word.edit_distance(candidate); distance < least) {
      least = distance;
      best = candidate;
    }
  return best;
}

/// One line on what is wrong with the command line, and a way out.
static int usageError(const CLI::App &app, const CLI::ParseError &error, int argc, char **argv) {
  const CLI::App *verb = nullptr;
  std::vector<std::string> known;
  for (const CLI::App *sub : app.get_subcommands(nullptr)) {
    known.push_back(sub->get_name());
    if (argc > 1 && sub->get_name() == argv[1])
      verb = sub;
  }
  std::string text = error.what(), kind, word;
  if (!verb && argc > 1 && argv[1][0] != '-') {
    kind = "command";
    word = argv[1];
  } else if (const CLI::App *at = verb ? verb : &app;
             error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError) || !verb) {
    known.clear();
    for (const CLI::Option *option : at->get_options())
      for (const std::string &name : option->get_lnames())
        known.push_back("--" + name);
    for (const std::string &extra : app.remaining(/*recurse=*/true))
      if (word.empty() || llvm::StringRef(extra).starts_with("-"))
        word = extra;
    kind = llvm::StringRef(word).starts_with("-") ? "option" : "argument";
    if (kind == "option")
      word.resize(std::min(word.size(), word.find('=')));
  }
  if (!word.empty()) {
    text = "unknown " + kind + " '" + word + "'";
    if (std::string near = nearest(word, known); !near.empty() && kind != "argument")
      text += "; did you mean '" + near + "'?";
  }
  llvm::errs() << "error: " << text << " (`aotc " << (verb ? verb->get_name() + " " : "")
               << "--help` tells more)\n";
  return 2;
}

/// A word after `aotc`, and what it does.
struct Verb {
  CLI::App *app;
  std::function<int()> execute;
  CompileOptions *options = nullptr; ///< those that --machine and --region also set
};

static Verb addCompile(CLI::App &app, CompileCommand &command, MachineChoice &choice) {
  CLI::App *verb = app.add_subcommand(
      "compile", "make NAME.o, NAME.h, NAME.map.json, NAME.map.txt, NAME.html and NAME.d");
  verb->add_option("MODEL", command.models, std::string(kModelHelp) + "; or several")->required();
  // One value each: what follows it is a model.
  verb->add_option("--name", command.names,
                   std::string(kNameHelp) + "; for several models once for each, in order")
      ->allow_extra_args(false);
  verb->add_option("--share-arena", command.sharedArena,
                   "the models never run at the same time: also make NAME.h for one arena "
                   "that all of them use in turn");
  addCompileOptions(verb, command.options, choice);
  addIoModes(verb, command.options, "--input,--input-mode", "--output,--output-mode");
  verb->add_option("-o,--output-dir", command.outputDir, "folder for the files")
      ->capture_default_str();
  verb->add_option("--stop-after", command.options.stopAfter,
                   "print the IR after this phase (import, simplify, lower, "
                   "memory) and stop");
  verb->add_flag("--hooks", command.options.hooks,
                 "call aotc_layer_begin and aotc_layer_end around each layer; you define them, "
                 "say to read a cycle counter");
  verb->add_flag("--print-name", command.printName, kPrintNameHelp);
  auto execute = [&] {
    command.targetGiven = choice.targetGiven || !choice.machine.empty();
    return compileCommand(command);
  };
  return {verb, execute, &command.options};
}

static Verb addShareArena(CLI::App &app, ShareArenaCommand &command) {
  CLI::App *verb = app.add_subcommand(
      "share-arena", "one arena for bundles that never run at the same time: NAME.h and its map");
  verb->add_option("MAP", command.maps, "the .map.json of each bundle")->required();
  verb->add_option("--name", command.name, "of the arena")->required();
  verb->add_option("-o,--output-dir", command.outputDir, "folder for the files")
      ->capture_default_str();
  verb->add_flag("--print-name", command.printName, kPrintNameHelp);
  return {verb, [&] { return shareArenaCommand(command); }};
}

static Verb addRun(CLI::App &app, RunCommand &command, MachineChoice &choice) {
  CLI::App *verb = app.add_subcommand(
      "run", "compile, link and execute: host CPUs in process, others under QEMU");
  addRunOptions(verb, command, choice);
  verb->add_option("--output-dir", command.outputDir, "write the outputs here, as .bin");
  verb->add_flag(
      "--profile", command.profile,
      "also a table of the layers: instructions (emulated) or time of each, per multiplication "
      "and as a share; counts every instruction, where without it a board's timer does, in steps "
      "of 40");
  verb->add_option("--json", command.json, "write the figures here ('-': stdout)");
  return {verb, [&] { return runCommand(command); }, &command.options};
}

static Verb addVerify(CLI::App &app, VerifyCommand &command, MachineChoice &choice) {
  CLI::App *verb =
      app.add_subcommand("verify", "run and compare: exit status 0 only if all outputs are equal");
  addRunOptions(verb, command, choice);
  verb->add_option("--expect,-e", command.expect, "expected data of the next output")->required();
  verb->add_option("--tensors", command.tensors,
                   "checksums of every tensor, to find the first wrong layer");
  verb->add_option("--abs", command.absolute, "absolute tolerance of floats")
      ->capture_default_str();
  verb->add_option("--rel", command.relative, "relative tolerance of floats")
      ->capture_default_str();
  return {verb, [&] { return verifyCommand(command); }, &command.options};
}

static Verb addInspect(CLI::App &app, InspectCommand &command) {
  CLI::App *verb =
      app.add_subcommand("inspect", "operators, tensors, types, and what is unsupported and why");
  verb->add_option("MODEL", command.model, "the .tflite file")->required();
  verb->add_flag("--json", command.json, "as JSON");
  return {verb, [&] { return inspectCommand(command); }};
}

int main(int argc, char **argv) {
  CLI::App app{"aotc compiles a trained neural network ahead of time into an "
               "object file, a C header and a static memory map.",
               "aotc"};
  app.require_subcommand(1);
  app.set_version_flag("--version", std::string("aotc ") + kVersion);

  MachineChoice choice; // of the one verb there is
  CompileCommand compile;
  ShareArenaCommand share;
  RunCommand run;
  VerifyCommand verify;
  InspectCommand inspect;
  const Verb verbs[] = {
      addCompile(app, compile, choice),
      addShareArena(app, share),
      addRun(app, run, choice),
      addVerify(app, verify, choice),
      addInspect(app, inspect),
      {app.add_subcommand("targets", "the CPUs and machines aotc knows"), targetsCommand},
  };
  refuseEmptyTexts(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    if (error.get_exit_code() == 0) // --help, --version
      return app.exit(error);
    return usageError(app, error, argc, argv);
  }
  const Verb &verb = *llvm::find_if(verbs, [](const Verb &verb) { return verb.app->parsed(); });
  if (verb.options) {
    choice.targetGiven = verb.app->count("--target") > 0;
    if (!applyMachine(choice, *verb.options))
      return 2;
  }
  return verb.execute();
}
