# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The exit status of test/skip_main.py: 0 passed, 1 failed, 77 nothing left to check."""
import os
import subprocess
import sys
import tempfile

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
FILE = f"""import sys, unittest
sys.path.insert(0, {ROOT!r})
import skip_main
class T(unittest.TestCase):
    def test_pass(self): pass
    def test_skip(self): self.skipTest("needs luck")
    def test_fail(self): self.fail()
class Whole(T):
    @classmethod
    def setUpClass(cls): raise unittest.SkipTest("needs luck")
class Empty(unittest.TestCase): pass
sys.exit(skip_main.run(sys.argv[1:]))
"""
EXPECTED = {("T.test_pass",): 0, ("T.test_skip",): 77, ("T.test_fail",): 1, ("T.test_pass", "T.test_skip"): 0,
            ("T.test_skip", "T.test_fail"): 1, ("Whole",): 77, ("Empty",): 1, ("Unknown",): 1}


def main():
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "file_test.py")
        with open(path, "w") as file:
            file.write(FILE)
        for names, status in EXPECTED.items():
            result = subprocess.run([sys.executable, path, *names], capture_output=True, text=True)
            good = result.returncode == status and (status != 77 or "skipped: needs luck" in result.stdout)
            wrong += not good
            print(f"{'ok  ' if good else 'FAIL'} {' '.join(names)}: {result.returncode}, wanted {status}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
