#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Glow's isSliceContiguous, insertOptimizer and extractOptimizer: the 27 slice
# shapes of a {3,3,3} tensor of bytes, each at one offset. A kernel declares its
# moves one byte at a time; whether they are one contiguous slice is for
# forward-copies to find out.
# usage: glow_slices.py AOTC_OPT
import itertools
import subprocess
import sys

CASES = """111@000 112@111 113@220 121@001 122@110 123@200 131@000 132@101 133@200
211@001 212@110 213@020 221@100 222@011 223@100 231@001 232@100 233@000
311@000 312@011 313@020 321@001 322@010 323@000 331@000 332@001 333@000""".split()
# By Glow's table; by arithmetic: after the first dimension that is not 1, all
# are whole.
CONTIGUOUS = {"111", "112", "113", "123", "133", "233", "333"}


def offsets(shape, begin):
    """Byte offsets of the slice in the whole, in row-major order of the slice."""
    return [sum((b + i) * stride for b, i, stride in zip(begin, index, (9, 3, 1)))
            for index in itertools.product(*map(range, shape))]


def alloc(name, size, role=""):
    role = f" {{position = 0 : i64, role = #instr.role<{role}>}}" if role else ""
    return f'  %{name} = instr.alloc "{name}" align 1{role} : memref<{size}xi8>\n'


def kernel(name, ins, outs, moves=None, inouts=()):
    groups = "".join(f" {word}({', '.join('%' + n for n, _ in group)})"
                     for word, group in (("ins", ins), ("outs", outs), ("inouts", inouts)) if group)
    types = ", ".join(f"memref<{size}xi8>" for _, size in [*ins, *outs, *inouts])
    attributes = ""
    if moves:
        attributes = " {moves = [" + ", ".join(
            f"#instr.move<input = 0, input_offset = {a}, output = 0, output_offset = {b}, bytes = 1>"
            for a, b in moves) + "]}"
    return f'  instr.kernel "{name}" level "ref"{groups} shape [] layer []{attributes} : ({types}) -> ()\n'


def run(tool, body):
    program = f"func.func @f() {{\n{body}  return\n}}\n"
    passes = "builtin.module(func.func(aotc-forward-copies,aotc-remove-dead-buffers))"
    result = subprocess.run([tool, f"--pass-pipeline={passes}"], input=program, text=True,
                            capture_output=True)
    if result.returncode:
        sys.exit(result.stderr)
    lines = [line.split() for line in result.stdout.splitlines()]
    return [line[1].strip('"') if line[0] == "instr.kernel" else "copy" for line in lines
            if line and line[0] in ("instr.kernel", "instr.copy")], result.stdout


def main():
    tool = sys.argv[1]
    for case in CASES:
        shape, begin = ([int(c) for c in part] for part in case.split("@"))
        size = shape[0] * shape[1] * shape[2]
        where = offsets(shape, begin)
        contiguous = case[:3] in CONTIGUOUS
        assert contiguous == (where == list(range(where[0], where[0] + size)))

        def expect(what, body, instructions):
            got, text = run(tool, body)
            if got != instructions:
                sys.exit(f"{what} {case}: {got} instead of {instructions}\n{text}")
            return text

        # Extract, read by a kernel: a contiguous slice is a view, any other stays.
        extract = list(zip(where, range(size)))
        body = alloc("w", 27, "input") + alloc("a", size) + alloc("y", size, "output")
        text = expect("extract", body + kernel("extract", [("w", 27)], [("a", size)], extract)
                      + kernel("use", [("a", size)], [("y", size)]),
                      ["use"] if contiguous else ["extract", "use"])
        if contiguous and f"at {where[0]} " not in text:
            sys.exit(f"extract {case}: no view at {where[0]}\n{text}")
        # Extract, copied to an output (Glow: 3 instructions if contiguous, else
        # 2): one writes the output here, whatever the shape.
        expect("extract and copy", body + kernel("extract", [("w", 27)], [("a", size)], extract)
               + f"  instr.copy %a to %y : memref<{size}xi8> to memref<{size}xi8>\n", ["extract"])
        # Insert into a filled buffer. Contiguous: the source is computed in its
        # place, after the filling. The whole: the filling is dead. Else all stay.
        body = alloc("a", size) + alloc("w", 27, "output")
        body += kernel("splat", [], [("a", size)]) + kernel("fill", [], [("w", 27)])
        if contiguous:
            body += f"  %v = instr.view %w at {where[0]} : memref<27xi8> -> memref<{size}xi8>\n" \
                    f"  instr.copy %a to %v : memref<{size}xi8> to memref<{size}xi8>\n"
        else: # more than a move: it keeps the rest
            body += kernel("insert", [("a", size)], [], inouts=[("w", 27)])
        expect("insert", body, ["splat"] if size == 27 else ["fill", "splat"] if contiguous
               else ["splat", "fill", "insert"])
    print(f"{len(CASES)} slices")


main()
