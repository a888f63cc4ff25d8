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

import cortex_m
import planning
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


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--aotc", required=True)
    arguments = parser.parse_args()
    if not os.path.isdir(SHARED):
        print(f"skipped: needs the shared data folder ($AOTC_SHARED, or {SHARED})")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        cortex_m4(arguments.aotc, folder)
        cortex_m.cycles(arguments.aotc, SHARED, FIVE, folder)
        sharing.cost(arguments.aotc, SHARED, folder, FIVE)
        sharing.resnet50(arguments.aotc, SHARED, folder)
        compile_times(arguments.aotc, folder)
        aotc_plan = os.path.join(os.path.dirname(arguments.aotc), "aotc-plan")
        planning.hard(aotc_plan, SHARED)
        planning.glow(aotc_plan, SHARED, folder)
        planning.models(arguments.aotc, SHARED, folder)
    sys.stdout.flush()
    subprocess.run([sys.executable, os.path.join(ROOT, "test", "bench", "host.py"), "--aotc", arguments.aotc], check=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
