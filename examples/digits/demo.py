#!/usr/bin/env python3
"""./dev demo: compiles the digit classifier for a Cortex-M4 and runs it there,
emulated, on ten handwritten digits it was not trained on."""
import argparse
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SHADES = " .:-=+*#%@"


def digits():
    """[(label, 64 pixels from 0 to 16)] of digits.txt."""
    result = []
    with open(os.path.join(HERE, "digits.txt")) as file:
        for line in file:
            if not line.startswith("#"):
                label, pixels = line.split(":")
                result.append((int(label), [int(p) for p in pixels.split()]))
    return result


def picture(pixels):
    """Eight rows of text, two characters a pixel."""
    return ["".join(SHADES[p * 9 // 16] * 2 for p in pixels[y * 8:y * 8 + 8]) for y in range(8)]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--aotc", required=True)
    parser.add_argument("--target", default="cortex-m4")
    arguments = parser.parse_args()
    model = os.path.join(HERE, "digits_int8.tflite")
    samples = digits()
    with tempfile.TemporaryDirectory() as folder:
        print(f"$ aotc compile examples/digits/digits_int8.tflite --target {arguments.target} --name digits")
        subprocess.run([arguments.aotc, "compile", model, "--target", arguments.target,
                        "--name", "digits", "-o", folder], check=True)
        with open(os.path.join(folder, "digits.map.json")) as file:
            map_ = json.load(file)
        scale, zero = map_["inputs"][0]["scale"], map_["inputs"][0]["zero_point"]
        data = os.path.join(folder, "digits.bin")
        with open(data, "wb") as file:
            for _, pixels in samples:
                file.write(bytes(max(-128, min(127, round(p / 16 / scale) + zero)) & 255 for p in pixels))
        figures = os.path.join(folder, "figures.json")
        print(f"$ aotc run examples/digits/digits_int8.tflite --target {arguments.target} --input digits.bin\n")
        subprocess.run([arguments.aotc, "run", model, "--target", arguments.target, "--input", data,
                        "--output-dir", folder, "--json", figures], check=True,
                       stdout=subprocess.DEVNULL)
        with open(figures) as file:
            result = json.load(file)
        with open(os.path.join(folder, result["outputs"][0]["file"]), "rb") as file:
            scores = file.read()
    right = 0
    for row in range(0, len(samples), 5):
        group = samples[row:row + 5]
        pictures = [picture(pixels) for _, pixels in group]
        for line in zip(*pictures):
            print("  ".join(line))
        answers = []
        for index, (label, _) in enumerate(group, row):
            votes = [(value + 128) % 256 for value in scores[index * 10:index * 10 + 10]]
            answer = max(range(10), key=votes.__getitem__)
            right += answer == label
            answers.append(f"digit {label}, answer {answer}".ljust(16))
        print("  ".join(answers) + "\n")
    flash = result["code_bytes"] + result["weights_bytes"]
    print(f"{right} of {len(samples)} right on {arguments.target} (emulated)")
    print(f"RAM           {result['arena_bytes']:>8,} bytes arena + {result['stack_bytes']:,} bytes stack")
    print(f"flash         {flash:>8,} bytes ({result['code_bytes']:,} code, {result['weights_bytes']:,} weights)")
    if result.get("instructions") is not None:
        print(f"instructions  {result['instructions']:>8,} per digit")
    return 0 if right >= 8 else 1


if __name__ == "__main__":
    sys.exit(main())
