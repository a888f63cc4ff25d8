// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The emulated boards: QEMU's memory maps (hw/arm/mps2.c and its siblings),
// which follow the boards' manuals. With `-icount shift=0` an instruction takes
// 1 ns of emulated time, so a tick of a 25 MHz timer is 40 instructions.

#include "compiler/run/Image.h"

using namespace aotc;

static constexpr uint64_t KiB = 1024, MiB = 1024 * KiB;

static const Board boards[] = {
    {.machine = "mps2-an385",         // Cortex-M3
     .code = {0x00000000, 4 * MiB},   // SSRAM1
     .ram = {0x20000000, 4 * MiB},    // SSRAM2 and 3
     .extra = {0x21000000, 16 * MiB}, // PSRAM
     .timer = 0x40000000,             // CMSDK timer 0, 25 MHz
     .instructionsPerTick = 40,
     .stackBytes = 64 * KiB},
    {.machine = "mps2-an386",         // Cortex-M4
     .code = {0x00000000, 4 * MiB},   // SSRAM1
     .ram = {0x20000000, 4 * MiB},    // SSRAM2 and 3
     .extra = {0x21000000, 16 * MiB}, // PSRAM
     .timer = 0x40000000,             // CMSDK timer 0, 25 MHz
     .instructionsPerTick = 40,
     .stackBytes = 64 * KiB},
    {.machine = "mps2-an500", // Cortex-M7
     .code = {0x00000000, 4 * MiB},
     .ram = {0x20000000, 4 * MiB},
     .extra = {0x60000000, 16 * MiB},
     .timer = 0x40000000,
     .instructionsPerTick = 40,
     .stackBytes = 64 * KiB},
    // Armv8-M starts in secure state, with all memory secure.
    {.machine = "mps2-an505",         // Cortex-M33
     .code = {0x10000000, 4 * MiB},   // SSRAM1, secure alias
     .ram = {0x38000000, 4 * MiB},    // SSRAM2 and 3, secure alias
     .extra = {0x80000000, 16 * MiB}, // PSRAM
     .timer = 0x50000000,             // CMSDK timer 0, secure alias, 20 MHz
     .instructionsPerTick = 50,
     .stackBytes = 64 * KiB},
    {.machine = "mps3-an547",         // Cortex-M55; no CMSDK timer of a whole ratio
     .code = {0x00000000, 512 * KiB}, // ITCM
     .ram = {0x21000000, 4 * MiB},    // SRAM
     .extra = {0x60000000, 16 * MiB}, // DDR
     .timer = 0,
     .instructionsPerTick = 0,
     .stackBytes = 64 * KiB},
    {.machine = "microbit", // Cortex-M0 (nRF51822); no CMSDK timer
     .code = {0x00000000, 256 * KiB},
     .ram = {0x20000000, 16 * KiB},
     .extra = {},
     .timer = 0,
     .instructionsPerTick = 0,
     .stackBytes = 3 * KiB},
};

const Board *aotc::findBoard(llvm::StringRef machine) {
  for (const Board &board : boards)
    if (board.machine == machine)
      return &board;
  return nullptr;
}
