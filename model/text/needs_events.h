// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What is said where a run of summaries cannot answer (TraceModel::isSummarized()).

#include <string>
#include <string_view>

namespace collscope {

/// `what` is missing: "events", "sums of a range".
inline std::string summariesLack(std::string_view what)
{
    return "The run was merged from summaries, which do not contain " + std::string(what)
        + ". Read the traces, or plan the run again with --keep all (--ranks 0-7 for some of its ranks).";
}

inline std::string needsEventsText()
{
    return summariesLack("events");
}

} // namespace collscope
