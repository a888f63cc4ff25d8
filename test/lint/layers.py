#!/usr/bin/env python3
"""Checks that #include arrows point down (compiler/README.md, "Layers").

A folder may include itself and folders of lower layers. Folders of one layer
never include each other: they meet in the IR. Exits 1 with one line per
offence. `layers.py --self-test` shows that an offence is found.
"""
import os
import re
import sys

# Longest prefix wins. `ops` is split by suffix below.
LAYERS = {
    "compiler/support": 0,
    "passes/planner": 0,
    "targets": 1,
    "compiler/ir": 1,
    "compiler/ops": 1,
    "compiler/import": 2,
    "compiler/simplify": 2,
    "compiler/lower": 2,
    "compiler/emit": 2,
    "passes": 2,
    "compiler/run": 3,
    "compiler/driver": 4,
    "compiler/tools": 5,
}
# (from, to): what may be included beside the rule, and why.
EXCEPTIONS = {
    # The importers of the families implement compiler/import/Importer.h.
    ("compiler/ops:import", "compiler/import"),
    # `ir` collects the families' generated operations.
    ("compiler/ir", "compiler/ops"),
    ("compiler/ops", "compiler/ir"),
}
ALWAYS_ALLOWED = {"runtime-stub/include/aotc/abi.h"}


def place(path):
    """(folder, layer) of a source file or include path, or None."""
    best = None
    for prefix in LAYERS:
        if path == prefix or path.startswith(prefix + "/"):
            if best is None or len(prefix) > len(best):
                best = prefix
    if best is None:
        return None
    if best == "compiler/ops" and re.search(r"(Import|Lower)\.(cpp|h)$", path):
        return best + ":import", 2
    return best, LAYERS[best]


def offences(files, read):
    found = []
    for path in files:
        here = place(path)
        if here is None:
            continue
        for number, line in enumerate(read(path).splitlines(), 1):
            match = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
            if not match or match.group(1) in ALWAYS_ALLOWED:
                continue
            there = place(match.group(1))
            if there is None or there[0] == here[0]:
                continue
            if (here[0], there[0]) in EXCEPTIONS:
                continue
            if there[1] >= here[1]:
                found.append(f"{path}:{number}: {here[0]} (layer {here[1]}) includes "
                             f"{match.group(1)} (layer {there[1]})")
    return found


def self_test():
    text = {"passes/A.cpp": '#include "compiler/emit/Object.h"\n'}
    assert len(offences(text, text.get)) == 1
    text = {"passes/A.cpp": '#include "compiler/ir/InstrDialect.h"\n'}
    assert not offences(text, text.get)
    text = {"passes/planner/A.cpp": '#include "passes/Passes.h"\n'}
    assert len(offences(text, text.get)) == 1


def main():
    self_test()
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
    files = []
    for top in ("compiler", "passes", "targets", "runtime-stub"):
        for folder, _, names in os.walk(os.path.join(root, top)):
            for name in names:
                if name.endswith((".cpp", ".h", ".c")):
                    files.append(os.path.relpath(os.path.join(folder, name), root))
    found = offences(sorted(files), lambda path: open(os.path.join(root, path)).read())
    print("\n".join(found) if found else f"layers: {len(files)} files, no arrow points up")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
