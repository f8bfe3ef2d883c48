// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Faults of the machine, made by the kernel for one process and what it starts (seccomp): the program under
// test is the real one, without a seam for tests.

#include <cstdint>

namespace collscope {

/// One system call that goes wrong from now on, in the process that asks for it.
struct SyscallFault
{
    long number = 0; ///< SYS_pread64 ...
    unsigned argument = 0; ///< only where this argument of the call ...
    std::uint32_t atLeast = 0; ///< ... is not below this (its low 32 bits)
    int error = 0; ///< what the call answers; 0: the process is killed instead
};

/// False if the kernel does not let us. Safe between fork() and exec().
bool install(const SyscallFault& fault);

} // namespace collscope
