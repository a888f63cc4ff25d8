# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the command-line tests share: a runner of aotc and the models."""
import os
import re
import subprocess
import tempfile
import unittest

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
SHARED = os.environ.get("AOTC_SHARED") or os.path.join(ROOT, "..", "shared")
DIGITS = os.path.join(ROOT, "examples", "digits", "digits_int8.tflite")
FLOAT = os.path.join(ROOT, "examples", "digits", "digits_float.tflite")
SUFFIXES = (".o", ".h", ".map.json", ".map.txt", ".html", ".d")
TOOLS = {}  # name -> path of aotc, aotc-opt


class Result:
    """One finished command. Exit status, standard output and error."""

    def __init__(self, process):
        self.status = process.returncode
        self.out = process.stdout.decode(errors="replace")
        self.err = process.stderr.decode(errors="replace")

    def __str__(self):
        return f"exit status {self.status}\nstdout: {self.out[:2000]}\nstderr: {self.err[:2000]}"


def write(path, data):
    with open(path, "wb") as file:
        file.write(data)
    return path


def read(path):
    with open(path, "rb") as file:
        return file.read()


def shared(*parts):
    """A path below the shared data; skips the test where it is missing."""
    path = os.path.join(SHARED, *parts)
    if not os.path.exists(path):
        raise unittest.SkipTest("needs " + "/".join(("shared",) + parts))
    return path


class CliTest(unittest.TestCase):
    """A test with a folder of its own, in which the commands run."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="aotc-cli-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    def aotc(self, *arguments, status=0, tool="aotc", cwd=None, env=None, umask=-1, timeout=100,
             missing_emulator=False):
        process = subprocess.run([TOOLS[tool], *arguments], cwd=cwd or self.folder,
                                 stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, timeout=timeout, umask=umask,
                                 env=dict(os.environ, **(env or {})))
        result = Result(process)
        missing = re.search("'(qemu-[a-z0-9-]+)' not found", result.err)
        if missing and not missing_emulator:
            raise unittest.SkipTest("needs " + missing[1])
        self.assertEqual(result.status, status, f"aotc {' '.join(arguments)}\n{result}")
        return result

    def refused(self, *arguments, status=1, says=(), **options):
        """Must fail with one line that holds every text of `says`."""
        result = self.aotc(*arguments, status=status, missing_emulator=any("qemu" in text for text in says), **options)
        lines = result.err.splitlines()
        self.assertEqual(len(lines), 1, result)
        self.assertTrue(lines[0].startswith("error: "), result)
        self.assertLess(len(lines[0]), 500, result)
        self.assertEqual(result.out, "", result)
        for text in says:
            self.assertIn(text, lines[0])
        return lines[0]

    def files(self, *parts):
        folder = self.path(*parts)
        return sorted(os.listdir(folder)) if os.path.isdir(folder) else []
