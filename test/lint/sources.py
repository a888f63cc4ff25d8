#!/usr/bin/env python3
"""Checks every tracked source file: length, licence line, no absolute paths
of some machine. Exits 1 with one line per offence."""
import os
import re
import subprocess
import sys

HARD_LIMIT = 1000  # lines of a hand-written file
SUFFIXES = (".cpp", ".h", ".c", ".td", ".py", ".cmake", ".fbs", ".S", ".def", ".inc", ".md",
            ".mlir", ".test", ".sh", ".ld", ".json", ".in", "CMakeLists.txt", "dev")
PATHS = re.compile(r"(^|[^\w.])/(home|root|work|Users)/")


def main():
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
    try:
        names = subprocess.run(["git", "ls-files"], cwd=root, check=True,
                               capture_output=True, text=True).stdout.split("\n")
    except (OSError, subprocess.CalledProcessError):
        print("skipped: needs a git checkout")
        return 77  # CTest: skipped
    found, count = [], 0
    for name in filter(None, names):
        path = os.path.join(root, name)
        if not os.path.isfile(path) or not name.endswith(SUFFIXES):
            continue
        count += 1
        lines = open(path, encoding="utf-8").read().split("\n")
        if len(lines) > HARD_LIMIT and not name.startswith("test/golden/"):
            found.append(f"{name}: {len(lines)} lines, the limit is {HARD_LIMIT}")
        if name.endswith((".cpp", ".h", ".c", ".td", ".def")) and not name.startswith("test/golden/"):
            if not any("SPDX-License-Identifier" in line for line in lines[:5]):
                found.append(f"{name}:1: no SPDX-License-Identifier line")
        for number, line in enumerate(lines, 1):
            if PATHS.search(line) and not name.startswith("test/lint/"):
                found.append(f"{name}:{number}: absolute path of a machine")
    print("\n".join(found) if found else f"sources: {count} files, all fine")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
