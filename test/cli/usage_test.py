# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Command lines and files that cannot work: one clear line, the right status."""
import json
import os
import re
import time

from support import DIGITS, FLOAT, CliTest, shared, write


class Usage(CliTest):
    def test_help_and_version(self):
        self.assertRegex(self.aotc("--version").out, r"^aotc \d+\.\d+\.\d+\n$")
        text = self.aotc("--help").out
        for verb in ("compile", "share-arena", "run", "verify", "inspect", "targets"):
            self.assertIn(verb, text)
            self.assertIn(verb, self.aotc(verb, "--help").out)
        # CLI11 prints the bytes of an enumeration into its help, unless told otherwise.
        text = self.aotc("compile", "--help").out
        self.assertIn("{none,in-place,overlap}", text)
        self.assertTrue(text.isprintable() or all(c.isprintable() or c == "\n" for c in text))

    def test_targets(self):
        text = self.aotc("targets").out
        for name in ("host", "cortex-m4 ", "cortex-m4+nofp ", "cortex-m33+nodsp+nofp ", "cortex-a53 ", "x86-64-v3 "):
            self.assertIn(name, text)

    def test_print_name(self):
        """What CMake asks before it knows the files' names."""
        for name, prefix in (("kws", "kws"), ("2-nets", "t2_nets"), ("time", "m_time"), ("int", "t_int")):
            self.assertEqual(self.aotc("compile", DIGITS, "--name", name, "--print-name").out, prefix + "\n")
        self.assertEqual(self.aotc("compile", "a b/c.d.tflite", "--print-name").out, "c_d\n")
        # It judges the whole command line, but opens neither model nor plan.
        self.aotc("compile", "a.tflite", "--plan", "not_yet.csv", "--optimize=size", "--print-name")
        for words in (["--optimize=fast"], ["--kernels=avx9"], ["--machine=z"], ["--region=a"], ["--input=there"]):
            self.refused("compile", "a.tflite", *words, "--print-name", status=2, says=[words[0].split("=")[1]])
        self.assertEqual(self.files(), [])

    def test_wrong_words(self):
        """Exit status 2: the command line itself is wrong."""
        self.refused(status=2, says=["--help"])
        self.refused("complie", DIGITS, status=2, says=["unknown command 'complie'", "'compile'?"])
        self.refused("compile", status=2, says=["MODEL", "aotc compile --help"])
        self.refused("compile", DIGITS, "--traget", "host", status=2,
                     says=["unknown option '--traget'", "'--target'?"])
        self.refused("compile", DIGITS, "--optimise=speed", status=2, says=["unknown option '--optimise'", "'--optimize'?"])
        self.refused("--verison", status=2, says=["'--verison'", "'--version'?"])
        self.refused("run", DIGITS, FLOAT, status=2, says=["unknown argument", "digits_float"])
        self.refused("compile", DIGITS, "--target", status=2, says=["--target"])
        self.refused("verify", DIGITS, status=2, says=["--expect"])
        self.refused("run", DIGITS, "--seed", "x", status=2, says=["--seed"])
        self.refused("run", DIGITS, "--timeout", "0", status=2, says=["--timeout"])

    def test_empty_values(self):
        """No option takes an empty text for its default."""
        for verb in ("compile", "run", "verify", "share-arena"):
            # "  --name TEXT …", "  --input,-i TEXT …", "  --remarks   …" (takes none).
            options = re.findall(r"^ +(?:-\w,)?(--[a-z-]+)[-a-z,]* [A-Z[]", self.aotc(verb, "--help").out, re.M)
            for option in sorted(options):
                for words in ([option, ""], [option + "="]):
                    self.refused(verb, DIGITS, *words, status=2, says=[option])
        self.refused("compile", "", status=2, says=["MODEL"])
        self.assertEqual(self.files(), [])

    def test_wrong_values(self):
        self.refused("compile", DIGITS, "--target", "cortexm4", status=2,
                     says=["unknown target 'cortexm4'", "did you mean cortex-m4", "aotc targets"])
        self.refused("compile", DIGITS, "--stop-after", "simplfy", status=2,
                     says=["unknown phase 'simplfy'", "import simplify lower memory"])
        self.refused("compile", DIGITS, "--kernels", "avx9", "--target", "cortex-m4", status=2,
                     says=["no kernels of level 'avx9'", "dsp,fpu,ref"])
        self.refused("compile", DIGITS, "--rows-per-call", "-3", status=2, says=["0 to 2147483648"])
        self.refused("compile", DIGITS, "--share", "all", status=2, says=["in-place"])
        for verb in ("run", "verify"):
            more = ["--expect", "x.bin"] if verb == "verify" else []
            self.refused(verb, DIGITS, "--target", "m4", *more, status=2, says=["unknown target"])
        self.assertEqual(self.files(), [])

    def test_no_model(self):
        """Exit status 1: the file is wrong, whatever the verb."""
        empty = write(self.path("empty.tflite"), b"")
        text = write(self.path("text.tflite"), b"This is no model, but long enough for one.\n")
        cut = write(self.path("cut.tflite"), open(DIGITS, "rb").read()[:5000])
        cases = [("missing.tflite", "No such file"), (self.folder, "is a folder"),
                 (empty, "not a .tflite file"), (text, "not a .tflite file"), (cut, "invalid model")]
        for path, says in cases:
            self.refused("compile", path, "-o", "out", says=[says])
            self.refused("run", path, says=[says])
            self.refused("verify", path, "--expect", "x.bin", says=[says])
            self.refused("inspect", path, says=[says])
        self.assertEqual(self.files("out"), [])

    def test_huge_files(self):
        """Sparse files: refused without reading them, in seconds and little memory."""
        for gigabytes in (5, 3):
            path = self.path(f"huge{gigabytes}.tflite")
            with open(path, "wb") as file:
                file.truncate(gigabytes << 30)
            start = time.monotonic()
            self.refused("compile", path, timeout=20)
            self.refused("inspect", path, timeout=20)
            self.assertLess(time.monotonic() - start, 10)
            os.remove(path)

    def test_unreadable_ir(self):
        path = write(self.path("bad.mlir"), b"module {\n  garbage\n}\n")
        self.refused("compile", path, says=["bad.mlir:2:3: "])
        path = write(self.path("none.mlir"), b"module { }\n")
        self.refused("compile", path, says=["none.mlir", "no function"])


class Inspect(CliTest):
    def test_supported(self):
        text = self.aotc("inspect", DIGITS).out
        self.assertIn("supported: yes", text)
        self.assertIn("DEPTHWISE_CONV_2D", text)
        model = json.loads(self.aotc("inspect", DIGITS, "--json").out)
        self.assertEqual(model["supported"], True)
        # examples/digits/train.py: three convolutions, two depthwise ones, a
        # pool, a reshape, a dense layer and a softmax.
        codes = [operator["code"] for operator in model["operators"]]
        self.assertEqual(codes.count("CONV_2D"), 3)
        self.assertEqual(codes[-1], "SOFTMAX")
        self.assertEqual(model["tensors"][model["inputs"][0]]["shape"], [1, 8, 8, 1])

    def test_names_for_terminals(self):
        """What would steer a terminal is not printed; JSON keeps the name."""
        tensors = json.loads(self.aotc("inspect", DIGITS, "--json").out)["tensors"]
        name = max((tensor["name"] for tensor in tensors), key=len)
        model = open(DIGITS, "rb").read().replace(name.encode(), b"\x1b[2J" + name[4:].encode())
        path = write(self.path("x.tflite"), model)
        text = self.aotc("inspect", path).out
        self.assertNotIn("\x1b", text)
        self.assertIn("?[2J", text)
        self.assertIn("\x1b[2J", "".join(tensor["name"] for tensor in json.loads(
            self.aotc("inspect", path, "--json").out)["tensors"]))

    def test_garbage(self):
        path = write(self.path("x.tflite"), bytes(range(256)) * 8)
        self.refused("inspect", path, says=["x.tflite: invalid model: "])
        model = json.loads(self.aotc("inspect", path, "--json", status=1).out)
        self.assertEqual(model["supported"], False)

    def test_unsupported(self):
        """Every unsupported operator is listed at once, by inspect and by compile."""
        path = shared("models", "coral_split_concat_uint8.tflite")
        model = json.loads(self.aotc("inspect", path, "--json").out)
        if model["supported"]:
            self.skipTest("needs a model with unsupported operators")
        for text in model["problems"]:
            self.assertRegex(text, r"^unsupported: (operator \d+ \(\w+\)|\w+)")
        result = self.aotc("compile", path, status=1)
        # One line each; behind them, once, what there is instead.
        lines = result.err.splitlines()
        self.assertEqual(sum("error: " in line for line in lines), len(model["problems"]), result)
        notes = [line for line in lines if "note: " in line]
        self.assertEqual(len(lines), len(model["problems"]) + len(notes), result)
        missing = any("is not implemented" in text for text in model["problems"])
        self.assertEqual(len(notes), missing, result)
        self.assertLessEqual({"ADD", "CONV_2D", "SOFTMAX"}, set(model["implemented"]))
        for name in model["implemented"] if missing else []:
            self.assertIn(name, notes[0])
        self.assertIn(", ".join(model["implemented"]), self.aotc("inspect", path).out)
        for text in model["problems"]:
            self.assertIn(text, result.err)
