// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The input that main.py of CCL-Bench's dashboard reads from a run. The tool has two readers whose formulas
// often differ: one for PyTorch profiles, one for nsys exports.

#include "metrics/references/tool_input.h"

#include <set>

namespace collscope {

constexpr std::string_view dashboardTool = "main.py of the public dashboard";
constexpr std::string_view unreadableWhy
    = "the file ends early and the tool's repair of such files never succeeds, so it reads nothing and "
      "prints -1; a tolerant reader recovers every complete event";

struct DashboardInput
{
    enum class Reader
    {
        None, ///< no timeline, mixed sources, or more files than the tool reads
        Json,
        Nsys
    } reader
        = Reader::None;
    std::set<std::int32_t> ranks; ///< ranks of the selection whose files the tool can parse

    bool isJson() const { return reader == Reader::Json; }
    bool isNsys() const { return reader == Reader::Nsys; }
    /// Whether there are profiles, but none that the tool can parse.
    bool readsNothing() const { return isJson() && ranks.empty(); }
};

/// With more than 16 profiles main.py reads a random sample, so its output cannot be predicted: None.
inline DashboardInput dashboardInput(Analysis& analysis)
{
    DashboardInput input;
    const Selection& files = analysis.wholeFiles();
    if (files.failure)
        return input;
    const bool json = files.source == sourceKindName(SourceKind::Kineto);
    constexpr std::size_t sampleSize = 16;
    if ((json && files.ranks.size() > sampleSize)
        || (!json && files.source != sourceKindName(SourceKind::Nsys)))
        return input;
    input.reader = json ? DashboardInput::Reader::Json : DashboardInput::Reader::Nsys;
    for (const RankWindows& rank : files.ranks) {
        bool parses = true;
        for (const RankWindows::Part& part : rank.parts)
            parses &= !endsEarly(analysis.model(), *part.timeline);
        if (parses)
            input.ranks.insert(rank.rank);
    }
    return input;
}

/// The tool's output if it cannot read any file.
inline Reference::Number unreadable()
{
    return Reference::Number::nothing(unreadableWhy);
}

} // namespace collscope
