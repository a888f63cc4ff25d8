#!/usr/bin/env python3
"""./dev bench: our figures beside those of TensorFlow Lite Micro + CMSIS-NN
(the shared data folder holds its measurements, made with the same emulator)."""
import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time

import sharing

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
SHARED = os.environ.get("AOTC_SHARED") or os.path.join(ROOT, "..", "shared")
FIVE = ["mlperf_ad01_int8", "mlperf_kws_dscnn_int8", "mlperf_vww96_int8", "mlperf_resnet8_int8",
        "tflm_person_detect_int8"]


def run(aotc, model, target, folder):
    figures = os.path.join(folder, "figures.json")
    subprocess.run([aotc, "run", model, "--target", target, "--json", figures], check=True,
                   stdout=subprocess.DEVNULL)
    with open(figures) as file:
        return json.load(file)


def cortex_m4(aotc, folder):
    with open(os.path.join(SHARED, "baseline", "tflm", "measurements.json")) as file:
        peer = json.load(file)["m4-cmsis-def"]
    print("Cortex-M4, one inference, emulated: aotc / TFLM + CMSIS-NN")
    print(f"{'model':26s} {'instructions':>26s} {'':>5s} {'arena bytes':>17s} {'code bytes':>17s} {'stack':>11s} {'set-up':>12s}")
    for name in FIVE:
        ours = run(aotc, os.path.join(SHARED, "models", name + ".tflite"), "cortex-m4", folder)
        theirs = peer[name]
        count = theirs["invoke_insn"][0]
        code = theirs["sizes"][".text"] + theirs["sizes"][".rodata"]
        print(f"{name:26s} {ours['instructions']:>12,} / {count:>11,} {ours['instructions'] / count:5.2f}"
              f" {ours['arena_bytes']:>7,} / {theirs['min_arena'][0]:>7,}"
              f" {ours['code_bytes']:>7,} / {code:>7,} {ours['stack_bytes']:>4,} / {max(theirs['stack_invoke']):>4,}"
              f" {0:>2d} / {theirs['setup_insn']:>7,}")


def compile_times(aotc, folder):
    print("\ncompile time of each model, slowest target")
    listed = subprocess.run([aotc, "targets"], check=True, capture_output=True, text=True).stdout
    # A target's name starts a line; more about it is indented.
    targets = [line.split()[0] for line in listed.splitlines() if line[:1].strip()]
    sys.path.insert(0, os.path.join(ROOT, "test", "e2e"))
    import suites
    for name in suites.FIFTEEN:
        worst = (0.0, "")
        for target in targets:
            start = time.monotonic()
            subprocess.run([aotc, "compile", os.path.join(SHARED, "models", name + ".tflite"),
                            "--target", target, "-o", folder], check=True, stdout=subprocess.DEVNULL)
            worst = max(worst, (time.monotonic() - start, target))
        print(f"{name:26s} {worst[0]:5.2f} s  {worst[1]}")
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
    print(f"largest memory of any compilation: {peak} MB")


# MiniMalloc's own figures for a fit in 1,048,576 (its best height, nodes, seconds), measured on a busy x86 host.
MINIMALLOC = {"A": (1048576, 116412, 8.6), "C": (1039360, 609, 0.03), "D": (1025024, 156348, 109),
              "E": (1048576, 154625, 5.2), "F": (1048576, 52454, 8.8), "H": (1048576, 9507, 3.0),
              "I": (1048576, 14507, 5.3), "K": (1048576, 10126, 0.8)}


def planner(aotc_plan):
    """The hard allocation instances, beside their authors' solver."""
    print("\nplanner: aotc-plan / MiniMalloc")
    print(f"{'':2s} {'height':>21s} {'bound':>9s} {'optimal':>7s} {'nodes':>17s} {'seconds':>14s}")
    total = 0.0
    for name, (height, nodes, seconds) in MINIMALLOC.items():
        start = time.monotonic()
        line = subprocess.run([aotc_plan, os.path.join(SHARED, "data", "minimalloc", name + ".1048576.csv")],
                              check=True, capture_output=True, text=True).stdout
        took = time.monotonic() - start
        total += took
        ours = dict(field.split("=") for field in line.split())
        print(f"{name:2s} {int(ours['height']):>9,} / {height:>9,} {int(ours['bound']):>9,} {ours['optimal']:>7s}"
              f" {int(ours['nodes']):>7,} / {nodes:>7,} {took:>6.2f} / {seconds:>5.2f}")
    print(f"all eight: {total:.1f} s")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--aotc", required=True)
    arguments = parser.parse_args()
    if not os.path.isdir(SHARED):
        print(f"skipped: needs the shared data folder ($AOTC_SHARED, or {SHARED})")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        cortex_m4(arguments.aotc, folder)
        sharing.cost(arguments.aotc, SHARED, folder, FIVE)
        sharing.resnet50(arguments.aotc, SHARED, folder)
        compile_times(arguments.aotc, folder)
    planner(os.path.join(os.path.dirname(arguments.aotc), "aotc-plan"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
