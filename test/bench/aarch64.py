# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Instructions of one inference on AArch64 beside the reference kernels of the same
model as clang -O3 has them: plain C++, vectorised by the compiler, shapes known."""
import glob
import os
import subprocess

import figures

# Without dot products, and with.
TARGETS = ["cortex-a53", "cortex-a76"]


def reference(bench, name, target):
    """Instructions with the reference kernels (RefTool.cpp says how)."""
    phases = os.path.join(bench.folder, "phases")
    subprocess.run([bench.aotc, "compile", figures.model_path(bench, name), "--target", target, "--kernels", "ref",
                    "--dump-phases", phases, "-o", phases], check=True, stdout=subprocess.DEVNULL)
    (planned,) = glob.glob(os.path.join(phases, "*-memory.mlir"))
    build = os.path.dirname(os.path.dirname(bench.aotc))
    return int(subprocess.run([os.path.join(build, "bin", "bench-ref"), planned, target,
                               os.path.join(build, "test", "bench", "ref-aarch64.bc")],
                              check=True, capture_output=True, text=True).stdout)


def compare(bench):
    for target in TARGETS:
        baseline = {name: reference(bench, name, target) for name in bench.models}
        for label, options in bench.settings:
            print(f"\n{target}, instructions of one inference, emulated: aotc{label} / reference kernels, clang -O3")
            ratios = []
            for name, theirs in baseline.items():
                ours = figures.run(bench, name, target, options)["instructions"]
                ratios.append(ours / theirs)
                print(f"{name:26s} {ours:>11,} / {theirs:>11,} {ratios[-1]:5.3f}", flush=True)
            print(f"{'geometric mean':26s} {'':25s} {figures.geometric_mean(ratios):5.3f}")
