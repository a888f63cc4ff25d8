#!/usr/bin/env python3
"""Fails, naming the files, unless clang-format would change nothing.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def main() -> int:
    try:
        listed = subprocess.run(["git", "ls-files", "*.cpp", "*.h", "*.c"], cwd=ROOT, check=True,
                                capture_output=True, text=True).stdout.split()
    except (OSError, subprocess.CalledProcessError):
        print("skipped: needs a git checkout")
        return 77  # CTest: skipped
    files = [name for name in listed
             if not name.startswith("test/golden/") and (ROOT / name).exists()]
    if not files:
        print("error: no sources found")
        return 1
    run = subprocess.run([sys.argv[1], "--dry-run", *files], cwd=ROOT, capture_output=True,
                         text=True)
    bad = sorted({line.split(":")[0] for line in run.stderr.splitlines() if "warning:" in line})
    for name in bad:
        print(f"{name}: not formatted; run ./dev format")
    return 1 if bad or run.returncode else 0


if __name__ == "__main__":
    sys.exit(main())
