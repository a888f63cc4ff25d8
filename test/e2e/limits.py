#!/usr/bin/env python3
"""Sizes of six models on Cortex-M4 against TensorFlow Lite Micro's.

The limits are TFLM's own figures (baseline/tflm/README.md of the shared data,
table "Memory and flash, M4"): activations and I/O without scratch at most its
arena head, everything below its smallest working arena.

Beside them our own promises, for every level of Cortex-M kernels (a core of
each): the arena with scratch, the stack, and on Cortex-M4 the code. And the
sizes that README.md states are those of today.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
SHARED = os.environ.get("AOTC_SHARED") or os.path.join(ROOT, "..", "shared")
#                             head   smallest arena
LIMITS = {
    "mlperf_ad01_int8": (768, 3024),
    "mlperf_kws_dscnn_int8": (16000, 22832),
    "mlperf_vww96_int8": (73728, 100720),
    "mlperf_resnet8_int8": (49728, 55008),
    "tflm_person_detect_int8": (55296, 82320),
    # Not measured with TFLM: the input, 76,800 bytes of floats, is as large as
    # the largest layer, and no byte beyond them may be for activations.
    "mcunet_vww_int8": (76800, 78000),
}
CORES = ("cortex-m0plus", "cortex-m3", "cortex-m4", "cortex-m55")  # thumb1, thumb2, dsp, mve
MAX_STACK = 512
# --optimize=speed on Cortex-M4: at most TFLM's arena head; of ad01, whose tensors are
# smaller than the scratch of any fast kernel, its smallest arena in round figures.
SPEED = {name: head for name, (head, _) in LIMITS.items() if name != "mcunet_vww_int8"}
SPEED["mlperf_ad01_int8"] = 3000
#                           arena  code on Cortex-M4 (None: no promise)
PROMISES = {
    "mlperf_ad01_int8": (1024, None),
    "mlperf_kws_dscnn_int8": (8800, 12 << 10),
    "mlperf_vww96_int8": (37400, 16 << 10),
    "mlperf_resnet8_int8": (34000, 16 << 10),
    "tflm_person_detect_int8": (37400, None),
}
# The table under `--optimize` in README.md, by what it calls the models.
README_MODELS = {"keyword spotter": "mlperf_kws_dscnn_int8", "ResNet-8": "mlperf_resnet8_int8",
                 "micro_speech": "tflm_micro_speech_int8"}


def readme_rows():
    """(model, level, figures in bytes): of each level of each model in that table."""
    with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as file:
        text = file.read()
    rows, model = [], None
    for label, *cells in re.findall(r"^\| (.*`(?:balanced|speed|size)`) \| [\d.]+ \| (.+) \| (.+) \| (.+) \|$", text, re.M):
        name = re.match(r"([\w -]+): ", label)
        model = README_MODELS[name[1]] if name else model
        values = [int(cell.replace(",", "")) for cell in cells]
        rows += [(model, level, dict(zip(("arena_bytes", "code_bytes", "weights_bytes"), values)))
                 for level in re.findall(r"`(\w+)`", label)]
    return rows


def main():
    aotc = sys.argv[1]
    if not os.path.isdir(SHARED):
        print(f"skipped: needs the shared data folder ($AOTC_SHARED, or {SHARED})")
        return 77  # CTest: skipped
    if not shutil.which("qemu-system-arm"):
        print("skipped: needs qemu-system-arm")
        return 77
    failures = 0

    def check(name, what, value, good):
        nonlocal failures
        failures += not good
        print(f"{'ok  ' if good else 'FAIL'} {name:26s} {what} {value:,}")

    with tempfile.TemporaryDirectory() as folder:
        for name, (head, smallest) in LIMITS.items():
            subprocess.run([aotc, "run", os.path.join(SHARED, "models", name + ".tflite"),
                            "--target", "cortex-m4", "--json", os.path.join(folder, "run.json")],
                           check=True, stdout=subprocess.DEVNULL)
            with open(os.path.join(folder, "run.json")) as file:
                figures = json.load(file)
            bare = figures["arena_without_scratch_bytes"]
            check(name, f"arena without scratch (<= {head:,})", bare, bare <= head)
            check(name, f"arena (< {smallest:,})", figures["arena_bytes"], figures["arena_bytes"] < smallest)
            check(name, "painted stack (<= 1,024)", figures["stack_bytes"], figures["stack_bytes"] <= 1024)
        for name, head in SPEED.items():
            subprocess.run([aotc, "compile", os.path.join(SHARED, "models", name + ".tflite"), "--target", "cortex-m4",
                            "--optimize", "speed", "--name", "m", "-o", folder], check=True, stdout=subprocess.DEVNULL)
            with open(os.path.join(folder, "m.map.json")) as file:
                arena = json.load(file)["arena_bytes"]
            check(name, f"cortex-m4 speed arena_bytes (<= {head:,})", arena, arena <= head)
        for name, (arena, code) in PROMISES.items():
            for core in CORES:
                subprocess.run([aotc, "compile", os.path.join(SHARED, "models", name + ".tflite"), "--target", core,
                                "--name", "m", "-o", folder], check=True, stdout=subprocess.DEVNULL)
                with open(os.path.join(folder, "m.map.json")) as file:
                    figures = json.load(file)
                bounds = {"arena_bytes": arena, "stack_bytes": MAX_STACK}
                if code and core == "cortex-m4":
                    bounds["code_bytes"] = code
                for key, most in bounds.items():
                    check(name, f"{core} {key} (<= {most:,})", figures[key], figures[key] <= most)
        rows = readme_rows()
        check("README.md", "rows (3 models, 3 levels each)", len(rows), len(rows) == 9)
        for name, level, stated in rows:
            subprocess.run([aotc, "compile", os.path.join(SHARED, "models", name + ".tflite"), "--target", "cortex-m4",
                            "--optimize", level, "--name", "m", "-o", folder], check=True, stdout=subprocess.DEVNULL)
            with open(os.path.join(folder, "m.map.json")) as file:
                figures = json.load(file)
            for key, value in stated.items():
                # The arena as stated; bytes of code and parameters move with every mend of a kernel.
                slack = 0 if key == "arena_bytes" else value // 50
                check(name, f"README {level} {key} ({value:,})", figures[key], abs(figures[key] - value) <= slack)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
