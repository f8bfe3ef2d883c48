// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/fuzz/hang_target.h"
#include "tests/fuzz/reader_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    return collscope::judgeBytes(collscope::flightRecorderReader, "nccl_trace_rank_0", {data, size});
}
