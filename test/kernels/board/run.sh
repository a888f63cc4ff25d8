#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# run.sh GENERATOR LEVEL COUNT IMAGE BLOB_ADDRESS QEMU...: makes COUNT cases per kernel
# and runs the image over them. Through semihosting, a board prints the image's
# words (on QEMU's error stream) and exits with its status; a Linux program
# (BLOB_ADDRESS is -) takes the cases as its argument. FIRST+COUNT: other cases, for
# sweeps longer than a board's memory.
set -e
cases=$(mktemp)
trap 'rm -f "$cases"' EXIT
"$1" "$2" "$cases" "$3"
image=$4 address=$5
shift 5
if [ "$address" = - ]; then
  timeout 250 "$@" "$image" "$cases"
else
  timeout 250 "$@" -nographic -monitor none -serial none \
    -semihosting-config enable=on,target=native -kernel "$image" \
    -device loader,file="$cases",addr="$address",force-raw=on 2>&1
fi
