// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Slices by their args: what the model keeps of them, under the names that the profiler gives them.

#include "model/trace_model.h"

#include <functional>
#include <string_view>
#include <vector>

namespace collscope {

/// Asked about an arg of an event.
using ArgTest = std::function<bool(std::string_view name, std::string_view value)>;

/// Details of kernels and copies, metadata of collectives, ids of launches. Equal details are one row of the
/// model: each is asked about once.
class KeptArgs
{
public:
    KeptArgs(const TraceModel& model, ArgTest isWanted);

    /// True if one of the args that are kept of the slice is wanted.
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
