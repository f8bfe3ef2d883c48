// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/batch/syscall_faults.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>

#include <cstddef>

namespace collscope {

bool install(const SyscallFault& fault)
{
    const auto argument = static_cast<std::uint32_t>(offsetof(seccomp_data, args) + 8 * fault.argument);
    const std::uint32_t answer = fault.error == 0
        ? SECCOMP_RET_KILL_PROCESS
        : SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(fault.error);
    sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(fault.number), 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, argument), // little-endian: the low half comes first
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, fault.atLeast, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, answer),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    sock_fprog program{sizeof filter / sizeof filter[0], filter};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
        && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

} // namespace collscope
