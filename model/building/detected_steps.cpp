// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/building/detected_steps.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

namespace collscope {

namespace {

constexpr std::size_t fewestRepetitions = 4;
/// A loop of fewer kernels may be anything.
constexpr std::size_t fewestKernels = 8;
/// Share of the kernels' time that must repeat.
constexpr double repeatedShare = 0.9;
/// Comparisons for each kernel: a sequence of nearly equal kernels must not take forever.
constexpr std::size_t mostComparisons = 64;
/// Kernels that one repetition has and the other has not, in a row.
constexpr std::size_t longestInsertion = 48;

/// What recurs at every m-th repetition and takes no more of the time may be logging, or a small optimizer:
/// that cannot be told.
constexpr double loggingShare = 0.02;
/// Equal blocks in a row that are a loop, such as layers, and the kernels in one of them.
constexpr std::size_t fewestBlocks = 3;
constexpr std::size_t smallestBlock = 4;
constexpr std::size_t largestBlock = 256;
/// A block of fewer different kernels may be a list of tensors.
constexpr std::size_t fewestNamesOfBlock = 3;
/// A loop is looked for in the first kernels of a repetition.
constexpr std::size_t mostKernelsOfLoop = 65'536;

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

/// The repetition that a kernel lies in.
std::size_t repetitionAt(const std::vector<std::size_t>& begins, std::size_t kernel)
{
    return static_cast<std::size_t>(std::upper_bound(begins.begin(), begins.end(), kernel) - begins.begin())
        - 1;
}

bool isOfOptimizer(const SequenceKernel& kernel)
{
    return kernel.isOptimizer;
}

/// The number of repetitions with optimizer kernels.
std::size_t countWithOptimizer(std::span<const SequenceKernel> sequence,
                               const std::vector<std::size_t>& begins)
{
    std::size_t count = 0;
    for (std::size_t i = 0; i < begins.size(); ++i) {
        const std::size_t end = i + 1 < begins.size() ? begins[i + 1] : sequence.size();
        const Repetition part = sequence.subspan(begins[i], end - begins[i]);
        count += std::any_of(part.begin(), part.end(), isOfOptimizer) ? 1U : 0U;
    }
    return count;
}

/// Whether each kind of communication occurs in three of four repetitions or more. It may run beside the
/// repetition before or after its own, but a transfer between pipeline stages is not one of each layer.
bool communicateAlike(std::span<const SideCall> calls, const std::vector<std::size_t>& begins)
{
    std::unordered_map<std::uint32_t, std::set<std::size_t>> repetitionsOf;
    for (const SideCall& call : calls)
        repetitionsOf[call.name].insert(repetitionAt(begins, call.before));
    return std::all_of(repetitionsOf.begin(), repetitionsOf.end(),
                       [&](const auto& entry) { return 4 * entry.second.size() >= 3 * begins.size(); });
}

/// Whether something recurs at every m-th of the repetitions, m > 1. `places`: at least one of them.
bool recursRegularly(const std::vector<std::size_t>& places, std::size_t repetitions)
{
    if (places.size() < 2)
        return false;
    const std::size_t gap = places[1] - places[0];
    for (std::size_t i = 2; i < places.size(); ++i) {
        if (places[i] - places[i - 1] != gap)
            return false;
    }
    return gap > 1 && places.front() < gap && places.back() + gap >= repetitions;
}

/// Shares of the time of kernels that some repetitions have more of than others. These may be the end of a
/// step that consists of several repetitions.
struct SharesOfSome
{
    double regular = 0; ///< at every m-th repetition
    double other = 0; ///< once, or at irregular distances

    bool isAny() const { return regular + other > 0; }
};

/// Only kernels of the kind `counts` are looked at. `mayLackFirst`: not those that only the first repetition
/// lacks, as an optimizer does that creates its state there.
SharesOfSome sharesOfSome(std::span<const SequenceKernel> sequence, const std::vector<std::size_t>& begins,
                          bool (*counts)(const SequenceKernel&), bool mayLackFirst = false)
{
    struct Use
    {
        std::vector<std::pair<std::size_t, std::size_t>> counts; ///< repetition, number of kernels
        std::int64_t ns = 0;
        std::size_t kernels = 0;
    };
    std::unordered_map<std::uint32_t, Use> uses;
    std::int64_t allNs = 0;
    std::size_t repetition = 0;
    for (std::size_t i = 0; i < sequence.size(); ++i) {
        while (repetition + 1 < begins.size() && begins[repetition + 1] <= i)
            ++repetition;
        allNs += sequence[i].ns;
        if (!counts(sequence[i]))
            continue;
        Use& use = uses[sequence[i].name];
        if (use.counts.empty() || use.counts.back().first != repetition)
            use.counts.emplace_back(repetition, 0);
        ++use.counts.back().second;
        ++use.kernels;
        use.ns += sequence[i].ns;
    }
    SharesOfSome shares;
    for (const auto& [name, use] : uses) {
        std::size_t least = use.counts.size() < begins.size() ? 0 : sequence.size();
        for (const auto& [at, count] : use.counts)
            least = std::min(least, count);
        std::vector<std::size_t> places;
        for (const auto& [at, count] : use.counts) {
            if (count > least)
                places.push_back(at);
        }
        const bool lacksFirst = !places.empty() && places.front() == 1 && places.size() + 1 == begins.size();
        if (places.empty() || allNs == 0 || (mayLackFirst && lacksFirst))
            continue;
        double& share = recursRegularly(places, begins.size()) ? shares.regular : shares.other;
        share += static_cast<double>(use.ns) / static_cast<double>(allNs)
            * static_cast<double>(use.kernels - least * begins.size()) / static_cast<double>(use.kernels);
    }
    return shares;
}

/// Whether a repetition contains a loop, such as that over the layers of a model, and something else. A
/// sequence of equal blocks without anything else may be a part of a pass.
bool hasInnerLoop(Repetition part)
{
    part = part.first(std::min(part.size(), mostKernelsOfLoop));
    const auto isSame = [](const SequenceKernel& a, const SequenceKernel& b) { return a.name == b.name; };
    const std::size_t largest = std::min(largestBlock, part.size() / fewestBlocks);
    for (std::size_t block = smallestBlock; block <= largest; ++block) {
        const Repetition later = part.subspan(block);
        std::size_t run = 0; // of kernels that are repeated one block later
        for (std::size_t i = 0; i < later.size(); ++i) {
            run = isSame(part[i], later[i]) ? run + 1 : 0;
            if (run < (fewestBlocks - 1) * block)
                continue;
            run = 0;
            std::set<std::uint32_t> names;
            for (const SequenceKernel& kernel : later.subspan(i + 1 - block, block))
                names.insert(kernel.name);
            if (names.size() >= fewestNamesOfBlock
                && !std::equal(later.begin(), later.end(), part.begin(), isSame))
                return true;
        }
    }
    return false;
}

enum class Repeats : std::uint8_t
{
    Steps,
    PartsOfSteps, ///< or nothing shows that they are steps
    Unknown ///< also longer repetitions may be steps or not
};

Repeats judge(std::span<const SequenceKernel> sequence, std::span<const SideCall> sideCalls,
              const std::vector<std::size_t>& begins, bool isOptimizerAnnotated)
{
    const std::size_t optimized = countWithOptimizer(sequence, begins);
    if (optimized > 0) {
        // Embeddings may have an optimizer of their own, which runs in each backward pass.
        const bool areAllInEach
            = !sharesOfSome(sequence, begins, isOfOptimizer, isOptimizerAnnotated).isAny();
        if (optimized < begins.size() || !areAllInEach)
            return Repeats::PartsOfSteps;
        if (isOptimizerAnnotated)
            return Repeats::Steps;
        // Kernels of such names also accumulate gradients, and the optimizer may have a name of its own.
    }
    if (!communicateAlike(sideCalls, begins))
        return Repeats::PartsOfSteps;
    const SharesOfSome shares = sharesOfSome(sequence, begins, [](const SequenceKernel&) { return true; });
    if (shares.regular > loggingShare)
        return Repeats::PartsOfSteps;
    if (shares.isAny())
        return Repeats::Unknown;
    const bool isWhole = optimized > 0 || hasInnerLoop(sequence.subspan(begins[1], begins[2] - begins[1]));
    return isWhole ? Repeats::Steps : Repeats::PartsOfSteps;
}

/// The begins of a timeline's repetitions, then the end of the last one; empty if it does not repeat.
std::vector<std::int64_t> repetitionTimes(const TraceModel& model, const Timeline& timeline)
{
    if (timeline.summary)
        return timeline.summary->detectedNs;
    const StreamSequence sequence = busiestSequence(model, timeline);
    std::vector<std::int64_t> times;
    for (const std::size_t begin : findRepetitions(sequence))
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
    if (timeline.summary)
        return timeline.summary->whole.kernels.kernels > 0;
    return std::any_of(timeline.tracks.begin(), timeline.tracks.end(), [&](TrackId id) {
        const Track& track = model.track(id);
        return track.kind == TrackKind::GpuStream
            && std::find(track.slices.category.begin(), track.slices.category.end(), SliceCategory::Kernel)
            != track.slices.category.end();
    });
}

/// Where the CPU runs an optimizer (torch/optim/optimizer.py records it), in time order.
std::vector<TimeRange> optimizerRanges(const TraceModel& model, const Timeline& timeline)
{
    constexpr std::string_view prefix = "Optimizer.step#";
    std::vector<TimeRange> ranges;
    for (const TrackId id : timeline.tracks) {
        const Track& track = model.track(id);
        for (std::size_t row = 0; track.kind == TrackKind::CpuThread && row < track.slices.size(); ++row) {
            if (model.text(track.slices.name[row]).starts_with(prefix))
                ranges.push_back(track.slices.range(row));
        }
    }
    std::sort(ranges.begin(), ranges.end(), [](TimeRange a, TimeRange b) { return a.beginNs < b.beginNs; });
    return ranges;
}

/// Names tell the optimizer only where no annotation does: its kernels also clip gradients, for example.
void markOptimizer(const TraceModel& model, const Timeline& timeline, StreamSequence& sequence)
{
    const std::vector<TimeRange> ranges = optimizerRanges(model, timeline);
    std::vector<bool> isInside(sequence.slices.size(), false);
    bool isAnyInside = false;
    for (std::size_t i = 0; !ranges.empty() && i < sequence.slices.size(); ++i) {
        const SliceRef kernel = sequence.slices[i];
        const std::uint32_t correlation = model.track(kernel.track).slices.correlation[kernel.row];
        const SliceRef launch = correlation != 0 ? timeline.launchOf(correlation) : SliceRef();
        if (!launch)
            continue;
        const std::int64_t ns = model.rangeOf(launch).beginNs;
        const auto after
            = std::upper_bound(ranges.begin(), ranges.end(), ns,
                               [](std::int64_t at, TimeRange range) { return at < range.beginNs; });
        isInside[i] = after != ranges.begin() && ns < (after - 1)->endNs;
        isAnyInside |= isInside[i];
    }
    sequence.isOptimizerAnnotated = isAnyInside;
    for (std::size_t i = 0; isAnyInside && i < sequence.kernels.size(); ++i)
        sequence.kernels[i].isOptimizer = isInside[i];
}

void addSideCalls(const TraceModel& model, const Timeline& timeline, StreamSequence& sequence)
{
    if (sequence.slices.empty())
        return;
    for (const TrackId id : timeline.tracks) {
        const Track& track = model.track(id);
        if (track.kind != TrackKind::GpuStream || id.value == sequence.slices.front().track.value)
            continue;
        for (std::size_t row = 0; row < track.slices.size(); ++row) {
            if (!isCommunication(track.slices.kernelClass[row]))
                continue;
            const auto later = std::upper_bound(
                sequence.slices.begin(), sequence.slices.end(), track.slices.range(row).beginNs,
                [&](std::int64_t ns, SliceRef kernel) { return ns < model.rangeOf(kernel).beginNs; });
            sequence.sideCalls.push_back(
                {track.slices.name[row].value, static_cast<std::size_t>(later - sequence.slices.begin())});
        }
    }
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
        sequence.kernels.push_back({most->slices.name[row].value,
                                    most->slices.kernelClass[row] == KernelClass::Optimizer,
                                    most->slices.durationNs[row]});
        sequence.slices.push_back({TrackId{static_cast<std::uint32_t>(most - model.tracks.data())},
                                   static_cast<std::uint32_t>(row)});
    }
    markOptimizer(model, timeline, sequence);
    addSideCalls(model, timeline, sequence);
    return sequence;
}

std::vector<std::size_t> findRepetitions(const StreamSequence& stream)
{
    const std::span<const SequenceKernel> sequence = stream.kernels;
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
            return {};
        if (begins.size() == std::exchange(before, begins.size()) || !areWhole(begins, sequence.size()))
            continue;
        if (shareRepeated(sequence, begins) < repeatedShare)
            continue;
        // A longer repetition may repeat more of the time: two steps, if something runs in every second one.
        const Repeats repeats = judge(sequence, stream.sideCalls, begins, stream.isOptimizerAnnotated);
        if (repeats == Repeats::Steps)
            return begins;
        if (repeats == Repeats::Unknown)
            return {};
    }
    return {};
}

void detectSteps(TraceModel& model)
{
    std::vector<std::pair<Timeline*, std::vector<std::int64_t>>> detected;
    for (Timeline& timeline : model.timelines) {
        if (!timeline.steps.empty())
            return; // others have marks: theirs are not guessed
        // Other profilers record a time window, which begins anywhere: what repeats from there on may be
        // layers.
        if (timeline.kind != SourceKind::Kineto && timeline.kind != SourceKind::Xplane)
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
