// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Which rank ran on the GPU of each NVLink file: the only place that decides it.

#include "metrics/hardware/device_ranks.h"

#include <cstddef>
#include <string>
#include <vector>

namespace collscope {

/// The ranks of a run's NVLink files. The files number the GPUs of their node, so in a run of several nodes
/// each number occurs once per node. Evidence as in DeviceRanks; where it does not tell, the number alone is
/// a guess, and only without any sign of a second node.
class NvlinkRanks
{
public:
    NvlinkRanks() = default;
    /// O(files + ranks + devices of the hardware record).
    explicit NvlinkRanks(const TraceModel& model);

    /// `device`: index into TraceModel::nvlink.
    const GpuRank& of(std::size_t device) const { return m_places[device]; }
    /// "GPU 3", with files of several nodes "GPU 3 of node07"; "GPU not named by its file".
    const std::string& nameOf(std::size_t device) const { return m_names[device]; }
    /// "GPU 3 of node07 (rank 11)"; without a rank that is not known, or is the number of the GPU on the only
    /// node.
    std::string textOf(std::size_t device) const;
    /// "node07": host or folder; empty if all files are of one node, as far as they tell.
    const std::string& nodeOf(std::size_t device) const { return m_nodes[device]; }
    /// The host; or the folder that is a node by its number, or by the GPUs of the traces in it. Empty: not
    /// known.
    const std::string& hostOf(std::size_t device) const { return m_hosts[device]; }
    /// The files by rank; those without one last.
    std::vector<std::size_t> byRank() const;
    std::size_t size() const { return m_places.size(); }
    /// The files of a rank, in their order; several if it was sampled several times.
    std::vector<std::size_t> devicesOf(std::int32_t rank) const;
    /// Whether a rank was found for each file.
    bool areAllKnown() const;

private:
    void nameNodes(const HardwareRecord& record);

    std::vector<GpuRank> m_places;
    std::vector<std::string> m_hosts, m_nodes, m_names;
};

} // namespace collscope
