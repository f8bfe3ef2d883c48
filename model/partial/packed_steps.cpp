// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/partial/packed_steps.h"

#include "model/partial/deflated.h"
#include "model/partial/fields.h"
#include "model/partial/sane_times.h"

#include <algorithm>

namespace collscope {

namespace {

/// 170 steps with 30 names take 100 KB.
constexpr std::uint64_t mostBytes = std::uint64_t{1} << 30;

} // namespace

bool isSound(const WindowSummary& window)
{
    const auto& names = window.kernels.names;
    return isSane(window.range) && std::all_of(names.begin(), names.end(), [](const NameBreakdown& own) {
               return static_cast<bool>(own.name);
           });
}

PackedSteps packSteps(std::vector<WindowSummary> windows)
{
    PackedSteps steps;
    steps.count = static_cast<std::uint32_t>(windows.size());
    ArchiveWriter first;
    first(windows);
    const std::vector<bool>& used = first.usedStrings();
    std::vector<StringId> places(used.size());
    for (std::uint32_t id = 0; id < used.size(); ++id) {
        if (!used[id])
            continue;
        places[id] = StringId{static_cast<std::uint32_t>(steps.names.size())};
        steps.names.push_back(StringId{id});
    }
    ArchiveWriter archive(&places);
    archive(windows);
    steps.bytes = StoredBytes(sealed(archive.takeBytes()));
    return steps;
}

std::optional<std::vector<WindowSummary>> unpackSteps(const PackedSteps& steps)
{
    std::vector<WindowSummary> windows;
    if (steps.count == 0)
        return windows;
    const auto bytes = unsealed(steps.bytes.readAll(), mostBytes);
    if (!bytes)
        return std::nullopt;
    ArchiveReader archive(*bytes, {steps.names.size()}, {}, &steps.names);
    archive(windows);
    if (archive.failed() || !archive.isAtEnd() || windows.size() != steps.count
        || !std::all_of(windows.begin(), windows.end(),
                        [](const WindowSummary& window) { return isSound(window); }))
        return std::nullopt;
    for (WindowSummary& window : windows)
        window.range = {window.range.beginNs + steps.shiftNs, window.range.endNs + steps.shiftNs};
    return windows;
}

} // namespace collscope
