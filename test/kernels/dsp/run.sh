#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# run.sh GENERATOR IMAGE QEMU COUNT: makes COUNT cases and runs the image over
# them. Through semihosting, QEMU prints the image's words (on its error
# stream) and exits with its status.
set -e
cases=$(mktemp)
trap 'rm -f "$cases"' EXIT
"$1" "$cases" "$4"

timeout 250 "$3" -M mps2-an386 -nographic -monitor none -serial none \
  -semihosting-config enable=on,target=native -kernel "$2" \
  -device loader,file="$cases",addr=0x21000000,force-raw=on 2>&1
