// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The ids of processes and threads in Nsight Systems exports.

#include <cstdint>
#include <string>

namespace collscope {

// A global id contains the process in bits 24 to 47 and the thread in the low 24 bits; a globalPid has no
// thread.
constexpr std::int64_t nsysThreadMask = 0xFFFFFF;
inline std::int64_t nsysProcessOf(std::int64_t globalTid)
{
    return globalTid & ~nsysThreadMask;
}
inline std::string nsysPidText(std::int64_t globalId)
{
    return std::to_string((globalId >> 24) & nsysThreadMask);
}

} // namespace collscope
