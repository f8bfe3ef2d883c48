// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// CUDA memory snapshots as text, put together of events, segments and blocks.
#pragma once

#include "tests/support/texts/pickle_text.h"

namespace collscope::py {

inline constexpr std::int64_t mebibyte = std::int64_t{1} << 20;

inline std::string memoryEvent(const char* action, std::int64_t address, std::int64_t bytes,
                               std::int64_t timeUs, const std::string& frames = "]")
{
    return dict({{"action", text(action)},
                 {"addr", integer(address)},
                 {"size", integer(bytes)},
                 {"stream", integer(0)},
                 {"time_us", integer(timeUs)},
                 {"frames", frames}});
}

inline std::string frame(const char* name, const char* file, int line)
{
    return dict({{"name", text(name)}, {"filename", text(file)}, {"line", integer(line)}});
}

inline std::string block(std::int64_t address, std::int64_t bytes, const char* state,
                         const std::string& frames = "]")
{
    return dict({{"address", integer(address)},
                 {"size", integer(bytes)},
                 {"requested_size", integer(bytes / 2)},
                 {"state", text(state)},
                 {"frames", frames}});
}

inline std::string segment(std::int64_t address, std::int64_t total, std::int64_t allocated,
                           std::int64_t active, const std::vector<std::string>& blocks,
                           const std::string& more = {})
{
    return "}(" + text("device") + integer(0) + text("address") + integer(address) + text("total_size")
        + integer(total) + text("allocated_size") + integer(allocated) + text("active_size") + integer(active)
        + text("segment_type") + text("large") + more + text("blocks") + list(blocks) + "u";
}

inline std::string snapshot(const std::vector<std::string>& segments, const std::vector<std::string>& events)
{
    return pickle(dict({{"segments", list(segments)}, {"device_traces", list({list(events)})}}));
}

/// Where the events of these snapshots begin, in us.
inline constexpr std::int64_t base = 1'700'000'000'000'000;

/// Two tensors of 4 MiB, then one of 8; the second is freed, a little later its block is, and a third lives.
inline std::string smallSnapshot()
{
    const std::string model = list({frame("unwind", "??", 0), frame("linear", "/x/torch/nn/functional.py", 7),
                                    frame("forward", "/job/model.py", 42)});
    return snapshot({segment(1 << 30, 20 * mebibyte, 8 * mebibyte, 12 * mebibyte,
                             {block(1 << 30, 8 * mebibyte, "active_allocated", model),
                              block((1 << 30) + 8 * mebibyte, 4 * mebibyte, "active_pending_free"),
                              block((1 << 30) + 12 * mebibyte, 8 * mebibyte, "inactive")})},
                    {memoryEvent("segment_alloc", 1 << 30, 20 * mebibyte, base),
                     memoryEvent("alloc", (1 << 30) + 8 * mebibyte, 4 * mebibyte, base + 10, model),
                     memoryEvent("alloc", (1 << 30) + 12 * mebibyte, 4 * mebibyte, base + 20, model),
                     memoryEvent("alloc", 1 << 30, 8 * mebibyte, base + 30, model),
                     memoryEvent("free_requested", (1 << 30) + 12 * mebibyte, 4 * mebibyte, base + 40),
                     memoryEvent("free_completed", (1 << 30) + 12 * mebibyte, 4 * mebibyte, base + 50),
                     memoryEvent("oom", 123, 64 * mebibyte, base + 55),
                     memoryEvent("free_requested", (1 << 30) + 8 * mebibyte, 4 * mebibyte, base + 60)});
}

} // namespace collscope::py
