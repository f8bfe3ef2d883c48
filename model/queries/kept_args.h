// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Finds slices by the args that the model keeps, under the names used by the profiler.

#include "model/trace_model.h"

#include <functional>
#include <string_view>
#include <vector>

namespace collscope {

/// Tests an arg of an event.
using ArgTest = std::function<bool(std::string_view name, std::string_view value)>;

/// Tests details of kernels and copies, metadata of collectives, and ids of launches. Equal details share a
/// row of the model, so each is tested once.
class KeptArgs
{
public:
    KeptArgs(const TraceModel& model, ArgTest isWanted);

    /// True if any of the slice's kept args is wanted.
    bool isWanted(SliceRef slice);

private:
    enum class Verdict : std::int8_t
    {
        Unknown,
        No,
        Yes
    };
    bool isWantedDetail(const Timeline& timeline, std::uint32_t row);
    bool isWantedCall(const Timeline& timeline, std::uint32_t row) const;

    const TraceModel& m_model;
    ArgTest m_isWanted;
    std::vector<std::vector<Verdict>> m_details; ///< by timeline, by row of its kernelDetails
};

} // namespace collscope
