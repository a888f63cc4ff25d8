#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Random instruction functions (views, scratch, state, several inputs and
# outputs, rules of overlap of all kinds) through all memory passes. The
# last one, verify-plan, shares no code with the others and must agree; and
# what is shared may only make the arenas smaller in sum.
# usage: random_programs.py AOTC_OPT [SEED [COUNT]]
import random
import re
import subprocess
import sys


def memref(size):
    return f"memref<{size}xi8>"


def alloc(name, size, role=None, position=None):
    attributes = []
    if position is not None:
        attributes.append(f"position = {position} : i64")
    if role:
        attributes.append(f"role = #instr.role<{role}>")
    text = f" {{{', '.join(attributes)}}}" if attributes else ""
    return f'  %{name} = instr.alloc "{name}" align {random.choice([1, 4, 16])}{text} : {memref(size)}'


def rules(ins, outs):
    result = []
    for i, (_, size) in enumerate(ins):
        for o, (_, out_size) in enumerate(outs):
            if random.random() < 0.3:
                continue
            rule = f"input = {i}, output = {o}"
            if random.random() < 0.8:
                rule += f", ascending = {random.choice([0, 0, random.randint(1, 6)])}"
            if random.random() < 0.7:
                rule += f", descending = {random.choice([0, 3, -4, size - out_size])}"
            if random.random() < 0.1:
                rule += f", multiple = {random.choice([2, 4])}"
            result.append(f"#instr.overlap<{rule}>")
    return ", ".join(result)


def function(number):
    lines = [f"func.func @f{number}() {{"]
    values = []  # (name, size)
    for i in range(random.randint(1, 3)):
        values.append((f"x{i}", random.randint(1, 40)))
        lines.append(alloc(*values[-1], "input", i))
    if random.random() < 0.2:
        lines.append(alloc("state", 8, "state"))
        values.append(("state", 8))
    outputs = 0
    count = random.randint(1, 14)
    for step in range(count):
        if random.random() < 0.3:
            name, size = random.choice(values)
            begin = random.randint(0, size - 1)
            part = random.randint(1, size - begin)
            lines.append(f"  %v{step} = instr.view %{name} at {begin} : {memref(size)} -> {memref(part)}")
            values.append((f"v{step}", part))
        recent = values[-4:] if random.random() < 0.8 else values
        ins = [random.choice(recent) for _ in range(random.randint(1, 3))]
        outs = []
        for o in range(random.choice([1, 1, 1, 1, 2])):
            outs.append((f"a{step}_{o}", random.choice([ins[0][1], random.randint(1, 40)])))
            is_output = step == count - 1 or random.random() < 0.08
            lines.append(alloc(*outs[-1], *(("output", outputs) if is_output else ())))
            outputs += is_output
        scratch = []
        if random.random() < 0.3:
            scratch.append((f"s{step}", random.randint(1, 30)))
            lines.append(alloc(*scratch[-1], "scratch"))

        def group(word, members):
            return f" {word}({', '.join('%' + name for name, _ in members)})" if members else ""

        types = ", ".join(memref(size) for _, size in ins + outs + scratch)
        lines.append(f'  instr.kernel "k{step}" level "ref"{group("ins", ins)}{group("outs", outs)}'
                     f'{group("scratch", scratch)} shape [] layer [] '
                     f"{{overlaps = [{rules(ins, outs)}]}} : ({types}) -> ()")
        values += outs
    return "\n".join(lines + ["  return", "}", ""])


def main():
    tool = sys.argv[1]
    random.seed(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 40
    program = "\n".join(function(i) for i in range(count))
    arena = {}
    for share in ["mode=none", "mode=in-place", "mode=overlap", "direction=ascending",
                  "direction=descending"]:
        passes = ("aotc-tighten-lifetimes,aotc-share-buffers{" + share + "},"
                  "aotc-annotate-used-memory,aotc-plan-memory,aotc-verify-plan")
        result = subprocess.run([tool, f"--pass-pipeline=builtin.module(func.func({passes}))"],
                                input=program, text=True, capture_output=True)
        if result.returncode:
            sys.exit(f"{share}: {result.stderr[:2000]}")
        arena[share] = sum(map(int, re.findall(r"instr\.arena_bytes = (\d+)", result.stdout)))
    print(arena)
    if not arena["mode=overlap"] < arena["mode=in-place"] < arena["mode=none"]:
        sys.exit("sharing more did not make the arenas smaller")


main()
