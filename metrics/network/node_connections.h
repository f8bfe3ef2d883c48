// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Connections of NCCL between GPUs of named hosts.

#include "model/witnesses/network_record.h"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace collscope {

/// A GPU as the logs name it.
struct GpuName
{
    std::string host;
    int device = -1; ///< -1: not known
    friend auto operator<=>(const GpuName&, const GpuName&) = default;
};
/// "node3 GPU 5", or "node3".
std::string gpuText(const GpuName& gpu);

/// The channels of one transport from one GPU to another.
struct NodeConnection
{
    GpuName from, to;
    Transport transport = Transport::PeerToPeer;
    std::string network; ///< of Transport::Network
    int adapter = -1; ///< of the writer
    std::string writerHost; ///< whose `adapter` it is
    bool hasGpuDirect = false;
    std::uint32_t channels = 0;
    bool isReceiver = false; ///< the receiver wrote it; the sender may have written the same
    bool isBetweenHosts() const { return from.host != to.host; }
};

struct NodeConnections
{
    std::vector<NodeConnection> all; ///< by sender, then receiver
    /// Channels whose other end is not known: several communicators of the process have such ranks, on
    /// different hosts, or the other rank wrote no log.
    std::uint64_t unplaced = 0;
};

/// A connection belongs to the communicator that its line names; else to all communicators of its writer in
/// which the writer has that rank. If these agree on the GPU of the other rank, it is known; if they agree on
/// its host alone, the host is. P2P and SHM are always within a host.
NodeConnections nodeConnections(const NetworkRecord& record);

/// All hosts that wrote a line.
std::set<std::string> hostsOf(const NetworkRecord& record);

} // namespace collscope
