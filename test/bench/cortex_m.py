# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One inference on each Cortex-M core beside TensorFlow Lite Micro + CMSIS-NN, and on
Cortex-M4 beside the fastest closed engines. Instructions are exact (histograms under
QEMU), cycles estimated from them by Arm's timing tables, zero wait states; the shared
data folder holds the tool, with its error bounds, and the other side's figures, made
with the same emulator and tables."""
import json
import os
import shutil
import subprocess
import sys
from collections import namedtuple

import figures

# `timing`: the core in tools/cycles; `code`: where the board's code starts; `peer`, `build`: the other side's
# cycles and its program (M33 runs the M4's).
Core = namedtuple("Core", "target timing board code peer build")
CORES = [Core("cortex-m4", "m4", "mps2-an386", 0, "m4-cmsis-def", "m4-cmsis-def"),
         Core("cortex-m33", "m33", "mps2-an505", 0x10000000, "m4-cmsis-def as m33", "m4-cmsis-def"),
         Core("cortex-m3", "m3", "mps2-an385", 0, "m3-cmsis-O3", "m3-cmsis-O3"),
         Core("cortex-m0plus", "m0plus", "mps2-an385", 0, "m0p-cmsis-O3", "m0p-cmsis-O3"),
         Core("cortex-m55", "m55", "mps3-an547", 0, "m55-cmsis-O3", "m55-cmsis-O3")]
CODE_BYTES = 0x400000  # at most, of weights too: what the flash's caches see

# Code and constants of m4-cmsis-def with only the int8 kernels registered, which is what a firmware
# engineer would do (the baseline's README); for the other builds only the default is known.
INT8_ONLY_CODE = {"mlperf_ad01_int8": 27688, "mlperf_kws_dscnn_int8": 53992, "tflm_person_detect_int8": 44248,
                  "mlperf_vww96_int8": 56488, "mlperf_resnet8_int8": 54260}

# MLPerf Tiny v1.1 and v1.2 on a NUCLEO-L4R5ZI (M4, 120 MHz, 5 wait states): the fastest closed engine of
# each model, million cycles (Plumerai's for ad01, X-CUBE-AI's for the others). Measured; an estimate is low
# by 7 to 27 %, in the mean by 20 % (tools/cycles/README.md), which is added before the comparison.
CLOSED = {"mlperf_ad01_int8": 0.49, "mlperf_kws_dscnn_int8": 5.2, "mlperf_resnet8_int8": 19.8,
          "mlperf_vww96_int8": 10.7}
ESTIMATE_LOW = 1.2
WAIT_STATES = 5


def symbol(elf, name):
    nm = shutil.which("llvm-nm-22") or shutil.which("llvm-nm") or "nm"
    for line in subprocess.run([nm, elf], check=True, capture_output=True, text=True).stdout.splitlines():
        fields = line.split()
        if fields[-1] == name:
            return int(fields[0], 16) & ~1
    raise KeyError(name)


def estimate(bench, core, plugin, name, options):
    """Figures of one inference, as of `aotc run --json`, with exact `instructions`, `cycles` and `cycles_flash`."""
    elf, histogram = os.path.join(bench.folder, "image.elf"), os.path.join(bench.folder, "histogram")
    result = figures.run(bench, name, core.target, [*options, "--save-elf", elf])
    subprocess.run(["qemu-system-arm", "-M", core.board, "-nographic", "-monitor", "none", "-serial", "none",
                    "-semihosting-config", "enable=on,target=native", "-kernel", elf, "-plugin",
                    f"{plugin},mark={symbol(elf, 'sim_mark'):#x},base={core.code:#x},out={histogram},even=1,mem=1,"
                    f"flash={core.code:#x}:{core.code + CODE_BYTES:#x}"],
                   check=True, cwd=bench.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    # Marks 1 and 2 measure nothing, 3 and 4 the inference.
    found = subprocess.run([sys.executable, os.path.join(bench.shared, "tools", "cycles", "cycles.py"),
                            "--core", core.timing, "--elf", elf, "--hist", histogram, "--interval", "4",
                            "--flash-wait", str(WAIT_STATES), "--json"],
                           check=True, capture_output=True, text=True).stdout
    result.update(json.loads(found))
    return result


def row(name, ours, cycles, memory, code):
    """Prints one line; the ratios of cycles and of instructions."""
    ratios = ours["cycles"] / cycles["cycles"], ours["instructions"] / cycles["instructions"]
    print(f"{name:26s} {ours['cycles']:>11,} / {cycles['cycles']:>11,} {ratios[0]:5.3f}"
          f"  {ours['instructions']:>11,} / {cycles['instructions']:>11,} {ratios[1]:5.3f}"
          f"  {ours['arena_bytes']:>6,} / {memory['min_arena'][0]:>7,}"
          f"  {ours['code_bytes']:>6,} / {code:>6,}"
          f"  {ours['stack_bytes']:>4,} / {max(memory['stack_invoke']):>5,}  0 / {memory['setup_insn']:>9,}", flush=True)
    return ratios


def compare(bench, core):
    """The table of one core."""
    baseline = os.path.join(bench.shared, "baseline", "tflm")
    peer = figures.load(os.path.join(baseline, "cycles.json"))[core.peer]
    memory = figures.load(os.path.join(baseline, "measurements.json"))[core.build]
    plugin = os.path.join(bench.folder, "cycle_hist.so")
    source = os.path.join(bench.shared, "tools", "cycles", "cycle_hist.c")
    subprocess.run(["gcc", "-O2", "-shared", "-fPIC", "-o", plugin, source], check=True)
    for label, options in bench.settings:
        print(f"\n{core.target}, one inference, emulated: aotc{label} / TFLM + CMSIS-NN ({core.peer})")
        print(f"{'model':26s} {'estimated cycles':>25s} {'':5s}  {'instructions':>25s} {'':5s}  {'arena bytes':>16s}"
              f"  {'code bytes':>15s}  {'stack':>12s}  {'set-up insns':>13s}")
        results = {name: estimate(bench, core, plugin, name, options) for name in bench.models if name in peer}
        ratios = []
        for name, ours in results.items():
            sizes = memory[name]["sizes"]
            code = sizes[".text"] + sizes[".rodata"]
            if core.build == "m4-cmsis-def":
                code = INT8_ONLY_CODE[name]
            ratios.append(row(name, ours, peer[name], memory[name], code))
        if ratios:
            cycles, instructions = (figures.geometric_mean(column) for column in zip(*ratios))
            print(f"{'geometric mean':26s} {'':25s} {cycles:5.3f}  {'':25s} {instructions:5.3f}")
        if core.target == "cortex-m4":
            wait_states(label, results, peer)


def wait_states(label, results, peer):
    """Cortex-M4 with slow flash, million cycles, beside closed engines measured on such a board."""
    print(f"\ncortex-m4 at 120 MHz, {WAIT_STATES} wait states, million cycles: aotc{label} / TFLM + CMSIS-NN,"
          f" estimated; {ESTIMATE_LOW - 1:+.0%}, / fastest closed engine, measured")
    ratios = []
    for name, ours in results.items():
        cycles, theirs = ours["cycles_flash"] / 1e6, peer[name]["cycles_5_wait_states"] / 1e6
        line = f"{name:26s} {cycles:7.3f} / {theirs:7.3f} {cycles / theirs:5.3f}  {ESTIMATE_LOW * cycles:7.3f}"
        if name in CLOSED:
            ratios.append(ESTIMATE_LOW * cycles / CLOSED[name])
            line += f" / {CLOSED[name]:5.2f} {ratios[-1]:5.3f}"
        print(line)
    if ratios:
        print(f"{'geometric mean':26s} {'':17s} {'':5s}  {'':15s} {figures.geometric_mean(ratios):5.3f}")
