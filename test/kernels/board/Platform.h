// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What Image.cpp needs of the machine below it: CortexM.cpp on emulated boards,
// Linux.cpp under a user-mode emulator.
#pragma once

void print(const char *text);
[[noreturn]] void leave(bool good);

/// Image.cpp: all cases of the blob; false if one is wrong.
bool run_all(char *blob);
