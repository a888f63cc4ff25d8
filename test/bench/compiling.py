# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How long compilation takes, and how much memory."""
import os
import resource
import subprocess
import sys
import time

import figures

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "e2e"))
import suites


def times(bench):
    print("\ncompile time of each model, slowest target")
    listed = subprocess.run([bench.aotc, "targets"], check=True, capture_output=True, text=True).stdout
    # A target's name starts a line; more about it is indented.
    targets = [line.split()[0] for line in listed.splitlines() if line[:1].strip()]
    for name in suites.FIFTEEN:
        worst = (0.0, "")
        for target in targets:
            start = time.monotonic()
            subprocess.run([bench.aotc, "compile", figures.model_path(bench, name), "--target", target, "-o",
                            bench.folder], check=True, stdout=subprocess.DEVNULL)
            worst = max(worst, (time.monotonic() - start, target))
        print(f"{name:26s} {worst[0]:5.2f} s  {worst[1]}", flush=True)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
    print(f"largest memory of any compilation: {peak} MB")
