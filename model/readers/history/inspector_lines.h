// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The lines of the NCCL Inspector in a block of text, as rows. The writer is plugins/profiler/inspector
// (inspector_json.cc) of NVIDIA/nccl, and its README describes the versions.

#include "model/readers/history/history_builder.h"
#include "model/readers/history/line_blocks.h"

#include <memory>
#include <vector>

namespace collscope {

/// Who wrote a line: communicator and process.
struct InspectorContext
{
    HistoryCommunicator communicator;
    HistoryMember member;
};

/// One operation. `context` and `operationClass` are indices into the block's own tables.
struct InspectorRow
{
    static constexpr std::uint32_t inherited = 0xFFFF'FFFF; ///< the context before the block
    std::uint32_t context = inherited;
    std::uint32_t operationClass = 0;
    std::uint32_t number = 0;
    float durationUs = 0;
    float busGbPerSecond = 0;
    std::int64_t timeUs = 0; ///< 0: that of the context's dump
};

/// What a block of lines contains. The tables only grow, so that a block that is parsed in the same memory
/// refers to the same entries.
struct InspectorRows
{
    HistoryBuilder tables; ///< its members are contexts
    std::vector<InspectorRow> rows;
    /// A marker of version 4.3: the counted lines after it have no header of their own.
    struct Marker
    {
        std::size_t beforeRow = 0; ///< it precedes this row
        std::uint32_t context = 0;
        std::int64_t timeUs = 0;
        std::uint64_t lines = 0; ///< operations that follow
        std::uint64_t dropped = 0; ///< operations lost so far
        bool ownsLines = false; ///< of version 4.3
    };
    std::vector<Marker> markers;
    std::uint64_t records = 0; ///< lines that are JSON objects or should be
    std::uint64_t markersRead = 0, proxyLines = 0;
    /// Lines without a row, and where the first of them is.
    struct Loss
    {
        std::uint64_t count = 0, offset = 0;
        void add(std::uint64_t at)
        {
            offset = count == 0 ? at : offset;
            ++count;
        }
    };
    Loss damaged, incomplete, otherText;

    void clear();
};

/// Parses lines; keeps its memory from block to block.
class InspectorLines
{
public:
    InspectorLines();
    ~InspectorLines();
    InspectorLines(const InspectorLines&) = delete;
    InspectorLines& operator=(const InspectorLines&) = delete;

    /// Appends what the block contains. The text is not changed.
    void parse(LineBlock& block, InspectorRows& rows);
    /// The tables of the rows begin anew.
    void forget();

private:
    class Parser;
    std::unique_ptr<Parser> m_parser;
};

/// Whether the text seems to contain lines of the Inspector.
bool holdsInspectorLines(std::string_view text);

} // namespace collscope
