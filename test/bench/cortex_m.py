# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Estimated cycles on Cortex-M4, zero wait states, beside those of TensorFlow Lite
Micro + CMSIS-NN: exact instruction histograms under QEMU, priced by Arm's timing
tables (the shared data folder holds the tool and the other side's figures)."""
import json
import math
import os
import shutil
import subprocess
import sys


def symbol(nm, elf, name):
    for line in subprocess.run([nm, elf], check=True, capture_output=True, text=True).stdout.splitlines():
        fields = line.split()
        if fields[-1] == name:
            return int(fields[0], 16) & ~1
    raise KeyError(name)


def estimate(aotc, plugin, tool, model, folder):
    """Figures of one inference; `cycles` among them."""
    elf, histogram = os.path.join(folder, "image.elf"), os.path.join(folder, "histogram")
    figures = os.path.join(folder, "figures.json")
    subprocess.run([aotc, "run", model, "--target", "cortex-m4", "--save-elf", elf, "--json", figures],
                   check=True, stdout=subprocess.DEVNULL)
    mark = symbol(shutil.which("llvm-nm-22") or shutil.which("llvm-nm") or "nm", elf, "sim_mark")
    subprocess.run(["qemu-system-arm", "-M", "mps2-an386", "-nographic", "-monitor", "none", "-serial", "none",
                    "-semihosting-config", "enable=on,target=native", "-kernel", elf,
                    "-plugin", f"{plugin},mark={mark:#x},out={histogram},even=1,mem=1"],
                   check=True, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    # Marks 1 and 2 measure nothing, 3 and 4 the inference.
    found = subprocess.run([sys.executable, os.path.join(tool, "cycles.py"), "--core", "m4", "--elf", elf,
                            "--hist", histogram, "--interval", "4", "--json"],
                           check=True, capture_output=True, text=True).stdout
    with open(figures) as file:
        result = json.load(file)
    result["cycles"] = json.loads(found)["cycles"]
    return result


def cycles(aotc, shared, models, folder):
    tool = os.path.join(shared, "tools", "cycles")
    with open(os.path.join(shared, "baseline", "tflm", "cycles.json")) as file:
        peer = json.load(file)["m4-cmsis-def"]
    plugin = os.path.join(folder, "cycle_hist.so")
    subprocess.run(["gcc", "-O2", "-shared", "-fPIC", "-o", plugin, os.path.join(tool, "cycle_hist.c")], check=True)
    print("\nCortex-M4, estimated cycles of one inference: aotc / TFLM + CMSIS-NN")
    ratios = []
    for name in models:
        ours = estimate(aotc, plugin, tool, os.path.join(shared, "models", name + ".tflite"), folder)
        theirs = peer[name]["cycles"]
        ratios.append(ours["cycles"] / theirs)
        print(f"{name:26s} {ours['cycles']:>12,} / {theirs:>11,} {ratios[-1]:6.3f}")
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    print(f"{'geometric mean':26s} {'':26s} {mean:6.3f}")
