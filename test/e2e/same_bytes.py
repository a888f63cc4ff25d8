#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Do two builds of aotc (say, a debug and a release build) write the same bytes?

usage: same_bytes.py --tool AOTC [--tool OTHER_AOTC] [MODEL...]

Every artefact of every model and target is compared, NAME.d included. The
second tool (default: the first) runs in another folder, under another locale,
time zone and home, with another stack, and without randomised addresses.
"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
SHARED = os.environ.get("AOTC_SHARED") or os.path.join(ROOT, "..", "shared")
TARGETS = ("cortex-m4", "cortex-a53", "x86-64-v3")
SUFFIXES = [".d", ".h", ".html", ".map.json", ".map.txt", ".o"]


def sample():
    digits = os.path.join(ROOT, "examples", "digits")
    models = [os.path.join(digits, name) for name in ("digits_int8.tflite", "digits_float.tflite")]
    names = ("mlperf_kws_dscnn_int8", "mlperf_ad01_int8", "mlperf_resnet8_int8", "tflm_person_detect_int8")
    if os.path.isdir(SHARED):
        return models + [os.path.join(SHARED, "models", name + ".tflite") for name in names]
    print("the models of the shared data are left out: there is none ($AOTC_SHARED)")
    return models


def compile_all(tool, models, folder, environment, prefix=()):
    for target in TARGETS:
        place = os.path.join(folder, target)
        os.makedirs(place)
        for model in models:
            # A relative output folder, so that the paths in NAME.d agree.
            subprocess.run([*prefix, tool, "compile", model, "--target", target, "-o", "."], cwd=place, check=True,
                           stdout=subprocess.DEVNULL, env=environment)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tool", action="append", required=True)
    parser.add_argument("models", nargs="*")
    arguments = parser.parse_args()
    tools = [os.path.abspath(tool) for tool in arguments.tool]
    models = [os.path.abspath(model) for model in arguments.models] or sample()
    other = {**os.environ, "LC_ALL": "de_DE.UTF-8", "LANG": "tr_TR.UTF-8", "TZ": "Asia/Tokyo", "HOME": "/nowhere",
             "COLUMNS": "40", "MALLOC_PERTURB_": "165", "SOME_MORE_STACK": "x" * 5000}
    fixed = [shutil.which("setarch"), "-R"] if shutil.which("setarch") else []
    if fixed and subprocess.run([*fixed, "true"], stderr=subprocess.DEVNULL).returncode:
        fixed = []  # not allowed here
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory(suffix="-a longer name") as two:
        compile_all(tools[0], models, one, os.environ)
        compile_all(tools[-1], models, two, other, fixed)
        different = count = 0
        for target in TARGETS:
            names = sorted(os.listdir(os.path.join(one, target)))
            assert names == sorted(os.listdir(os.path.join(two, target))), names
            assert len(names) == len(models) * len(SUFFIXES), names
            for name in names:
                a, b = (open(os.path.join(folder, target, name), "rb").read() for folder in (one, two))
                count += 1
                if a != b:
                    different += 1
                    at = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
                    print(f"{target} {name}: differs from byte {at} of {len(a)} and {len(b)}: "
                          f"{a[at:at + 40]!r} and {b[at:at + 40]!r}")
    print(f"{count} files of {len(models)} models for {len(TARGETS)} targets, {different} differ")
    return 1 if different or not count else 0


if __name__ == "__main__":
    sys.exit(main())
