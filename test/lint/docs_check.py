#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Runs the examples of all Passes.td. For each pass, the block after "before:"
# is put through the pass and must print as the block after "after:" does, where
# "…" stands for anything. A pass that only checks has a block after
# "error:" instead; it must be refused with each "// error:" in it.
# usage: docs_check.py AOTC_OPT FILE.td...
import re
import subprocess
import sys
import textwrap

PASS = re.compile(r'^def \w+ : \w*Pass<"(?:aotc-)?([^"]+)"(.*?)^}$', re.M | re.S)
ENTRY = re.compile(r"^def .*Pass<", re.M)
BLOCK = r":\s*```mlir\n(.*?)```"
EXAMPLE = re.compile("before" + BLOCK + r"\s*after" + BLOCK, re.S)
REFUSED = re.compile("error" + BLOCK, re.S)


def run(tool, flags, text):
    return subprocess.run([tool, *flags], input=textwrap.dedent(text), text=True,
                          capture_output=True)


def output(tool, flags, text):
    result = run(tool, flags, text)
    if result.returncode:
        sys.exit(f"{' '.join(flags)}: {result.stderr}")
    return result.stdout


def matches(got, pattern):
    """got holds the pattern's lines, apart from indentation and what "…" stands for."""
    def words(text):
        return " ".join(text.split())
    expression = ".*".join(re.escape(words(part)) for part in pattern.split("…"))
    return re.search(expression, words(got)) is not None


def check(tool, name, body):
    """Empty, or what is wrong with the pass's example."""
    # Passes that need a CPU take the one of the examples.
    flags = [f"--aotc-{name}=target=cortex-m4" if '"target"' in body else f"--aotc-{name}"]
    if refused := REFUSED.search(body):
        result = run(tool, flags, refused[1])
        messages = re.findall(r"// error: (.*)", refused[1])
        if not messages:
            return "has an error block without an // error: line"
        for message in messages:
            if result.returncode == 0 or message not in result.stderr:
                return f"says\n{result.stderr}\nnot\n{message}"
        return ""
    example = EXAMPLE.search(body)
    if not example:
        return "has no before/after example"
    got = output(tool, flags, example[1])
    if "…" in example[2]:
        return "" if matches(got, example[2]) else f"prints\n{got}\nnot\n{example[2]}"
    want = output(tool, [], example[2])
    return "" if got == want else f"prints\n{got}\nnot\n{want}"


def main():
    tool, *files = sys.argv[1:]
    checked = 0
    for file in files:
        text = open(file, encoding="utf-8").read()
        passes = PASS.findall(text)
        # An entry of another form would go unchecked.
        if len(passes) != len(ENTRY.findall(text)):
            sys.exit(f"{file}: {len(ENTRY.findall(text))} passes, of which {len(passes)} have the form "
                     "def X : Pass<\"aotc-name\"...> { ... }, the brace at the start of a line")
        for name, body in passes:
            if problem := check(tool, name, body):
                sys.exit(f"{file}: pass {name} {problem}")
            checked += 1
    if not checked:
        sys.exit("no pass found")
    print(f"{checked} examples agree")


main()
