#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Random programs full of copies, joins, splits and overlapping views, run on
# symbols before and after forward-copies, remove-dead-buffers and shuffled
# schedules: every byte of every output and of the state must be the same, after
# plan-memory at the arena's addresses.
# usage: random_semantics.py AOTC_OPT [SEED [COUNT]]
import random
import re
import subprocess
import sys


def memref(size):
    return f"memref<{size}xi8>"


class Program:
    """One function; it never reads a byte that was not written."""

    def __init__(self, number):
        self.lines = [f"func.func @f{number}() {{"]
        self.buffers = []  # [name, role, written bytes]
        self.count = 0
        self.outputs = 0
        for i in range(random.randint(1, 2)):
            self.alloc("input", i, random.choice([4, 8, 12, 16]), True)
        if random.random() < 0.3:
            self.alloc("state", None, 8, True)
        for _ in range(random.randint(2, 14)):
            random.choice([self.compute, self.compute, self.copy, self.join, self.join, self.split,
                           self.update])()
        # The last values are outputs, so that something is alive.
        for _ in range(random.randint(1, 2)):
            value, size = self.readable()
            self.copy(value, size, "output")
        self.lines += ["  return", "}", ""]

    def fresh(self, prefix):
        self.count += 1
        return f"{prefix}{self.count}"

    def alloc(self, role, position, size, written=False):
        name = self.fresh("b")
        attributes = f"role = #instr.role<{role}>" if role != "internal" else ""
        if position is not None:
            attributes = f"position = {position} : i64, " + attributes
        self.lines.append(f'  %{name} = instr.alloc "{name}" align {random.choice([1, 4])}'
                          + (f" {{{attributes}}}" if attributes else "") + f" : {memref(size)}")
        self.buffers.append((name, role, [written] * size))
        return self.buffers[-1]

    def view(self, buffer, begin, size):
        name, _, written = buffer
        if begin == 0 and size == len(written) and random.random() < 0.7:
            return name
        result = self.fresh("v")
        self.lines.append(f"  %{result} = instr.view %{name} at {begin} : {memref(len(written))} -> {memref(size)}")
        return result

    def readable(self, size=None):
        """A view all of whose bytes are written."""
        while True:
            buffer = random.choice(self.buffers[-6:])
            written = buffer[2]
            begin = random.choice([0, 0, 0, 4, 8, random.randrange(len(written))])
            length = size or random.choice([len(written), len(written), 4, 8])
            if begin + length <= len(written) and all(written[begin:begin + length]):
                return self.view(buffer, begin, length), length
            if size and random.random() < 0.05:
                return None, 0

    def writable(self, size, role=None):
        """A fresh buffer, or (part of) one that exists."""
        old = [b for b in self.buffers if b[1] in ("internal", "output") and len(b[2]) >= size]
        if old and random.random() < 0.3 and not role:
            buffer = random.choice(old)
        else:
            role = role or ("output" if random.random() < 0.15 else "internal")
            self.outputs += role == "output"
            buffer = self.alloc(role, self.outputs - 1 if role == "output" else None,
                                size + (random.choice([0, 0, 4, 8]) if role != "output" else 0))
        space = len(buffer[2]) - size
        begin = random.choice([b for b in (0, 0, 4, 8, space) if b <= space])
        buffer[2][begin:begin + size] = [True] * size
        return self.view(buffer, begin, size), (buffer[0], begin, begin + size)

    def kernel(self, ins, outs, inouts=(), attributes=""):
        groups = "".join(f" {word}({', '.join('%' + n for n, _ in group)})"
                         for word, group in (("ins", ins), ("outs", outs), ("inouts", inouts)) if group)
        types = ", ".join(memref(s) for _, s in [*ins, *outs, *inouts])
        self.lines.append(f'  instr.kernel "{self.fresh("k")}" level "ref"{groups} shape [] layer []'
                          f"{attributes} : ({types}) -> ()")

    def compute(self):
        ins = [self.readable() for _ in range(random.randint(1, 2))]
        out, _ = self.writable_apart(ins, random.choice([ins[0][1], 4, 8, 12]))
        rule = ""
        if random.random() < 0.6 and len(ins) == 1:
            # Symbols run by whole instructions: only rules with which nothing is
            # lost then, that is, in place and all inputs read first.
            rule = " {overlaps = [#instr.overlap<input = 0, output = 0, ascending = 0, descending = 0>]}"
        self.kernel(ins, [out], attributes=rule)

    def writable_apart(self, ins, size):
        """Does not touch what the same instruction reads."""
        while True:
            mark, state = len(self.lines), [list(b[2]) for b in self.buffers]
            outputs, count = self.outputs, len(self.buffers)
            name, place = self.writable(size)
            if all(root != place[0] or end <= place[1] or place[2] <= begin
                   for root, begin, end in map(self.root, (n for n, _ in ins))):
                return (name, size), place
            del self.lines[mark:], self.buffers[count:]
            self.outputs = outputs
            for buffer, old in zip(self.buffers, state):
                buffer[2][:] = old

    def root(self, name):
        for line in self.lines:
            if match := re.match(rf"  %{name} = instr.view %(\w+) at (\d+) : .* -> memref<(\d+)xi8>", line):
                begin = int(match[2])
                return match[1], begin, begin + int(match[3])
        return name, 0, next(len(b[2]) for b in self.buffers if b[0] == name)

    def copy(self, value=None, size=None, role=None):
        if value is None:
            value, size = self.readable()
        out, _ = self.writable_apart([(value, size)], size) if not role else (self.writable(size, role)[0:1] + (size,), 0)
        self.lines.append(f"  instr.copy %{value} to %{out[0]} : {memref(size)} to {memref(size)}")

    def join(self):
        ins = [self.readable() for _ in range(random.randint(2, 3))]
        total = sum(s for _, s in ins)
        out, _ = self.writable_apart(ins, total)
        moves, at = [], 0
        for i, (_, size) in enumerate(ins):
            moves.append((i, 0, 0, at, size))
            at += size
        self.kernel(ins, [out], attributes=self.moves(moves))

    def split(self):
        value, size = self.readable()
        part = size // 2
        if not part:
            return
        first, _ = self.writable_apart([(value, size)], part)
        second, place = self.writable_apart([(value, size), first], size - part)
        moves = [(0, i, 0, i, 1) for i in range(part)] + [(0, part, 1, 0, size - part)]
        self.kernel([(value, size)], [first, second], attributes=self.moves(moves))

    @staticmethod
    def moves(moves):
        return " {moves = [" + ", ".join(
            f"#instr.move<input = {i}, input_offset = {a}, output = {o}, output_offset = {b}, bytes = {n}>"
            for i, a, o, b, n in moves) + "]}"

    def update(self):
        candidates = [b for b in self.buffers if b[1] in ("internal", "state", "output") and all(b[2])]
        if candidates:
            buffer = random.choice(candidates)
            value, size = self.readable()
            if self.root(value)[0] != buffer[0]:
                self.kernel([(value, size)], [], [(buffer[0], len(buffer[2]))])


FUNCTION = re.compile(r"func\.func @(\w+)\(\)[^{]*(?:\{[^}]*\} )?\{\n(.*?)\n  \}", re.S)


def execute(text, planned):
    """{function: observable bytes}"""
    results = {}
    for name, body in FUNCTION.findall(text):
        place, size, memory, roles = {}, {}, {}, {}
        for line in body.splitlines():
            line = line.strip()
            if match := re.match(r'(%\w+) = instr\.alloc "([^"]*)" align \d+ ?(.*) : memref<(\d+)xi8>', line):
                value, label, attributes, count = match[1], match[2], match[3], int(match[4])
                offset = re.search(r"offset = (\d+)", attributes)
                space, begin = ("arena", int(offset[1])) if planned else (value, 0)
                place[value], size[value] = (space, begin), count
                role = re.search(r"role<(\w+)>", attributes)
                role = role[1] if role else "internal"
                position = re.search(r"position = (\d+)", attributes)
                if role in ("input", "state", "output"):
                    roles[role + (position[1] if position else "")] = (value, role)
                if role in ("input", "state"):
                    for i in range(count):
                        memory[space, begin + i] = (role + (position[1] if position else ""), i)
            elif match := re.match(r"(%\w+) = instr\.view (%\w+) at (\d+).* -> memref<(\d+)xi8>", line):
                space, begin = place[match[2]]
                place[match[1]], size[match[1]] = (space, begin + int(match[3])), int(match[4])

            def read(value):
                space, begin = place[value]
                return [memory.get((space, begin + i), "undefined") for i in range(size[value])]

            def write(value, data):
                space, begin = place[value]
                for i, symbol in enumerate(data):
                    memory[space, begin + i] = symbol

            if match := re.match(r"instr\.copy (%\w+) to (%\w+)", line):
                write(match[2], read(match[1]))
            elif line.startswith("instr.kernel"):
                kernel = re.match(r'instr\.kernel "(\w+)"', line)[1]
                groups = {word: re.findall(r"%\w+", values)
                          for word, values in re.findall(r"(ins|outs|inouts)\(([^)]*)\)", line)}
                ins = [read(v) for v in groups.get("ins", []) + groups.get("inouts", [])]
                outs = groups.get("outs", []) + groups.get("inouts", [])
                moves = re.findall(r"move<input = (\d+), input_offset = (\d+), output = (\d+), "
                                   r"output_offset = (\d+), bytes = (\d+)>", line)
                if moves:
                    data = [[None] * size[v] for v in outs]
                    for i, a, o, b, n in (tuple(map(int, move)) for move in moves):
                        data[o][b:b + n] = ins[i][a:a + n]
                else:
                    key = hash((kernel, tuple(map(tuple, ins))))
                    data = [[(key, o, i) for i in range(size[v])] for o, v in enumerate(outs)]
                for value, symbols in zip(outs, data):
                    write(value, symbols)
        results[name] = {key: [memory.get((place[value][0], place[value][1] + i), "undefined")
                               for i in range(size[value])]
                         for key, (value, role) in roles.items() if role != "input"}
    return results


def run(tool, program, passes):
    flags = [f"--pass-pipeline=builtin.module(func.func({passes}))"] if passes else []
    result = subprocess.run([tool, *flags], input=program, text=True, capture_output=True)
    if result.returncode:
        sys.exit(f"{passes}: {result.stderr[:2000]}")
    return result.stdout


def main():
    tool = sys.argv[1]
    random.seed(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 300
    program = "\n".join("\n".join(Program(i).lines) for i in range(count))
    expected = execute(run(tool, program, ""), planned=False)
    if len(expected) != count:
        sys.exit(f"read {len(expected)} functions of {count}")
    plan = "aotc-tighten-lifetimes,aotc-share-buffers{{{}}},aotc-annotate-used-memory,aotc-plan-memory,aotc-verify-plan"
    front = "aotc-forward-copies{{share={0}}},aotc-remove-dead-buffers"
    for passes, planned in [
            (front.format("overlap"), False), (front.format("none"), False),
            ("aotc-remove-dead-buffers", False), ("aotc-schedule{shuffle=3}", False),
            (front.format("none") + ",aotc-schedule{shuffle=5}," + plan.format("mode=none"), True),
            (front.format("overlap") + ",aotc-schedule," + plan.format("mode=in-place"), True),
            (front.format("overlap") + ",aotc-schedule{shuffle=9}," + plan.format("mode=in-place"), True)]:
        text = run(tool, program, passes)
        got = execute(text, planned)
        for name, bytes_ in expected.items():
            if got.get(name) != bytes_:
                before = next(f"func.func @{n}() {{\n{b}\n}}" for n, b in FUNCTION.findall(run(tool, program, "")) if n == name)
                after = next(b for n, b in FUNCTION.findall(text) if n == name)
                sys.exit(f"{passes}: {name} differs\n{before}\n-- after --\n{after}")
        print(f"{text.count('instr.copy'):5d} copies, {text.count('moves ='):4d} moving kernels after {passes}")


main()
