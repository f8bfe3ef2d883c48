// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/fragment.h"
#include "tests/bench/synthetic_model.h"

#include <array>
#include <random>
#include <string>
#include <vector>

namespace collscope::bench {

namespace {

constexpr std::int64_t wallNs = 1'711'964'646'000'000'000;
constexpr std::int64_t periodNs = 100'000;

struct Group
{
    std::string name, ranks, description;
    std::int32_t size = 0;
};

Group groupOf(int rank, int ranks, int dimension)
{
    Group group;
    const int first = dimension == 0 ? rank / 8 * 8 : dimension == 1 ? rank % 8 : 0;
    const int step = dimension == 1 ? 8 : 1;
    const int last = dimension == 0 ? first + 8 : ranks;
    group.name = std::to_string(dimension) + "_" + std::to_string(first);
    group.description
        = std::array{"mesh_tp", "mesh_dp_shard", "default_pg"}[static_cast<std::size_t>(dimension)];
    for (int member = first; member < last; member += step, ++group.size)
        group.ranks += (group.size > 0 ? ", " : "[") + std::to_string(member);
    group.ranks += "]";
    return group;
}

TraceFragment rankFragment(int rank, int ranks, std::size_t calls)
{
    constexpr std::array kinds{KernelClass::AllReduce, KernelClass::AllGather, KernelClass::ReduceScatter};
    constexpr std::array names{"allreduce", "_allgather_base", "_reduce_scatter_base"};
    TraceFragment fragment;
    fragment.source.kind = SourceKind::Kineto;
    fragment.source.path = "rank" + std::to_string(rank) + ".json";
    fragment.contentRank = rank;
    fragment.hasWallClock = true;
    FragmentBuilder builder(fragment.strings);
    const std::uint32_t track = builder.track(TrackKind::GpuStream, "0", "20");
    builder.trackAt(track).device = 0;
    builder.trackAt(track).stream = 20;
    std::mt19937_64 random(static_cast<std::uint64_t>(rank));
    std::array<Group, 3> groups;
    std::array<std::int64_t, 3> sequence{};
    for (int dimension = 0; dimension < 3; ++dimension)
        groups[static_cast<std::size_t>(dimension)] = groupOf(rank, ranks, dimension);
    for (std::size_t i = 0; i < calls; ++i) {
        const std::size_t dimension = i % 16 == 15 ? 2 : i % 2;
        const Group& group = groups[dimension];
        const std::int64_t begin = wallNs + static_cast<std::int64_t>(i) * periodNs;
        const auto late = static_cast<std::int64_t>(random() % (periodNs / 4));
        CollectiveCall call;
        call.kind = kinds[dimension];
        call.name = fragment.strings.intern(names[dimension]);
        call.group = fragment.strings.intern(group.name);
        call.groupDescription = fragment.strings.intern(group.description);
        call.groupRanks = fragment.strings.intern(group.ranks);
        call.elementType = fragment.strings.intern("BFloat16");
        call.groupSize = group.size;
        call.sequence = ++sequence[dimension];
        call.inElements = call.outElements = 1'000'000 * (1 + static_cast<std::int64_t>(dimension));
        SliceRow row;
        row.startNs = begin + late;
        row.durationNs = periodNs * 3 / 4 - late;
        row.category = SliceCategory::Kernel;
        row.kernelClass = call.kind;
        row.name = fragment.strings.intern(std::string("ncclDevKernel_") + names[dimension]);
        row.collective = builder.addCollective(call);
        builder.addSlice(track, row);
    }
    Timeline timeline;
    timeline.device = 0;
    timeline.worldSize = ranks;
    builder.finish(fragment, std::move(timeline));
    return fragment;
}

} // namespace

TraceModelPtr syntheticCollectives(int ranks, std::size_t calls)
{
    std::vector<TraceFragment> fragments;
    for (int rank = 0; rank < ranks; ++rank)
        fragments.push_back(rankFragment(rank, ranks, calls));
    return assemble(std::move(fragments), Diagnostics(), {{"collectives"}, {}});
}

} // namespace collscope::bench
