# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`aotc compile`: the files, their names, their bytes; phases dumped and resumed; plans."""
import json
import os
import resource
import shutil
import signal
import stat
import subprocess

from support import DIGITS, FLOAT, SUFFIXES, TOOLS, CliTest, read, write


class Plans(CliTest):
    def saved(self, model=FLOAT, *options):
        self.aotc("compile", model, "-t", "cortex-m4", "-o", "first", "--save-plan", "plan.csv", *options)
        return read(self.path("plan.csv")).decode()

    def test_a_plan_given_back_is_taken(self):
        header, *rows = self.saved().splitlines()
        self.assertIn("offset", header.split(","))
        # Moved up by 64 bytes, it is still a plan: taken, not made better.
        place = header.split(",").index("offset")
        moved = [header]
        for row in rows:
            cells = row.split(",")
            cells[place] = str(int(cells[place]) + 64)
            moved.append(",".join(cells))
        write(self.path("moved.csv"), "\n".join(moved).encode())
        arena = []
        for plan in "plan.csv", "moved.csv":
            self.aotc("compile", FLOAT, "-t", "cortex-m4", "-o", plan + ".out", "--plan", plan)
            name = os.path.basename(FLOAT)[:-len(".tflite")]
            map = json.loads(read(self.path(plan + ".out", name + ".map.json")))
            self.assertEqual(map["options"], "--plan")
            self.assertIn("plan.csv" if plan == "plan.csv" else "moved.csv",
                          read(self.path(plan + ".out", name + ".d")).decode())
            arena.append(map["arena_bytes"])
        self.assertEqual(arena[1], arena[0] + 64)

    def test_a_plan_of_something_else_is_refused(self):
        text = self.saved()
        self.refused("compile", DIGITS, "-t", "cortex-m4", "--plan", "plan.csv",
                     says=["plan 'plan.csv' is not of this model with these options: buffer '", "in the plan"])
        self.refused("compile", FLOAT, "-t", "cortex-m4", "--plan", "plan.csv", "--share=none",
                     says=["may share memory in other ways", "save it again"])
        lines = text.splitlines()
        write(self.path("short.csv"), "\n".join(lines[:-1]).encode())
        self.refused("compile", FLOAT, "-t", "cortex-m4", "--plan", "short.csv", says=["is not in the plan"])
        write(self.path("bad.csv"), b"\x00")
        self.refused("compile", FLOAT, "-t", "cortex-m4", "--plan", "bad.csv", says=["line 1"])
        self.refused("compile", FLOAT, "--plan", "missing.csv", says=["plan 'missing.csv' cannot be read"])

    def test_a_wrong_plan_is_found_out(self):
        header, *rows = self.saved(FLOAT, "--share=none").splitlines()
        place = header.split(",").index("offset")
        flat = [",".join(c if i != place else "0" for i, c in enumerate(row.split(","))) for row in rows]
        write(self.path("flat.csv"), "\n".join([header, *flat]).encode())
        result = self.aotc("compile", FLOAT, "-t", "cortex-m4", "--share=none", "--plan", "flat.csv", status=1)
        self.assertIn("are live together and share bytes", result.err)

    def test_effort_is_recorded(self):
        self.aotc("compile", DIGITS, "--plan-effort", "2", "-o", "two")
        map = json.loads(read(self.path("two", "digits_int8.map.json")))
        self.assertEqual(map["options"], "--plan-effort=2")
        self.aotc("compile", DIGITS, "--plan-effort", "0", "-o", "none")
        self.refused("compile", DIGITS, "--plan-effort", "-1", status=2, says=["--plan-effort"])

    def test_planned_ir_takes_no_plan(self):
        self.aotc("compile", DIGITS, "--dump-phases", "ir", "--save-plan", "plan.csv")
        self.refused("compile", self.path("ir", "3-memory.mlir"), "--plan", "plan.csv", says=["phase 'memory' behind it", "--plan comes too late", "earlier phase"])
        self.aotc("compile", self.path("ir", "2-lower.mlir"), "--plan", "plan.csv")


class Files(CliTest):
    def bundle(self, *folder, name="digits_int8"):
        return {suffix: read(self.path(*folder, name + suffix)) for suffix in SUFFIXES}

    def assertSameBundle(self, one, other):
        for suffix in SUFFIXES[:-1]:  # NAME.d holds paths
            self.assertEqual(one[suffix], other[suffix], suffix)

    def test_files(self):
        text = self.aotc("compile", DIGITS, "--target", "cortex-m4", "-o", "a/b/c", umask=0o022).out
        self.assertEqual(self.files("a", "b", "c"), sorted("digits_int8" + s for s in SUFFIXES))
        self.assertEqual(len(text.splitlines()), 1)
        layers = json.loads(read(self.path("a", "b", "c", "digits_int8.map.json")))["layers"]
        self.assertRegex(text, r"^digits_int8 for cortex-m4: RAM \d+ bytes .*, used_memory up to "
                         f"{max(layer['used_memory'] for layer in layers)}, stack ")
        # As other tools make them under that mask.
        self.assertEqual(stat.S_IMODE(os.stat(self.path("a")).st_mode), 0o755)
        for name in self.files("a", "b", "c"):
            self.assertEqual(stat.S_IMODE(os.stat(self.path("a", "b", "c", name)).st_mode), 0o644)
        self.assertEqual(read(self.path("a", "b", "c", "digits_int8.d")).decode(),
                         " ".join(f"a/b/c/digits_int8{s}" for s in SUFFIXES[:-1]) + f": {DIGITS}\n")

    def test_default_target_is_told(self):
        self.assertIn("--target", self.aotc("compile", DIGITS).out)
        self.assertNotIn("--target", self.aotc("compile", DIGITS, "--target", "host").out)

    def test_whole_or_not_at_all(self):
        for suffix in SUFFIXES:
            os.makedirs(self.path("out", "digits_int8" + suffix))
            old = [s for s in SUFFIXES if s != suffix]
            for other in old:
                write(self.path("out", "digits_int8" + other), b"old")
            self.refused("compile", DIGITS, "-o", "out", says=["cannot write", suffix, "irectory"])
            self.assertEqual(self.files("out"), sorted("digits_int8" + s for s in SUFFIXES))
            for other in old:
                self.assertEqual(read(self.path("out", "digits_int8" + other)), b"old")
            shutil.rmtree(self.path("out"))

    def test_unwritable_folder(self):
        write(self.path("file"), b"")
        self.refused("compile", DIGITS, "-o", "file", says=["cannot write 'file/"])
        self.refused("compile", DIGITS, "-o", "file/deeper", says=["cannot write 'file/deeper/"])
        self.assertEqual(self.files(), ["file"])
        if os.geteuid() != 0:
            os.mkdir(self.path("locked"), 0o555)
            self.refused("compile", DIGITS, "-o", "locked", says=["Permission denied"])
            self.assertEqual(self.files("locked"), [])

    def test_full_disk(self):
        """A limit on file sizes stands in for a full disk."""
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))
        process = subprocess.run([TOOLS["aotc"], "compile", DIGITS, "-o", "out"], cwd=self.folder,
                                 capture_output=True, timeout=60, preexec_fn=limit)
        self.assertEqual(process.returncode, 1, process.stderr)
        self.assertIn(b"error: cannot write 'out/", process.stderr)
        self.assertEqual(self.files("out"), [])

    def test_percent(self):
        self.aotc("compile", DIGITS, "-o", "100%% %d")
        self.assertEqual(len(self.files("100%% %d")), len(SUFFIXES))

    def test_names(self):
        cases = [("2-net.v1.tflite", [], "t2_net_v1"), ("int.tflite", [], "t_int"),
                 ("Größe 1.tflite", [], "Gr__e_1"), ("x.tflite", ["--name", "kws"], "kws"),
                 ("x.tflite", ["--name", "2-net.v1"], "t2_net_v1"),
                 ("x.tflite", ["--name", "class"], "t_class"),
                 ("x.tflite", ["--name", "../../x"], None)]
        for number, (file, options, expected) in enumerate(cases):
            shutil.copy(DIGITS, self.path(file))
            out = f"out{number}"
            result = self.aotc("compile", file, "-o", out, *options)
            names = self.files(out)
            self.assertEqual(len(names), len(SUFFIXES), names)
            name = os.path.commonprefix(names).rstrip(".")
            self.assertRegex(name, r"^[A-Za-z_][A-Za-z0-9_]*$")
            if expected and "ß" not in file:  # as many '_' as bytes is an accident
                self.assertEqual(name, expected)
            # A name that was asked for and changed is told.
            self.assertEqual("note: " in result.err, bool(options) and name != options[1], result)
            header = read(self.path(out, name + ".h")).decode()
            self.assertIn(f" {name}_run(", header)

    def test_dependency_file(self):
        """make itself reads NAME.d, with spaces, '#' and '$' in the paths."""
        folder = "a b#c$d"
        os.mkdir(self.path(folder))
        model = os.path.join(folder, "my net.tflite")
        shutil.copy(DIGITS, self.path(model))
        self.aotc("compile", model, "-o", folder)
        if not shutil.which("make"):
            self.skipTest("needs make")
        place = folder.replace("$", "$$").replace(" ", "\\ ").replace("#", "\\#")
        write(self.path("Makefile"),
              f"{place}/my_net.o:\n\t@true\ninclude {place}/my_net.d\n".encode())
        # The object depends on the model: it is up to date until the model changes.
        target = os.path.join(folder, "my_net.o")
        make = ["make", "-q", target]
        os.utime(self.path(model), (1, 1))
        self.assertEqual(subprocess.run(make, cwd=self.folder, capture_output=True).returncode, 0)
        os.utime(self.path(model), (2 ** 31 - 1, 2 ** 31 - 1))
        self.assertEqual(subprocess.run(make, cwd=self.folder, capture_output=True).returncode, 1)

    def test_same_bytes(self):
        """Neither place, time, language nor mask gets into the files."""
        for target in ("cortex-m4", "host"):
            options = ["--target", target]
            self.aotc("compile", DIGITS, *options, "-o", target + "/one")
            first = self.bundle(target, "one")
            self.aotc("compile", DIGITS, *options, "-o", target + "/one")
            self.assertEqual(self.bundle(target, "one"), first)  # .d too
            os.makedirs(self.path(target, "deep", "er"))
            shutil.copy(DIGITS, self.path(target, "deep", "er"))
            self.aotc("compile", "er/digits_int8.tflite", *options, "-o", self.path(target, "two"),
                      cwd=self.path(target, "deep"))
            self.assertSameBundle(first, self.bundle(target, "two"))
            self.aotc("compile", DIGITS, *options, "-o", target + "/three", umask=0o077,
                      env={"TZ": "Asia/Tokyo", "LANG": "de_DE.UTF-8", "LC_ALL": "tr_TR.UTF-8",
                           "HOME": self.folder, "SOURCE_DATE_EPOCH": "1", "COLUMNS": "20"})
            self.assertSameBundle(first, self.bundle(target, "three"))
            for suffix, data in first.items():
                if suffix != ".d":
                    self.assertNotIn(self.folder.encode(), data, suffix)
                    self.assertNotIn(os.path.dirname(DIGITS).encode(), data, suffix)


class Phases(CliTest):
    PHASES = ("import", "simplify", "lower", "memory")

    def test_stop_after(self):
        for phase in self.PHASES:
            text = self.aotc("compile", DIGITS, "--target", "cortex-m4", "--stop-after", phase).out
            self.assertTrue(text.startswith("module "), text[:200])
            self.assertEqual("nn.conv_2d" in text, phase in self.PHASES[:2])
            self.assertEqual("instr.kernel" in text, phase in self.PHASES[2:])
            self.assertEqual("arena_bytes" in text, phase == "memory")
        self.assertEqual(self.files(), [])

    def figures(self, name, *folder):
        map_ = json.loads(read(self.path(*folder, name + ".map.json")))
        return {key: map_[key] for key in ("arena_bytes", "weights_bytes", "code_bytes")}

    def test_dump_and_resume(self):
        options = ["--target", "cortex-m4", "--name", "net"]
        self.aotc("compile", DIGITS, *options, "-o", "out", "--dump-phases", "dump")
        dumps = [f"{number}-{phase}.mlir" for number, phase in enumerate(self.PHASES)]
        self.assertEqual(self.files("dump"), dumps)
        expected = self.figures("net", "out")
        output = self.aotc("run", DIGITS, *options).out.splitlines()[0]
        for dump in dumps:
            path = os.path.join("dump", dump)
            self.aotc("compile", path, *options, "-o", dump + ".out")
            self.assertEqual(self.figures("net", dump + ".out"), expected, dump)
            self.assertEqual(self.aotc("run", path, *options).out.splitlines()[0], output, dump)
            self.aotc(path, "--verify-roundtrip", "-o", os.devnull, tool="aotc-opt")

    def test_resume_keeps_options(self):
        """What the first run chose is honoured and recorded by the second; what comes too late is refused."""
        options = ["--target", "cortex-m4", "--name", "net"]
        chosen = ["--keep-tensors", "--kernels=ref"]
        self.aotc("compile", DIGITS, *options, *chosen, "-o", "out", "--dump-phases", "dump")
        lowered = os.path.join("dump", "2-lower.mlir")
        self.aotc("compile", lowered, *options, "-o", "resumed")
        map_, resumed = (json.loads(read(self.path(folder, "net.map.json"))) for folder in ("out", "resumed"))
        self.assertEqual(map_["options"], "--keep-tensors --kernels=ref")
        self.assertEqual(resumed["options"], map_["options"])
        self.assertEqual(self.figures("net", "resumed"), self.figures("net", "out"))
        for late in ("--kernels=ref", "--rows-per-call=2", "--keep-tensors"):
            self.refused("compile", lowered, *options, late, says=[late + " comes too late", "earlier phase"])
        for late in ("--share=none", "--descending", "--input-mode=caller", "--region=a=1MiB", "--plan-effort=2"):
            self.refused("compile", os.path.join("dump", "3-memory.mlir"), *options, late,
                         says=[late + " comes too late"])

    def test_optimize(self):
        """The goal is recorded and honoured by resumed IR; for size is never larger, with the same answers."""
        options = ["--target", "cortex-m4", "--name", "net"]
        bytes_ = {}
        for goal in ("balanced", "speed", "size"):
            self.aotc("compile", DIGITS, *options, "--optimize", goal, "-o", goal, "--dump-phases", "dump")
            map_ = json.loads(read(self.path(goal, "net.map.json")))
            self.assertEqual(map_["options"], "" if goal == "balanced" else "--optimize=" + goal)
            bytes_[goal] = map_["code_bytes"] + map_["weights_bytes"] + map_["arena_bytes"]
            self.aotc("compile", os.path.join("dump", "2-lower.mlir"), *options, "-o", "resumed")
            self.assertEqual(self.figures("net", "resumed"), self.figures("net", goal))
        self.assertLess(bytes_["size"], bytes_["balanced"])
        answers = {self.aotc("run", DIGITS, *options, "--optimize", goal).out.splitlines()[0] for goal in bytes_}
        self.assertEqual(len(answers), 1, answers)
        self.refused("compile", DIGITS, *options, "--optimize", "fast", status=2, says=["--optimize"])
        self.refused("compile", os.path.join("dump", "2-lower.mlir"), *options, "--optimize=speed",
                     says=["--optimize=speed comes too late"])

    def test_resume_wrongly(self):
        self.aotc("compile", DIGITS, "--target", "cortex-m4", "--dump-phases", "dump", "-o", "out")
        for dump in ("dump/2-lower.mlir", "dump/3-memory.mlir"):
            for target in ("host", "cortex-m4+nofp"):
                self.refused("compile", dump, "--target", target, "-o", "no",
                             says=["was lowered for 'cortex-m4'", "give --target cortex-m4"])
        self.refused("compile", "dump/3-memory.mlir", "--target", "cortex-m4", "-o", "no",
                     "--stop-after", "lower", says=["phase 'lower' behind it"])
        self.assertEqual(self.files("no"), [])
        # What only the graph knows is free to change.
        self.aotc("compile", "dump/1-simplify.mlir", "--target", "cortex-a53", "-o", "yes")

    def test_unwritable_dump(self):
        write(self.path("file"), b"")
        self.refused("compile", DIGITS, "--dump-phases", "file/x", "-o", "out", says=["cannot write"])
        self.assertEqual(self.files("out"), [])

    def test_remarks(self):
        result = self.aotc("compile", DIGITS, "--target", "cortex-m4", "--remarks")
        remarks = [line for line in result.err.splitlines() if line.startswith("remark: ")]
        # Nine operators, of which the reshape needs no kernel.
        self.assertEqual(len(remarks), 8, result)
        self.assertIn("operator 0 (CONV_2D)", remarks[0])
        # The name once, and that the filter of 3x3 is not 1x1; no other kernel computes a softmax.
        self.assertRegex(remarks[0], r"': (aotc_conv_2d_s8_\w+), aotc_conv_2d_s8_1x1__dsp rejected: (?!.*\1)")
        self.assertTrue(remarks[-1].endswith(": aotc_softmax_s8__ref, the target's first choice"), remarks[-1])
        text = read(self.path("digits_int8.map.txt")).decode()
        self.assertRegex(text.split("first choice of the target\n")[1], r" 0 +conv_2d_s8\w+ +aotc_conv_2d_s8_1x1__dsp "
                         "rejected: ")
