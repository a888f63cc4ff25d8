#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""./dev bench: our figures beside those of other tools, one section after the other (README.md)."""
import argparse
import dataclasses
import fnmatch
import os
import subprocess
import sys
import tempfile

import aarch64
import compiling
import cortex_m
import figures
import planning
import sharing

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
SHARED = os.environ.get("AOTC_SHARED") or os.path.join(ROOT, "..", "shared")


def host(bench):
    sys.stdout.flush()
    for _, options in bench.settings:
        subprocess.run([sys.executable, os.path.join(ROOT, "test", "bench", "host.py"), "--aotc", bench.aotc,
                        *(f"--option={option}" for option in options)], check=True)


def plans(bench):
    aotc_plan = os.path.join(os.path.dirname(bench.aotc), "aotc-plan")
    planning.hard(aotc_plan, bench.shared)
    planning.glow(aotc_plan, bench.shared, bench.folder)
    planning.models(bench.aotc, bench.shared, bench.folder)


def goals(bench):
    """The bench with both goals that are for cycles, unless options were given."""
    if any(options for _, options in bench.settings):
        return bench
    return dataclasses.replace(bench, settings=[(" " + option, [option])
                                                for option in ("--optimize=balanced", "--optimize=speed")])


def sections():
    """Name and function of each, in order."""
    table = {core.target: lambda bench, core=core: cortex_m.compare(goals(bench), core) for core in cortex_m.CORES}
    table["aarch64"] = aarch64.compare
    table["sharing"] = sharing.cost
    table["resnet50"] = sharing.resnet50
    table["compile"] = compiling.times
    table["planning"] = plans
    table["host"] = host
    return table


def parse():
    table = sections()
    parser = argparse.ArgumentParser(prog="./dev bench", description=__doc__,
                                     epilog="Options behind -- go to aotc: ./dev bench --only cortex-m4 -- --share=none. "
                                     "Several such lists are compared: -- -- --share=none.")
    parser.add_argument("--aotc", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--only", action="append", metavar="SECTION",
                        help="these sections, patterns allowed: " + ", ".join(table))
    parser.add_argument("--models", action="append", metavar="MODEL",
                        help="these of the models, patterns allowed: " + ", ".join(figures.MODELS))
    own, *lists = split(sys.argv[1:])
    arguments = parser.parse_args(own)
    arguments.only = chosen(parser, arguments.only, table)
    arguments.models = chosen(parser, arguments.models, figures.MODELS)
    arguments.settings = [("".join(" " + option for option in options), options) for options in lists or [[]]]
    return arguments


def split(words):
    """The lists of words between all "--"."""
    lists = [[]]
    for word in words:
        if word == "--":
            lists.append([])
        else:
            lists[-1].append(word)
    return lists


def chosen(parser, patterns, names):
    """Of `names`, those that match any pattern; all without patterns."""
    for pattern in patterns or ():
        if not fnmatch.filter(names, pattern):
            parser.error(f"'{pattern}' is none of {', '.join(names)}")
    return [name for name in names if not patterns or any(fnmatch.fnmatch(name, pattern) for pattern in patterns)]


def main():
    arguments = parse()
    if not os.path.isdir(SHARED):
        print(f"skipped: needs the shared data folder ($AOTC_SHARED, or {SHARED})")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        bench = figures.Bench(os.path.abspath(arguments.aotc), SHARED, folder, arguments.models, arguments.settings)
        for name in arguments.only:
            sections()[name](bench)
    return 0


if __name__ == "__main__":
    sys.exit(main())
