#!/usr/bin/env python3
"""A section of ./dev bench: one inference on this machine, one thread, beside LiteRT (XNNPACK), ONNX Runtime and
IREE, timed in turns by the shared data folder's tools/peers. That tool's environment has to be set up once
(`peers.py setup VENV`, about 2 GB); $AOTC_PEERS names VENV. Times are medians; the ratio to the best peer is the
median over rounds, so that drift of the machine's clock cancels."""
import argparse
import json
import lzma
import math
import os
import subprocess
import sys
import tempfile

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
SHARED = os.environ.get("AOTC_SHARED") or os.path.join(ROOT, "..", "shared")
PEERS = ["litert", "ort", "iree"]
INT8 = ["models/mlperf_ad01_int8", "models/mlperf_kws_dscnn_int8", "models/mlperf_vww96_int8",
        "models/mlperf_resnet8_int8", "models/tflm_person_detect_int8", "models/mcunet_vww_int8",
        "models_made/mobilenet_v2_100_224_int8"]
FLOAT = ["models/mlperf_resnet8_float", "models_made/mobilenet_v2_100_224_float32"]

# Inputs are copied in before each inference, for the arena's input may be overwritten: floats stay in their range.
MAIN = """
#include "model.h"
#include "bench_main.h"
MODEL_ARENA(arena);
static _Alignas(16) unsigned char given[MODEL_INPUT_SIZE * sizeof *model_input(arena)];
static void infer(void) {
  memcpy(model_input(arena), given, sizeof given);
  if (model_run(arena, sizeof arena) != AOTC_OK)
    exit(1);
}
int main(int argc, char **argv) {
  unsigned state = 1;
  for (size_t i = 0; i < sizeof given; ++i)
    given[i] = (unsigned char)((state = state * 1664525u + 1013904223u) >> 24);
  if (FLOATS) {
    float x;
    for (size_t i = 0; i < sizeof given / 4; ++i) {
      x = (float)given[4 * i] / 256;
      memcpy(given + 4 * i, &x, 4);
    }
  }
  return bench_main(argc, argv, infer);
}
"""


def program(aotc, model, target, folder, options=()):
    """A program in peers.py's protocol around the bundle of `model`; its path, or None and why not."""
    done = subprocess.run([aotc, "compile", model, "--target", target, "--name", "model", "-o", folder, *options],
                          capture_output=True, text=True)
    if done.returncode:
        return None, done.stderr.strip().split("\n")[0]
    with open(os.path.join(folder, "model.map.json")) as file:
        floats = json.load(file)["inputs"][0]["type"] == "f32"
    main = os.path.join(folder, "main.c")
    with open(main, "w") as file:
        file.write(MAIN)
    exe = os.path.join(folder, "bench")
    subprocess.run(["cc", "-O2", f"-DFLOATS={int(floats)}", "-I", folder, "-I", os.path.join(SHARED, "tools", "peers"),
                    main, os.path.join(folder, "model.o"), "-o", exe], check=True)
    return exe, ""


def unpacked(name, folder):
    """The path of a model that may be stored compressed."""
    path = os.path.join(SHARED, name + ".tflite")
    if os.path.exists(path):
        return path
    plain = os.path.join(folder, os.path.basename(path))
    with lzma.open(path + ".xz") as packed, open(plain, "wb") as file:
        file.write(packed.read())
    return plain


def measure(arguments, name, folder):
    model = unpacked(name, folder)
    exe, reason = program(arguments.aotc, model, arguments.target, folder, arguments.option)
    if not exe:
        print(f"{os.path.basename(name):32s} skipped: {reason}")
        return None
    figures = os.path.join(folder, "figures.json")
    peers_py = os.path.join(SHARED, "tools", "peers", "peers.py")
    command = [os.path.join(arguments.peers, "bin", "python"), peers_py, "time", model, "--exe", exe, "--json", figures,
               "--peers", ",".join(PEERS), "--rounds", str(arguments.rounds), "--seconds", str(arguments.seconds)]
    if arguments.cache:
        command += ["--cache", arguments.cache]
    timed = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if timed.returncode:
        sys.exit(f"error: {os.path.basename(model)}: peers.py failed ({timed.returncode}):\n{timed.stdout}")
    with open(figures) as file:
        return json.load(file)


def described(aotc, target):
    """What `aotc targets` says of a CPU: "this machine (znver3), kernels: avx2,ref; x86_64-pc-linux-gnu"."""
    lines = subprocess.run([aotc, "targets"], check=True, capture_output=True, text=True).stdout.splitlines()
    at = next(i for i, line in enumerate(lines) if line.split()[:1] == [target])
    return lines[at].split(None, 1)[1] + ", " + lines[at + 1].strip()


def table(arguments):
    print("\n".join(["", f"one inference on this machine, one thread, {arguments.target}: "
                     f"{described(arguments.aotc, arguments.target)}",
                     f"aotc{''.join(' ' + option for option in arguments.option)}: microseconds, and ratio to the best peer"]))
    print(f"{'model':32s} {'aotc':>9s} " + " ".join(f"{peer:>9s}" for peer in PEERS) + f" {'ratio':>6s}")
    ratios = []
    for name in arguments.models or INT8 + FLOAT:
        with tempfile.TemporaryDirectory() as folder:
            figures = measure(arguments, name, folder)
        if figures:
            ratios.append(row(name, figures))
    if ratios:
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        print(f"geometric mean {mean:.2f}, largest {max(ratios):.2f}")


def row(name, figures):
    """Prints one line; the ratio to the best peer."""
    ours, = figures["exes"].values()
    best = figures["best_peer"]
    ratio = ours["ratio"][best]["median"]
    times = " ".join(f"{figures['peers'].get(peer, {}).get('median_us', math.nan):>9.1f}" for peer in PEERS)
    print(f"{os.path.basename(name):32s} {ours['median_us']:>9.1f} {times} {ratio:>6.2f}", flush=True)
    return ratio


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--aotc", required=True)
    parser.add_argument("--target", default="host")
    parser.add_argument("--peers", default=os.environ.get("AOTC_PEERS"), metavar="VENV")
    parser.add_argument("--cache", help="folder where peers keep converted models")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.3)
    parser.add_argument("--option", action="append", default=[], help="of aotc compile, as --option=--share=none")
    parser.add_argument("models", nargs="*", help="paths below the shared folder, without .tflite")
    arguments = parser.parse_args()
    if not os.path.isdir(SHARED):
        print(f"skipped: needs the shared data folder ($AOTC_SHARED, or {SHARED})")
    elif not arguments.peers:
        print("\nthis machine beside other runtimes skipped: needs $AOTC_PEERS (peers.py setup)")
    else:
        table(arguments)
    return 0


if __name__ == "__main__":
    sys.exit(main())
