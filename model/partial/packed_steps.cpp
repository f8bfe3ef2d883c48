// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/partial/packed_steps.h"

#include "model/partial/deflated.h"
#include "model/partial/fields.h"
#include "model/partial/sound_sums.h"

#include <algorithm>

namespace collscope {

namespace {

/// Bytes of memory for a byte of the archive; an estimate from above for a window.
constexpr std::uint64_t memoryPerByte = 16;
/// 170 steps with 30 names take 100 KB.
constexpr std::uint64_t most = std::uint64_t{1} << 30;

} // namespace

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

std::optional<std::vector<WindowSummary>> unpackSteps(const TimelineSummary& summary, std::uint64_t mostBytes)
{
    const PackedSteps& steps = summary.steps;
    std::vector<WindowSummary> windows;
    if (steps.count == 0)
        return windows;
    const auto bytes = unsealed(steps.bytes.readAll(), std::min(most, mostBytes / memoryPerByte));
    if (!bytes)
        return std::nullopt;
    ArchiveReader archive(*bytes, {steps.names.size()}, {}, &steps.names);
    if (archive.count() != steps.count) // before memory is taken for them
        return std::nullopt;
    windows.resize(steps.count);
    for (WindowSummary& window : windows) {
        archive(window);
        if (archive.failed() || !isSound(window, summary.partition))
            return std::nullopt;
        window.range = {window.range.beginNs + steps.shiftNs, window.range.endNs + steps.shiftNs};
    }
    return archive.isAtEnd() ? std::optional(std::move(windows)) : std::nullopt;
}

} // namespace collscope
