// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Location of each rank: its coordinates in the device mesh and its node, each with the source.

#include "metrics/calls/calls.h"

#include <array>

namespace collscope {

/// Dimensions of the device mesh, slowest first (TorchTitan's order). Data combines replicas and shards.
enum class MeshDimension : std::uint8_t
{
    Pipeline,
    Data,
    Context,
    Tensor,
    Expert ///< folded out of other dimensions: does not multiply the world size
};
constexpr std::size_t meshDimensionCount = 5;
/// All dimensions, for loops.
constexpr std::array<MeshDimension, meshDimensionCount> meshDimensions{
    MeshDimension::Pipeline, MeshDimension::Data, MeshDimension::Context, MeshDimension::Tensor,
    MeshDimension::Expert};
/// "PP", "DP", "CP", "TP", "EP".
std::string_view meshDimensionName(MeshDimension dimension);

/// One rank of the run. -1 = unknown.
struct RankPlace
{
    std::int32_t rank = 0;
    std::array<std::int32_t, meshDimensionCount> coordinates{-1, -1, -1, -1, -1};
    std::int32_t replicate = -1, shard = -1; ///< parts of the Data coordinate, if both are known
    std::string node; ///< host name, else "node 0"; empty = unknown

    std::int32_t at(MeshDimension dimension) const
    {
        return coordinates[static_cast<std::size_t>(dimension)];
    }
};

/// Size of one dimension, with its source.
struct MeshExtent
{
    std::int32_t size = 0; ///< ranks along it; 0 = unknown
    std::string source; ///< "process groups mesh_tp", "workload_card.yaml"; empty = unknown
};

struct RankMesh
{
    std::vector<RankPlace> ranks; ///< loaded ranks, ascending
    std::array<MeshExtent, meshDimensionCount> extents;
    std::string nodeSource; ///< source of the nodes as text; empty = unknown
    std::vector<std::string> notes; ///< contradictions between the sources, a sentence each

    const MeshExtent& extent(MeshDimension dimension) const
    {
        return extents[static_cast<std::size_t>(dimension)];
    }
    /// nullptr if the rank is not loaded. O(log ranks).
    const RankPlace* placeOf(std::int32_t rank) const;
    /// "TP1 DP0": dimensions larger than 1 in which the rank's coordinate is known; may be empty.
    std::string labelOf(std::int32_t rank) const;
    /// Like labelOf() without one dimension: distinguishes ranks with the same coordinate in it.
    std::string labelWithout(std::int32_t rank, MeshDimension dimension) const;
    /// Number of nodes of the loaded ranks; 0 = unknown.
    std::size_t nodeCount() const;
};

/// Determines coordinates from the process groups of the calls (described or named as tp, dp, ...; the groups
/// of one kind divide the ranks, and a rank's coordinate is its position in its group), else from the degrees
/// of card or TOML in TorchTitan's order, if these make up the world size and agree with the groups. Groups
/// take precedence. Nodes: the host named by the trace, else the card's GPUs per node. O(calls).
RankMesh placeRanks(const TraceModel& model, const Mesh& described, const std::vector<RankCalls>& calls);

} // namespace collscope
