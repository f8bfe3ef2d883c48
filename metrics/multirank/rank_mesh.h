// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Where each rank sits: its coordinates in the device mesh and its node, each with where that is known from.

#include "metrics/calls.h"

#include <array>

namespace collscope {

/// Dimensions of the device mesh, slowest first (TorchTitan's order). Data is replicas and shards together.
enum class MeshDimension : std::uint8_t
{
    Pipeline,
    Data,
    Context,
    Tensor,
    Expert ///< folded out of the others: it does not multiply the world size
};
constexpr std::size_t meshDimensionCount = 5;
/// The same for loops and as index.
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
    std::int32_t replicate = -1, shard = -1; ///< what the Data coordinate is made of, where both are known
    std::string node; ///< host name, else "node 0"; empty = unknown

    std::int32_t at(MeshDimension dimension) const
    {
        return coordinates[static_cast<std::size_t>(dimension)];
    }
};

/// What is known of one dimension.
struct MeshExtent
{
    std::int32_t size = 0; ///< ranks along it; 0 = unknown
    std::string source; ///< "process groups mesh_tp", "workload_card.yaml"; empty = unknown
};

struct RankMesh
{
    std::vector<RankPlace> ranks; ///< that are loaded, ascending
    std::array<MeshExtent, meshDimensionCount> extents;
    std::string nodeSource; ///< where the nodes are known from, in words; empty = they are not
    std::vector<std::string> notes; ///< what contradicts what, a sentence each

    const MeshExtent& extent(MeshDimension dimension) const
    {
        return extents[static_cast<std::size_t>(dimension)];
    }
    /// nullptr if the rank is not loaded. O(log ranks).
    const RankPlace* placeOf(std::int32_t rank) const;
    /// "TP1 DP0": the dimensions above 1 in which the rank's coordinate is known; empty if there are none.
    std::string labelOf(std::int32_t rank) const;
    /// The same without one dimension: what tells ranks with the same coordinate in it apart.
    std::string labelWithout(std::int32_t rank, MeshDimension dimension) const;
    /// How many nodes the loaded ranks lie on; 0 = unknown.
    std::size_t nodeCount() const;
};

/// Coordinates by the process groups of the calls (a group is described or named as tp, dp, ..., the groups
/// of one kind part the ranks, and a rank's coordinate is its place in its group), else by the degrees of
/// card or TOML in TorchTitan's order if these make up the world size and agree with the groups; groups win.
/// Nodes by the host that a trace names, else by the card's GPUs per node. O(calls).
RankMesh placeRanks(const TraceModel& model, const Mesh& described, const std::vector<RankCalls>& calls);

} // namespace collscope
