// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/building/detected_steps.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>

namespace collscope {

namespace {

constexpr std::size_t fewestRepetitions = 4;
/// A loop of fewer kernels may be anything.
constexpr std::size_t fewestKernels = 8;
/// Share of the kernels' time that must repeat.
constexpr double repeatedShare = 0.9;
/// A longer period is a better one only if more of the time repeats by this.
constexpr double betterShare = 0.0005;
/// Comparisons for each kernel: a sequence of nearly equal kernels must not take forever.
constexpr std::size_t mostComparisons = 64;
/// Kernels that one repetition has and the other has not, in a row.
constexpr std::size_t longestInsertion = 48;

/// Steps are not looked for in a longer sequence: its copy here would need more than 100 MB.
constexpr std::size_t mostKernels = 4'000'000;

/// Lengths of the repetitions differ by no more than this.
bool areAlike(std::size_t shortest, std::size_t longest)
{
    return longest <= shortest + shortest / 8 + 2;
}

/// Whether begins are those of whole repetitions from the first kernel to the last.
bool areWhole(const std::vector<std::size_t>& begins, std::size_t size)
{
    if (begins.size() < fewestRepetitions || begins.front() != 0)
        return false;
    std::size_t shortest = size;
    std::size_t longest = 0;
    for (std::size_t i = 0; i + 1 < begins.size(); ++i) {
        shortest = std::min(shortest, begins[i + 1] - begins[i]);
        longest = std::max(longest, begins[i + 1] - begins[i]);
    }
    // A last one that is a bit shorter may have been cut off: then the first one was probably cut off, too.
    const std::size_t last = size - begins.back();
    return shortest >= fewestKernels && areAlike(shortest, longest) && last >= shortest && last <= longest;
}

using Repetition = std::span<const SequenceKernel>;

/// How many kernels to leave out of both, so that two in a row agree again.
std::optional<std::pair<std::size_t, std::size_t>> kernelsToSkip(Repetition a, Repetition b)
{
    const auto agree = [&](std::size_t x, std::size_t y) {
        return x < a.size() && y < b.size() && a[x].name == b[y].name;
    };
    for (std::size_t sum = 1; sum < 2 * longestInsertion; ++sum) {
        for (std::size_t x = sum > longestInsertion ? sum - longestInsertion : 0;
             x <= std::min(sum, longestInsertion); ++x) {
            const std::size_t y = sum - x;
            const bool isLast = x + 1 >= a.size() || y + 1 >= b.size();
            if (agree(x, y) && (isLast || agree(x + 1, y + 1)))
                return std::pair(x, y);
        }
    }
    return std::nullopt;
}

/// The time of the kernels that the repetition before has in the same order.
std::int64_t repeatedNs(Repetition part, Repetition before)
{
    std::int64_t ns = 0;
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < part.size() && j < before.size()) {
        if (part[i].name == before[j].name) {
            ns += part[i].ns;
            ++i;
            ++j;
            continue;
        }
        const auto skipped = kernelsToSkip(part.subspan(i), before.subspan(j));
        if (!skipped)
            break;
        i += skipped->first;
        j += skipped->second;
    }
    return ns;
}

/// The share of the time that repeats what came one repetition earlier.
double shareRepeated(std::span<const SequenceKernel> sequence, const std::vector<std::size_t>& begins)
{
    const auto part = [&](std::size_t i) {
        const std::size_t end = i + 1 < begins.size() ? begins[i + 1] : sequence.size();
        return sequence.subspan(begins[i], end - begins[i]);
    };
    std::int64_t allNs = 0;
    std::int64_t sameNs = 0;
    for (std::size_t i = 1; i < begins.size(); ++i) {
        for (const SequenceKernel& kernel : part(i))
            allNs += kernel.ns;
        sameNs += repeatedNs(part(i), part(i - 1));
    }
    return allNs > 0 ? static_cast<double>(sameNs) / static_cast<double>(allNs) : 0;
}

/// The begins of a timeline's repetitions, then the end of the last one; empty if it does not repeat.
std::vector<std::int64_t> repetitionTimes(const TraceModel& model, const Timeline& timeline)
{
    const StreamSequence sequence = busiestSequence(model, timeline);
    std::vector<std::int64_t> times;
    for (const std::size_t begin : findRepetitions(sequence.kernels))
        times.push_back(model.rangeOf(sequence.slices[begin]).beginNs);
    if (!times.empty())
        times.push_back(sequence.endNs);
    return times;
}

/// Whether the repetitions of two timelines are the same steps: as many, and at about the same time where one
/// clock tells.
bool areSameSteps(const Timeline& a, const std::vector<std::int64_t>& timesOfA, const Timeline& b,
                  const std::vector<std::int64_t>& timesOfB)
{
    if (timesOfA.size() != timesOfB.size())
        return false;
    const bool isOneClock = a.hasWallClock && b.hasWallClock && a.iteration == b.iteration;
    const std::int64_t stepNs
        = (timesOfA.back() - timesOfA.front()) / static_cast<std::int64_t>(timesOfA.size() - 1);
    return !isOneClock || 2 * std::abs(timesOfA.front() - timesOfB.front()) < stepNs;
}

bool hasKernels(const TraceModel& model, const Timeline& timeline)
{
    return std::any_of(timeline.tracks.begin(), timeline.tracks.end(), [&](TrackId id) {
        const Track& track = model.track(id);
        return track.kind == TrackKind::GpuStream
            && std::find(track.slices.category.begin(), track.slices.category.end(), SliceCategory::Kernel)
            != track.slices.category.end();
    });
}

} // namespace

StreamSequence busiestSequence(const TraceModel& model, const Timeline& timeline)
{
    StreamSequence sequence;
    const Track* most = nullptr;
    std::int64_t mostNs = 0;
    for (const TrackId id : timeline.tracks) {
        const Track& track = model.track(id);
        if (track.kind != TrackKind::GpuStream)
            continue;
        std::int64_t computeNs = 0;
        for (std::size_t row = 0; row < track.slices.size(); ++row) {
            sequence.endNs = std::max(sequence.endNs, track.slices.endNs(row));
            if (isCompute(track.slices.kernelClass[row]))
                computeNs += track.slices.durationNs[row];
        }
        if (computeNs > mostNs) {
            mostNs = computeNs;
            most = &track;
        }
    }
    if (most && most->slices.size() > mostKernels)
        return sequence;
    for (std::size_t row = 0; most && row < most->slices.size(); ++row) {
        if (most->slices.category[row] != SliceCategory::Kernel)
            continue;
        sequence.kernels.push_back({most->slices.name[row].value, most->slices.durationNs[row]});
        sequence.slices.push_back({TrackId{static_cast<std::uint32_t>(most - model.tracks.data())},
                                   static_cast<std::uint32_t>(row)});
    }
    return sequence;
}

std::vector<std::size_t> findRepetitions(std::span<const SequenceKernel> sequence)
{
    std::vector<std::size_t> best;
    double bestShare = 0;
    // The places where the sequence goes on like at its begin, for a longer and longer begin.
    std::vector<std::size_t> begins(sequence.size());
    for (std::size_t i = 0; i < begins.size(); ++i)
        begins[i] = i;
    std::size_t before = 0;
    std::size_t comparisons = 0;
    for (std::size_t length = 0; comparisons <= mostComparisons * sequence.size(); ++length) {
        comparisons += begins.size();
        std::erase_if(begins, [&](std::size_t begin) {
            return begin + length >= sequence.size()
                || sequence[begin + length].name != sequence[length].name;
        });
        if (begins.size() < fewestRepetitions)
            return best;
        if (begins.size() == std::exchange(before, begins.size()) || !areWhole(begins, sequence.size()))
            continue;
        const double share = shareRepeated(sequence, begins);
        if (share >= repeatedShare && share > bestShare + betterShare) {
            best = begins;
            bestShare = share;
        }
    }
    return best;
}

void detectSteps(TraceModel& model)
{
    std::vector<std::pair<Timeline*, std::vector<std::int64_t>>> detected;
    for (Timeline& timeline : model.timelines) {
        if (!timeline.steps.empty())
            return; // others have marks: theirs are not guessed
        // Nsight records a time window, which begins anywhere: what repeats from there on may be layers.
        if (timeline.kind != SourceKind::Kineto)
            return;
        if (!hasKernels(model, timeline))
            continue;
        detected.emplace_back(&timeline, repetitionTimes(model, timeline));
        const auto& [first, times] = detected.front();
        if (times.empty() || !areSameSteps(*first, times, timeline, detected.back().second))
            return;
    }
    for (auto& [timeline, times] : detected) {
        for (std::size_t i = 0; i + 1 < times.size(); ++i)
            timeline->steps.push_back({static_cast<std::int64_t>(i),
                                       model.strings.intern("step " + std::to_string(i) + " (detected)"),
                                       {times[i], times[i + 1]}});
        timeline->stepSource = StepSource::Detected;
    }
}

} // namespace collscope
