#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Runs the examples of passes/*.td: for each pass, the block after "before:" is
# put through the pass and must print as the block after "after:" does.
# usage: docs_check.py AOTC_OPT FILE.td...
import re
import subprocess
import sys
import textwrap

PASS = re.compile(r'^def \w+ : AotcPass<"([^"]+)">(.*?)^}$', re.M | re.S)
EXAMPLE = re.compile(r"before:\s*```mlir\n(.*?)```\s*after:\s*```mlir\n(.*?)```", re.S)


def run(tool, flags, text):
    result = subprocess.run([tool, *flags], input=textwrap.dedent(text), text=True,
                            capture_output=True)
    if result.returncode:
        sys.exit(f"{' '.join(flags)}: {result.stderr}")
    return result.stdout


def main():
    tool, *files = sys.argv[1:]
    checked = 0
    for file in files:
        for name, body in PASS.findall(open(file).read()):
            example = EXAMPLE.search(body)
            if not example:
                sys.exit(f"{file}: pass {name} has no before/after example")
            got = run(tool, [f"--aotc-{name}"], example[1])
            want = run(tool, [], example[2])
            if got != want:
                sys.exit(f"{file}: pass {name} prints\n{got}\nnot\n{want}")
            checked += 1
    if not checked:
        sys.exit("no pass found")
    print(f"{checked} examples agree")


main()
