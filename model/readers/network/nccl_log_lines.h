// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The lines that NCCL and RCCL print with NCCL_DEBUG=INFO, among any other lines of a log:
//   [anything] HOST:PID:TID [GPU] NCCL INFO TEXT
// The texts are those of NVIDIA/nccl src/init.cc (communicators, channels), src/transport/{p2p,shm,net}.cc
// (connections), src/transport/net_ib*.cc and net_socket.cc (cards), src/misc/param.cc (settings) and
// src/enqueue.cc (algorithms), from version 2.7 to 2.28.

#include "model/witnesses/network_record.h"

#include <cstdint>
#include <string_view>

namespace collscope {

/// Collects what the lines say.
class NcclLogLines
{
public:
    /// Whether the line is NCCL's; what it says is kept if it is known.
    bool take(std::string_view line);
    /// Lines that said something, and lines of NCCL that are not read.
    std::uint64_t understood() const { return m_understood; }
    std::uint64_t others() const { return m_others; }
    /// The lines that were not kept because there are too many different ones.
    std::uint64_t leftOut() const { return m_leftOut; }
    NetworkRecord takeRecord() { return std::move(m_record); }

private:
    struct Line
    {
        NcclProcess process;
        std::int64_t thread = 0;
        std::string_view text;
    };
    static bool split(std::string_view line, Line& parts);
    bool takeText(const Line& line);
    bool takeVersion(std::string_view text);
    bool takeReady(const Line& line);
    bool takeChannels(const Line& line);
    bool takeConnection(const Line& line);
    bool takeAdapters(const Line& line);
    bool takeSetting(const Line& line);
    bool takeAlgorithm(const Line& line);
    void warn(std::string_view text);
    /// Adds to a table, unless it has too many rows.
    template<typename Table, typename Key>
    void count(Table& table, Key key);

    NetworkRecord m_record;
    /// The communicators of a thread that has said how many channels it uses, but not for which one.
    std::map<std::pair<NcclProcess, std::int64_t>, int> m_channels;
    /// Number of communicators of a process with a size, whose lines have no id.
    std::map<std::pair<NcclProcess, int>, std::size_t> m_nameless;
    std::uint64_t m_understood = 0, m_others = 0, m_leftOut = 0;
};

/// Whether a line of this text is one that NCCL prints when it is set up.
bool isNcclLog(std::string_view head);

} // namespace collscope
