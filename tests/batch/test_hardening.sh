#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Collscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# test_hardening.sh PROGRAM...   checks that the binaries have the hardening requested from compiler and linker.
set -euo pipefail
failures=0
# has PROGRAM WHAT PATTERN: checks that a line of standard input matches.
has()
{
    if ! grep -Eq "$3"; then
        echo "FAILED: $1: $2" >&2
        failures=$((failures + 1))
    fi
}

for program in "$@"; do
    headers=$(readelf --wide --file-header --program-headers --dynamic "$program")
    symbols=$(readelf --wide --dyn-syms "$program")
    name=$(basename "$program")
    has "$name" "can be loaded at any address" 'Type: +DYN' <<<"$headers"
    has "$name" "tables of addresses are read-only" GNU_RELRO <<<"$headers"
    has "$name" "no stack is executable" 'GNU_STACK.* RW +0x' <<<"$headers"
    has "$name" "the stack protector is on" __stack_chk_fail <<<"$symbols"
    has "$name" "calls of the C library are checked (_FORTIFY_SOURCE)" '__[a-z]+_chk(@|$)' <<<"$symbols"
done
for program in "$1" "$2"; do # those that read traces
    headers=$(readelf --wide --dynamic "$program")
    has "$(basename "$program")" "all addresses are bound at the start" 'BIND_NOW|FLAGS.*NOW' <<<"$headers"
    has "$(basename "$program")" "containers are checked (_GLIBCXX_ASSERTIONS)" __glibcxx_assert_fail < <(readelf --wide --dyn-syms "$program")
done
program=$1
if [ "$(uname -m)" = x86_64 ]; then
    # Indirect branches may only land on endbr64; thousands of functions start with it.
    landings=$(objdump --disassemble --no-show-raw-insn "$program" | grep -c endbr64)
    if [ "$landings" -lt 1000 ]; then
        echo "FAILED: $(basename "$program"): $landings functions start with endbr64 (-fcf-protection)" >&2
        failures=$((failures + 1))
    fi
fi
exit $((failures > 0))
