// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What is wrong with the network of a job, as the logs of NCCL show it.

#include "metrics/network/node_connections.h"

#include <string>
#include <vector>

namespace collscope {

enum class NetworkTroubleKind : std::uint8_t
{
    Sockets, ///< nodes are connected through sockets
    SharedMemory, ///< GPUs of a host exchange data through its memory
    FewerAdapters, ///< a host has, or uses, fewer network cards
    NoGpuDirect, ///< network cards do not reach the memory of GPUs
    FewerChannels, ///< a communicator has fewer channels than another of its size
    DifferentSettings, ///< environment variables of NCCL differ between hosts
    LimitingSetting ///< an environment variable switches something fast off
};
/// "sockets", "shared_memory", ...: the ids of the JSON.
std::string_view networkTroubleId(NetworkTroubleKind kind);

struct NetworkTrouble
{
    NetworkTroubleKind kind = NetworkTroubleKind::Sockets;
    std::string text; ///< one sentence
    std::vector<std::string> hosts; ///< where, ascending
    /// The logs show nothing else to compare with, so that it may be how these machines are built. The
    /// sentence says so.
    bool isConditional = false;
};

/// The worst first: what differs within the job before what is conditional.
std::vector<NetworkTrouble> networkTroubles(const NetworkRecord& record, const NodeConnections& connections);

} // namespace collscope
