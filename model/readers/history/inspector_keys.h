// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The keys in records of the NCCL Inspector that are read.

#include <cstdint>
#include <string_view>

namespace collscope {

enum class InspectorKey : std::uint8_t
{
    Other, ///< not needed, with all that is in it
    Inside, ///< an object whose keys count
    Payload, ///< likewise: the figures of an operation
    Marker, ///< likewise: the counts of a dump
    Proxy,
    Hash,
    Name,
    Rank,
    Ranks,
    Nodes,
    Version,
    DumpTime,
    Host,
    Pid,
    Collective,
    PointToPoint,
    Number,
    Peer,
    Bytes,
    Duration,
    Timing,
    BusBandwidth,
    HostStart,
    KernelEvents,
    Records,
    Dropped
};

struct InspectorKeyRow
{
    std::string_view text;
    InspectorKey key;
};

/// Keys of all versions, whatever object they are in: the old form has those of the header at the top level.
inline constexpr InspectorKeyRow inspectorKeyRows[] = {
    {"header", InspectorKey::Inside},
    {"id", InspectorKey::Hash},
    {"comm_name", InspectorKey::Name},
    {"rank", InspectorKey::Rank},
    {"n_ranks", InspectorKey::Ranks},
    {"nnodes", InspectorKey::Nodes},
    {"metadata", InspectorKey::Inside},
    {"inspector_output_format_version", InspectorKey::Version},
    {"dump_timestamp_us", InspectorKey::DumpTime},
    {"hostname", InspectorKey::Host},
    {"pid", InspectorKey::Pid},
    {"coll_perf", InspectorKey::Payload},
    {"coll", InspectorKey::Collective},
    {"coll_sn", InspectorKey::Number},
    {"coll_msg_size_bytes", InspectorKey::Bytes},
    {"coll_exec_time_us", InspectorKey::Duration},
    {"coll_timing_source", InspectorKey::Timing},
    {"coll_busbw_gbs", InspectorKey::BusBandwidth},
    {"p2p_perf", InspectorKey::Payload},
    {"p2p", InspectorKey::PointToPoint},
    {"p2p_sn", InspectorKey::Number},
    {"p2p_peer", InspectorKey::Peer},
    {"p2p_msg_size_bytes", InspectorKey::Bytes},
    {"p2p_exec_time_us", InspectorKey::Duration},
    {"p2p_timing_source", InspectorKey::Timing},
    {"p2p_busbw_gbs", InspectorKey::BusBandwidth},
    {"event_trace_ts", InspectorKey::Inside},
    {"coll_start_ts", InspectorKey::HostStart},
    {"p2p_start_ts", InspectorKey::HostStart},
    {"kernel_events", InspectorKey::KernelEvents},
    {"dump_stats", InspectorKey::Marker},
    {"coll_records", InspectorKey::Records},
    {"p2p_records", InspectorKey::Records},
    {"coll_dropped_total", InspectorKey::Dropped},
    {"p2p_dropped_total", InspectorKey::Dropped},
    {"proxy_trace", InspectorKey::Proxy},
};

inline InspectorKey inspectorKeyOf(std::string_view text)
{
    for (const InspectorKeyRow& row : inspectorKeyRows) {
        if (row.text == text)
            return row.key;
    }
    return InspectorKey::Other;
}

} // namespace collscope
