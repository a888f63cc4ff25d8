# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Several models: `aotc compile A B --share-arena`, `aotc share-arena`."""
import json
import os

from support import DIGITS, FLOAT, SUFFIXES, CliTest, read, write

ARENA = [s for s in SUFFIXES if s not in (".o", ".html")]  # a shared arena's files
BOTH = [DIGITS, FLOAT, "--name", "quick", "--name", "careful", "--target", "cortex-m4"]


class SharedArena(CliTest):
    def json(self, *parts):
        return json.loads(read(self.path(*parts)))

    def test_compile(self):
        text = self.aotc("compile", *BOTH, "--share-arena", "pool", "-o", "out").out
        self.assertEqual(self.files("out"), sorted([m + s for m in ("quick", "careful") for s in SUFFIXES]
                                                   + ["pool" + s for s in ARENA]))
        quick, careful, pool = (self.json("out", name + ".map.json") for name in ("quick", "careful", "pool"))
        least, most = sorted((quick["arena_bytes"], careful["arena_bytes"]))
        self.assertEqual((pool["arena_bytes"], pool["apart_bytes"]), (most, least + most))
        self.assertEqual(pool["regions"], [{"name": "arena", "symbol": "arena", "bytes": most, "align": quick["regions"][0]["align"],
                                            "set_by": "careful"}])
        self.assertEqual([m["abi_symbol"] for m in pool["models"]], [quick["abi_symbol"], careful["abi_symbol"]])
        self.assertIn(f"pool: one arena of {most} bytes instead of {least + most} for quick and careful; out/pool.h\n", text)
        map_text = read(self.path("out", "pool.map.txt")).decode()
        for line in (rf"quick +{least:,} ", rf"careful +{most:,} ", "careful sets the size"):
            self.assertRegex(map_text, line)
        self.assertEqual(read(self.path("out", "pool.d")).decode(), f"out/pool.h: {DIGITS} {FLOAT}\n")
        # The bundles are those of models compiled alone.
        self.aotc("compile", DIGITS, "--name", "quick", "--target", "cortex-m4", "-o", "alone")
        for suffix in SUFFIXES[:-1]:
            self.assertEqual(read(self.path("out", "quick" + suffix)), read(self.path("alone", "quick" + suffix)))

    def test_from_maps(self):
        """The same files from bundles that exist, wherever they were made."""
        self.aotc("compile", *BOTH, "--share-arena", "pool", "-o", "out")
        maps = ["out/quick.map.json", "out/careful.map.json"]
        self.aotc("share-arena", *maps, "--name", "pool", "-o", "later")
        self.assertEqual(self.files("later"), sorted("pool" + s for s in ARENA))
        for suffix in ARENA[:-1]:
            self.assertEqual(read(self.path("out", "pool" + suffix)), read(self.path("later", "pool" + suffix)))
        self.assertEqual(read(self.path("later", "pool.d")).decode(), f"later/pool.h: {' '.join(maps)}\n")
        # A list of one is no mistake: a build may leave models out.
        self.aotc("share-arena", maps[0], "--name", "pool", "-o", "one")
        self.assertEqual(self.json("one", "pool.map.json")["arena_bytes"], self.json("out", "quick.map.json")["arena_bytes"])
        self.assertIn("called 'my_pool'", self.aotc("share-arena", maps[0], "--name", "my-pool", "-o", "two").err)
        self.assertIn("my_pool.h", self.files("two"))

    def test_several_models(self):
        """Without an arena in common; all errors are told, and nothing is written."""
        self.aotc("compile", DIGITS, FLOAT, "-o", "out")
        self.assertEqual(len(self.files("out")), 2 * len(SUFFIXES))
        bad = write(self.path("bad.tflite"), b"no model, but long enough for the header of one")
        errors = self.aotc("compile", "none.tflite", DIGITS, bad, "-o", "no", status=1).err.splitlines()
        self.assertEqual([("none.tflite" in e, "bad.tflite" in e) for e in errors], [(True, False), (False, True)])
        self.refused("compile", DIGITS, DIGITS, "-o", "no", says=["are both called 'digits_int8'", "--name"])
        self.refused("compile", *BOTH[:4], "-o", "no", status=2, says=["2 models and 1 names", "one --name for each"])
        for option in (["--stop-after", "lower"], ["--dump-phases", "dump"]):
            self.refused("compile", DIGITS, FLOAT, *option, "-o", "no", status=2, says=["one model at a time"])
        self.assertEqual(self.files("no"), [])

    def test_refused(self):
        self.refused("compile", *BOTH, "--share-arena", "Quick", "-o", "no",
                     says=["'quick' is the name of the shared arena too", "another --name"])
        self.refused("compile", DIGITS, FLOAT, "--name", "Net", "--name", "net", "--share-arena", "pool", "-o", "no",
                     says=["'net' is the name of another model too", "macros would clash"])
        self.assertEqual(self.files("no"), [])
        self.aotc("compile", DIGITS, "--name", "small", "--target", "cortex-m4", "-o", "out")
        self.aotc("compile", FLOAT, "--name", "big", "--target", "host", "-o", "out")
        maps = ["out/small.map.json", "out/big.map.json"]
        self.refused("share-arena", *maps, "--name", "pool", says=["'small' is compiled for cortex-m4", "no program has both"])
        self.refused("share-arena", maps[0], status=2, says=["--name"])
        self.refused("share-arena", "--name", "pool", status=2, says=["MAP"])

    def test_state(self):
        """State is what another model must not overwrite."""
        self.aotc("compile", DIGITS, "--target", "cortex-m4", "--dump-phases", "dump", "-o", "out")
        lines = read(self.path("dump", "2-lower.mlir")).decode().splitlines(keepends=True)
        first = next(i for i, line in enumerate(lines) if "instr.alloc" in line)
        lines.insert(first, '%state = instr.alloc "memory" align 4 {role = #instr.role<state>} : memref<64xi8>\n')
        last = next(i for i, line in enumerate(lines) if line.strip() == "return")
        lines.insert(last, "instr.dealloc %state : memref<64xi8>\n")
        write(self.path("state.mlir"), "".join(lines).encode())
        self.refused("compile", "state.mlir", DIGITS, "--target", "cortex-m4", "--share-arena", "pool", "-o", "no",
                     says=["'state' keeps 64 bytes of state", "an arena of its own"])
        self.assertEqual(self.files("no"), [])

    def test_bad_maps(self):
        """Maps may come from anywhere, and their names go into C."""
        self.aotc("compile", DIGITS, "--name", "a", "-o", "out")
        good = self.json("out", "a.map.json")
        region = good["regions"][0]

        def changed(**keys):
            return json.dumps({**good, **keys}).encode()
        cases = [(b"", "'x.map.json': "), (b"{", "'x.map.json': "), (b"[]", "no memory map of a model"),
                 (b"[" * 1000000, "nested too deeply"), (read(self.path("out", "a.o")), "'x.map.json': "),
                 (b'{"schema": "aotc.map.2"}', "no memory map of a model"),
                 (b'{"schema": "aotc.map.1"}', "no text 'name'"),
                 (changed(name="x y"), "no identifier 'name'"), (changed(name="int"), "no identifier 'name'"),
                 (changed(name="a_h\n#include <stdio.h>"), "no identifier 'name'"), (changed(name=3), "no text 'name'"),
                 (changed(arena_bytes=-1), "no size 'arena_bytes'"), (changed(arena_bytes=1 << 62), "no size 'arena_bytes'"),
                 (changed(arena_bytes="1"), "no size 'arena_bytes'"), (changed(regions=[]), "no list 'regions'"),
                 (changed(regions=[3]), "no objects in 'regions'"), (changed(regions=[region, region]), "no own text 'name'"),
                 (changed(regions=[{**region, "align": 12}]), "no power of two 'align'"),
                 (changed(regions=[{**region, "align": 0}]), "no power of two 'align'"),
                 (changed(regions=[{**region, "bytes": None}]), "no size 'bytes'"),
                 (changed(regions=[{**region, "symbol": "a(b"}]), "no identifier 'symbol'"),
                 (changed(regions=[{**region, "section": "a\"b"}]), "no section's name 'section'")]
        for data, says in cases:
            write(self.path("x.map.json"), data)
            self.refused("share-arena", "x.map.json", "--name", "pool", "-o", "no", says=[says])
        self.refused("share-arena", "none.map.json", "--name", "pool", "-o", "no", says=["cannot read"])
        self.aotc("share-arena", "out/a.map.json", "--name", "pool", "-o", "yes")
        write(self.path("file"), b"")
        self.refused("share-arena", "out/a.map.json", "--name", "pool", "-o", "file", says=["cannot write"])
        # A model's file name may hold anything; comments and JSON survive it.
        write(self.path("x.map.json"), changed(model_file='*/ "\n<script>', target="*/ \n?"))
        self.aotc("share-arena", "x.map.json", "--name", "pool", "-o", "odd")
        self.assertNotIn("script", read(self.path("odd", "pool.h")).decode())
        self.assertEqual(self.json("odd", "pool.map.json")["models"][0]["model_file"], '*/ "\n<script>')
        self.assertEqual(os.path.exists(self.path("no")), False)
