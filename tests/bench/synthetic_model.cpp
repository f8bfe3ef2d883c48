// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/bench/synthetic_model.h"

#include "model/fragment.h"

#include <array>
#include <random>
#include <string>

namespace collscope::bench {

namespace {

constexpr int ranks = 8;
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
        timeline.worldSize = ranks;
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

} // namespace

TraceModelPtr syntheticModel(std::size_t slices)
{
    const std::size_t perTrack = slices / (ranks * (streams + threads));
    std::vector<TraceFragment> fragments;
    for (int rank = 0; rank < ranks; ++rank) {
        Rank maker(rank);
        for (int stream = 0; stream < streams; ++stream)
            maker.addStream(stream, perTrack);
        for (int thread = 0; thread < threads; ++thread)
            maker.addThread(thread, perTrack);
        fragments.push_back(maker.finished());
    }
    return assemble(std::move(fragments), Diagnostics(), {{"synthetic"}, {}});
}

} // namespace collscope::bench
