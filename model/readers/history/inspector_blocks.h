// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Puts the blocks of an Inspector file together, in the order of the file.

#include "model/readers/history/inspector_lines.h"

#include <optional>
#include <vector>

namespace collscope {

/// A block, its parser and what it contains; reused for later blocks.
struct InspectorPart
{
    LineBlock block;
    InspectorLines lines;
    InspectorRows rows;
    /// The places of its contexts and classes in the file.
    std::vector<std::uint32_t> memberAt, classAt;

    /// Makes room for the next block: tables that became large begin anew.
    void clear();
};

class InspectorBlocks
{
public:
    /// Adds what the part contains.
    void take(InspectorPart& part);

    HistoryBuilder& builder() { return m_builder; }
    std::uint64_t records = 0, operations = 0, markers = 0, proxyLines = 0;
    std::uint64_t skippedBytes = 0;
    InspectorRows::Loss damaged, incomplete, otherText;
    InspectorRows::Loss tooMany; ///< operations of more processes, communicators or sizes than any job has
    InspectorRows::Loss orphans; ///< operations without a header, and without a marker that counts them
    std::uint64_t unfinishedDumps = 0; ///< markers whose lines are not all there

private:
    void takeTables(InspectorPart& part);
    void endDump();

    HistoryBuilder m_builder;
    /// The marker of version 4.3 that is in force.
    std::optional<std::uint32_t> m_member;
    std::int64_t m_timeUs = 0;
    std::uint64_t m_left = 0; ///< lines of its dump that are still to come
};

} // namespace collscope
