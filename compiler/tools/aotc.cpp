// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// aotc: reads the command line; compiler/driver/Commands.h does the work.
#include "compiler/driver/Commands.h"
#include "compiler/driver/Version.h"

#include <CLI/CLI.hpp>

using namespace aotc;

static void addCompileOptions(CLI::App *app, std::string &model,
                              CompileOptions &options) {
  app->add_option("MODEL", model, "the .tflite file")->required();
  app->add_option("--target,-t", options.target,
                  "CPU to compile for; `aotc targets` lists them")
      ->capture_default_str();
  app->add_option("--name", options.name,
                  "prefix of every generated name (default: from the file name)");
  app->add_option("--kernels", options.kernelLevel,
                  "use only kernels of this level, e.g. ref");
  app->add_flag("--keep-tensors", options.keepTensors,
                "no rewriting: every tensor of the file survives");
  app->add_option("--share", options.share,
                  "may an output take over a dying input's memory: none, in-place "
                  "or overlap (default)")
      ->transform(CLI::CheckedTransformer(
          std::map<std::string, Sharing>{{"none", Sharing::none},
                                         {"in-place", Sharing::inPlace},
                                         {"overlap", Sharing::overlap}}));
  app->add_option("--rows-per-call", options.blockRows,
                  "output rows per kernel call (default 0: the kernel's choice)")
      ->check(CLI::NonNegativeNumber);
  app->add_flag("--descending", options.descending,
                "run every kernel from the last pixel to the first");
  app->add_option("--stop-after", options.stopAfter,
                  "print the IR after this phase (import, simplify, lower, "
                  "memory) and stop");
  app->add_option("--dump-phases", options.dumpPhases,
                  "write the IR after each phase to this folder");
  app->add_flag("--remarks", options.remarks,
                "print which kernel each layer got, and why");
}

static void addRunOptions(CLI::App *app, RunCommand &run) {
  addCompileOptions(app, run.model, run.options);
  app->add_option("--input,-i", run.inputs,
                  "data of the next model input, .bin or .npy; several tensors "
                  "in a file are several inferences (default: pseudo-random)");
  app->add_option("--seed", run.seed, "of the pseudo-random input")
      ->capture_default_str();
  app->add_option("--save-elf", run.saveElf, "keep the linked image");
}

int main(int argc, char **argv) {
  CLI::App app{"aotc compiles a trained neural network ahead of time into an "
               "object file, a C header and a static memory map.",
               "aotc"};
  app.require_subcommand(1);
  app.set_version_flag("--version", std::string("aotc ") + kVersion);

  CompileCommand compile;
  CLI::App *compileApp = app.add_subcommand(
      "compile", "make NAME.o, NAME.h, NAME.map.json, NAME.map.txt and NAME.d");
  addCompileOptions(compileApp, compile.model, compile.options);
  compileApp->add_option("--output,-o", compile.outputDir, "folder for the files")
      ->capture_default_str();

  RunCommand run;
  CLI::App *runApp = app.add_subcommand(
      "run", "compile, link and execute: host CPUs in process, others under QEMU");
  addRunOptions(runApp, run);
  runApp->add_option("--output-dir", run.outputDir, "write the outputs here, as .bin");
  runApp->add_option("--json", run.json, "write the figures here ('-': stdout)");

  VerifyCommand verify;
  CLI::App *verifyApp = app.add_subcommand(
      "verify", "run and compare: exit status 0 only if all outputs are equal");
  addRunOptions(verifyApp, verify.run);
  verifyApp->add_option("--expect,-e", verify.expect, "expected data of the next output")
      ->required();
  verifyApp->add_option("--tensors", verify.tensors,
                        "checksums of every tensor, to find the first wrong layer");
  verifyApp->add_option("--abs", verify.absolute, "absolute tolerance of floats")
      ->capture_default_str();
  verifyApp->add_option("--rel", verify.relative, "relative tolerance of floats")
      ->capture_default_str();

  std::string inspectModel;
  bool inspectJson = false;
  CLI::App *inspectApp = app.add_subcommand(
      "inspect", "operators, tensors, types, and what is unsupported and why");
  inspectApp->add_option("MODEL", inspectModel, "the .tflite file")->required();
  inspectApp->add_flag("--json", inspectJson, "as JSON");

  CLI::App *targetsApp = app.add_subcommand("targets", "the CPUs aotc knows");

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    int status = app.exit(error);
    return status == 0 ? 0 : 2;
  }
  if (compileApp->parsed())
    return compileCommand(compile);
  if (runApp->parsed())
    return runCommand(run);
  if (verifyApp->parsed())
    return verifyCommand(verify);
  if (inspectApp->parsed())
    return inspectCommand(inspectModel, inspectJson);
  if (targetsApp->parsed())
    return targetsCommand();
  return 2;
}
