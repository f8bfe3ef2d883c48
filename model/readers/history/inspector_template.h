// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Records of one process and kind are the same text but for a few numbers. What a parser has read once is
// then found by comparing text, at several times the speed. A record that differs in anything else is not
// read here.

#include "model/witnesses/job_history.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace collscope {

/// The numbers that vary. 0: not stated.
struct InspectorFigures
{
    std::int64_t dumpUs = 0, hostStartUs = 0, kernelStartUs = 0; ///< the earliest start of all channels
    std::uint64_t number = 0, bytes = 0;
    double durationUs = -1;
    double busGbPerSecond = std::numeric_limits<double>::quiet_NaN();
};

class InspectorTemplate
{
public:
    /// Learns where the numbers of a valid record are. nullopt: a name occurs twice, or an operation's
    /// number, size or duration is not a plain number.
    static std::optional<InspectorTemplate> of(std::string_view record);

    /// Reads a record that differs in these numbers only, each of which is plain JSON without an exponent;
    /// false: it differs in more.
    bool read(std::string_view record, InspectorFigures& figures) const;

    std::uint32_t context = 0; ///< of such records, as their reader counts contexts
    OperationClass kind; ///< of such records; size and start are those of each
    /// Classes by size, with and without a start, as their reader counts classes.
    struct KnownClass
    {
        std::uint64_t bytes = 0;
        bool startIsStated = false;
        std::uint32_t place = 0;
    };
    std::vector<KnownClass> classes;

private:
    enum class Figure : std::uint8_t
    {
        Unused,
        DumpTime,
        Number,
        Bytes,
        Duration,
        BusBandwidth,
        HostStart,
        KernelStart
    };
    /// Text that does not vary, and the number behind it.
    struct Piece
    {
        std::uint32_t begin = 0, length = 0;
        Figure figure = Figure::Unused;
    };
    static std::optional<Figure> figureOf(std::string_view key);

    std::string m_text;
    std::vector<Piece> m_pieces;
    std::uint32_t m_tail = 0; ///< where the text behind the last number begins
};

} // namespace collscope
