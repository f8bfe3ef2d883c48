// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/bench/synthetic_model.h"

#include "model/building/fragment.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <random>
#include <string>

namespace collscope::bench {

namespace {

constexpr int traceRanks = 8;
constexpr int streams = 4;
constexpr int threads = 4;
constexpr std::int64_t wallNs = 1'711'964'646'000'000'000;

class Rank
{
public:
    explicit Rank(int rank)
        : m_random(static_cast<std::uint64_t>(rank))
    {
        fragment.source.kind = SourceKind::Kineto;
        fragment.source.path = "rank" + std::to_string(rank) + ".json";
        fragment.contentRank = rank;
        fragment.hasWallClock = true;
    }

    void addStream(int stream, std::size_t slices)
    {
        const bool communicates = stream == streams - 1;
        const std::uint32_t track = m_builder.track(TrackKind::GpuStream, "0", std::to_string(7 + stream));
        m_builder.trackAt(track).device = 0;
        m_builder.trackAt(track).stream = 7 + stream;
        std::int64_t ns = wallNs;
        for (std::size_t i = 0; i < slices; ++i) {
            SliceRow row;
            row.startNs = ns + between(200, 4'000);
            row.durationNs = between(2'000, 30'000);
            row.category = SliceCategory::Kernel;
            row.kernelClass = communicates ? KernelClass::AllReduce : static_cast<KernelClass>(between(1, 6));
            row.name = m_names[static_cast<std::size_t>(row.kernelClass)];
            row.correlation = ++m_correlation;
            m_builder.addSlice(track, row);
            ns = row.startNs + row.durationNs;
        }
    }

    void addThread(int thread, std::size_t slices)
    {
        const std::uint32_t track
            = m_builder.track(TrackKind::CpuThread, "4242", std::to_string(100 + thread));
        std::int64_t ns = wallNs;
        for (std::size_t made = 0; made < slices;) {
            // A call with calls in it, each within the one before.
            std::int64_t begin = ns;
            std::int64_t end = ns + between(10'000, 100'000);
            ns = end + between(100, 3'000);
            for (std::int64_t depth = between(1, 7); depth > 0 && made < slices && end > begin;
                 --depth, ++made) {
                SliceRow row;
                row.startNs = begin;
                row.durationNs = end - begin;
                row.category = SliceCategory::CpuOp;
                row.name = m_names[static_cast<std::size_t>(depth)];
                m_builder.addSlice(track, row);
                begin += between(100, 3'000);
                end -= between(100, 3'000);
            }
        }
        SliceRow step;
        step.startNs = wallNs;
        step.durationNs = ns - wallNs;
        step.category = SliceCategory::UserAnnotation;
        step.name = fragment.strings.intern("ProfilerStep#1");
        if (thread == 0)
            m_builder.addSlice(track, step);
    }

    TraceFragment finished()
    {
        Timeline timeline;
        timeline.device = 0;
        timeline.worldSize = traceRanks;
        m_builder.finish(fragment, std::move(timeline));
        return std::move(fragment);
    }

    TraceFragment fragment;

private:
    std::int64_t between(std::int64_t low, std::int64_t high)
    {
        return low + static_cast<std::int64_t>(m_random() % static_cast<std::uint64_t>(high - low + 1));
    }

    FragmentBuilder m_builder{fragment.strings};
    std::mt19937_64 m_random;
    std::uint32_t m_correlation = 0;
    std::array<StringId, kernelClassCount> m_names = [this] {
        std::array<StringId, kernelClassCount> names;
        for (std::size_t i = 0; i < names.size(); ++i)
            names[i] = fragment.strings.intern("operation_" + std::to_string(i));
        return names;
    }();
};

/// A communication stream of one rank of a job, with a tensor and a data parallel group.
class JobRank
{
public:
    static constexpr int tensor = 8; ///< ranks of a tensor parallel group

    JobRank(int rank, int ranks, std::int64_t offsetNs)
        : m_ranks(ranks)
        , m_offsetNs(offsetNs)
    {
        m_fragment.source.kind = SourceKind::Kineto;
        m_fragment.source.path = "rank" + std::to_string(rank) + ".json";
        m_fragment.contentRank = rank;
        m_fragment.hasWallClock = true;
        m_builder = std::make_unique<FragmentBuilder>(m_fragment.strings);
        m_track = m_builder->track(TrackKind::GpuStream, "0", "20");
        m_builder->trackAt(m_track).device = 0;
        m_builder->trackAt(m_track).stream = 20;
        for (const bool isTensor : {false, true}) {
            CollectiveCall& call = m_calls[isTensor ? 1 : 0];
            StringTable& strings = m_fragment.strings;
            call.kind = KernelClass::AllReduce;
            call.name = strings.intern("allreduce");
            call.group = strings.intern(isTensor ? "tp" : "dp");
            call.groupDescription = strings.intern(isTensor ? "mesh_tp" : "mesh_dp");
            call.groupRanks = strings.intern(membersOf(rank, isTensor));
            call.elementType = strings.intern("BFloat16");
            call.groupSize = isTensor ? tensor : ranks / tensor;
            call.inElements = call.outElements = 1 << 20;
        }
    }

    void add(bool isTensor, std::optional<std::int64_t> sequence, TimeRange range)
    {
        CollectiveCall call = m_calls[isTensor ? 1 : 0];
        call.sequence = sequence;
        SliceRow row;
        row.startNs = range.beginNs + m_offsetNs;
        row.durationNs = range.lengthNs();
        row.category = SliceCategory::Kernel;
        row.kernelClass = KernelClass::AllReduce;
        row.name = call.name;
        row.collective = m_builder->addCollective(call);
        m_builder->addSlice(m_track, row);
    }

    TraceFragment finished()
    {
        Timeline timeline;
        timeline.device = 0;
        timeline.worldSize = m_ranks;
        m_builder->finish(m_fragment, std::move(timeline));
        return std::move(m_fragment);
    }

private:
    std::string membersOf(int rank, bool isTensor) const
    {
        std::string list;
        for (int other = 0; other < m_ranks; ++other) {
            if (isTensor ? other / tensor == rank / tensor : other % tensor == rank % tensor)
                list += (list.empty() ? "[" : ", ") + std::to_string(other);
        }
        return list + "]";
    }

    int m_ranks;
    std::int64_t m_offsetNs;
    TraceFragment m_fragment;
    std::unique_ptr<FragmentBuilder> m_builder;
    std::uint32_t m_track = 0;
    std::array<CollectiveCall, 2> m_calls;
};

} // namespace

TraceModelPtr syntheticModel(std::size_t slices)
{
    const std::size_t perTrack = slices / (traceRanks * (streams + threads));
    std::vector<TraceFragment> fragments;
    for (int rank = 0; rank < traceRanks; ++rank) {
        Rank maker(rank);
        for (int stream = 0; stream < streams; ++stream)
            maker.addStream(stream, perTrack);
        for (int thread = 0; thread < threads; ++thread)
            maker.addThread(thread, perTrack);
        fragments.push_back(maker.finished());
    }
    return assemble(std::move(fragments), Diagnostics(), {{"synthetic"}, {}});
}

TraceModelPtr syntheticJob(int ranks, int collectives, bool withSequence)
{
    std::mt19937_64 random(1);
    const auto below = [&](std::uint64_t count) { return static_cast<std::int64_t>(random() % count); };
    constexpr int tensor = JobRank::tensor;
    std::vector<JobRank> makers;
    makers.reserve(static_cast<std::size_t>(ranks));
    for (int rank = 0; rank < ranks; ++rank)
        makers.emplace_back(rank, ranks, rank == 0 ? 0 : below(5'000'000));
    std::vector<std::int64_t> readyNs(static_cast<std::size_t>(ranks), wallNs);
    for (int i = 0; i < collectives; ++i) {
        const bool isTensor = i % 4 != 3;
        for (int group = 0; group < (isTensor ? ranks / tensor : tensor); ++group) {
            std::int64_t lastNs = 0;
            std::vector<std::size_t> members;
            for (int rank = 0; rank < ranks; ++rank) {
                if ((isTensor ? rank / tensor : rank % tensor) != group)
                    continue;
                members.push_back(static_cast<std::size_t>(rank));
                std::int64_t& ready = readyNs[members.back()];
                ready += 20'000 + below(5'000);
                lastNs = std::max(lastNs, ready);
            }
            for (const std::size_t rank : members) {
                const std::int64_t endNs = lastNs + 30'000 + below(500);
                makers[rank].add(isTensor, withSequence ? std::optional<std::int64_t>(i) : std::nullopt,
                                 {readyNs[rank], endNs});
                readyNs[rank] = endNs;
            }
        }
    }
    std::vector<TraceFragment> fragments;
    fragments.reserve(makers.size());
    for (JobRank& maker : makers)
        fragments.push_back(maker.finished());
    return assemble(std::move(fragments), Diagnostics(), {{"synthetic job"}, {}});
}

} // namespace collscope::bench
