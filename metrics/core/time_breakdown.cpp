// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/core/time_breakdown.h"

#include "metrics/core/step_rows.h"
#include "metrics/core/step_summaries.h"
#include "model/name_table.h"

#include <algorithm>
#include <iterator>

namespace collscope {

namespace {

/// What a summary says of a window of the selection.
TimeBreakdown summarizedStep(const WindowSummary& window)
{
    TimeBreakdown work;
    std::copy(std::begin(window.activeNs), std::end(window.activeNs), work.active.ns.begin());
    work.windowNs = window.range.lengthNs();
    work.kernelSumNs = window.kernelSumNs;
    work.communicationSumNs = window.communicationSumNs;
    work.communicationCalls = window.communicationCalls;
    work.kernelCalls = window.kernelCalls;
    return work;
}

TimeBreakdown measureStep(const TraceModel& model, const RankWindows::Part& part, const StepRows& rows,
                          std::size_t step, const MetricOptions& options)
{
    TimeBreakdown work;
    const TimeRange window = rows.window(step);
    const bool clips = options.attribution == MetricOptions::Attribution::Clip;
    const auto kindOf = [&](const Track& track, std::size_t row) {
        const TrackId id{static_cast<std::uint32_t>(&track - model.tracks.data())};
        if (!clips && !rows.belongs(id, row, step))
            return 0u;
        const unsigned kind = activeKindOf(track.slices, row);
        if ((kind & ActiveKernel) == 0)
            return kind;
        const std::int64_t ns = track.slices.range(row).intersected(window).lengthNs();
        const bool starts = !clips || window.contains(track.slices.startNs[row]);
        work.kernelSumNs += ns;
        work.kernelCalls += starts ? 1 : 0;
        if (kind == ActiveCommunication) {
            work.communicationSumNs += ns;
            work.communicationCalls += starts ? 1 : 0;
        }
        return kind;
    };
    work.active = sweep(model, *part.timeline, window, kindOf, options.cancelled);
    work.windowNs = part.steps[step].range.lengthNs();
    return work;
}

/// Sums one rank's kernels by name. Names get dense numbers, because the string ids of the columns are not
/// dense.
class KernelSums
{
public:
    KernelSums(const TraceModel& model, std::int32_t rank)
        : m_model(model)
    {
        m_sums.rank = rank;
    }

    void add(const Timeline& timeline, const SliceColumns& slices, std::size_t row, std::int64_t ns,
             bool starts)
    {
        const bool communicates = isCommunication(slices.kernelClass[row]);
        NameBreakdown& work = of(slices.name[row], slices.kernelClass[row]);
        work.ns += ns;
        ++work.calls;
        work.started += starts ? 1 : 0;
        ++m_sums.kernels;
        m_sums.kernelNs += ns;
        if (communicates) {
            work.communicationNs += ns;
            ++m_sums.communicationKernels;
            const std::uint32_t call = slices.collective[row];
            m_sums.byCollectiveName += call != SliceColumns::noRow && timeline.collectives[call].name ? 1 : 0;
        }
        const std::uint32_t detail = slices.detail[row];
        if (detail != SliceColumns::noRow)
            addDetail(timeline, timeline.kernelDetails[detail], ns);
    }

    void add(const KernelBreakdown& window)
    {
        for (const NameBreakdown& own : window.names) {
            NameBreakdown& work = of(own.name, own.kernelClass);
            work.ns += own.ns;
            work.communicationNs += own.communicationNs;
            work.calls += own.calls;
            work.started += own.started;
        }
        for (const CopyBreakdown& own : window.copies)
            add(copiesOf(own.kind), own);
        add(m_sums.sets, window.sets);
        m_sums.unsizedCopies += window.unsizedCopies;
        m_sums.coverageKnownNs += window.coverageKnownNs;
        m_sums.occupancyKnownNs += window.occupancyKnownNs;
        m_sums.lowCoverageNs += window.lowCoverageNs;
        m_sums.highCoverageNs += window.highCoverageNs;
        m_sums.kernelNs += window.kernelNs;
        m_sums.kernels += window.kernels;
        m_sums.communicationKernels += window.communicationKernels;
        m_sums.byCollectiveName += window.byCollectiveName;
    }

    void addCopy(const Timeline& timeline, const SliceColumns& slices, std::size_t row)
    {
        const std::uint32_t detail = slices.detail[row];
        const KernelDetail* known = detail != SliceColumns::noRow ? &timeline.kernelDetails[detail] : nullptr;
        if (!known || known->bytes < 0) {
            m_sums.unsizedCopies += slices.category[row] == SliceCategory::Memcpy ? 1 : 0;
            return;
        }
        add(slices.category[row] == SliceCategory::Memset ? m_sums.sets : copiesOf(known->copyKind),
            {-1, known->bytes, slices.durationNs[row], 1});
    }

    RankKernels take()
    {
        std::sort(m_sums.names.begin(), m_sums.names.end(),
                  [&](const NameBreakdown& a, const NameBreakdown& b) {
                      return a.ns != b.ns ? a.ns > b.ns : m_model.text(a.name) < m_model.text(b.name);
                  });
        std::sort(m_sums.copies.begin(), m_sums.copies.end(),
                  [](const CopyBreakdown& a, const CopyBreakdown& b) { return a.kind < b.kind; });
        return std::move(m_sums);
    }

private:
    NameBreakdown& of(StringId name, KernelClass kernelClass)
    {
        std::uint32_t& slot = m_slot[name];
        if (slot == 0) {
            m_sums.names.push_back({name, kernelClass});
            slot = static_cast<std::uint32_t>(m_sums.names.size());
        }
        return m_sums.names[slot - 1];
    }
    static void add(CopyBreakdown& all, const CopyBreakdown& some)
    {
        all.bytes += some.bytes;
        all.ns += some.ns;
        all.calls += some.calls;
    }
    CopyBreakdown& copiesOf(std::int32_t kind)
    {
        for (CopyBreakdown& copies : m_sums.copies) {
            if (copies.kind == kind)
                return copies;
        }
        m_sums.copies.push_back({kind});
        return m_sums.copies.back();
    }
    void addDetail(const Timeline& timeline, const KernelDetail& detail, std::int64_t ns)
    {
        const auto weight = static_cast<double>(ns);
        const double coverage = smCoverage(detail, timeline.multiprocessors);
        if (coverage >= 0) {
            m_sums.coverageNs += coverage * weight;
            m_sums.coverageKnownNs += ns;
            m_sums.lowCoverageNs += coverage < 0.5 ? ns : 0;
            m_sums.highCoverageNs += coverage > 0.7 ? ns : 0;
        }
        if (detail.occupancyPercent >= 0) {
            m_sums.occupancyNs += detail.occupancyPercent * weight;
            m_sums.occupancyKnownNs += ns;
        }
    }

    const TraceModel& m_model;
    NameTable<std::uint32_t> m_slot; ///< number of its entry, 0 = none yet
    RankKernels m_sums;
};

void addStep(KernelSums& sums, const TraceModel& model, const RankWindows::Part& part, const StepRows& rows,
             std::size_t step, const MetricOptions& options)
{
    const TimeRange window = rows.window(step);
    const bool clips = options.attribution == MetricOptions::Attribution::Clip;
    std::uint32_t turns = 0;
    forEachGpuSlice(model, *part.timeline, window,
                    [&](TrackId id, const SliceColumns& slices, std::size_t row) {
                        if ((++turns & 0xFFFFu) == 0 && options.cancelled())
                            return false;
                        if (!clips && !rows.belongs(id, row, step))
                            return true;
                        const SliceCategory category = slices.category[row];
                        if (category == SliceCategory::Kernel) {
                            const TimeRange whole = slices.range(row);
                            const TimeRange clipped = whole.intersected(window);
                            const bool isInstant = whole.isEmpty() && window.contains(whole.beginNs);
                            if (!clipped.isEmpty() || isInstant)
                                sums.add(*part.timeline, slices, row, clipped.lengthNs(),
                                         !clips || window.contains(whole.beginNs));
                        } else if (isGpuWork(category) && activeKindOf(slices, row) != ActiveCommunication
                                   && (!clips || window.contains(slices.startNs[row]))) {
                            sums.addCopy(*part.timeline, slices, row);
                        }
                        return true;
                    });
}

} // namespace

TimeBreakdown& TimeBreakdown::operator+=(const TimeBreakdown& other)
{
    windowNs += other.windowNs;
    active += other.active;
    kernelSumNs += other.kernelSumNs;
    communicationSumNs += other.communicationSumNs;
    communicationCalls += other.communicationCalls;
    kernelCalls += other.kernelCalls;
    return *this;
}

std::vector<RankBreakdown> measureBreakdown(const TraceModel& model, const Selection& selection,
                                            const MetricOptions& options)
{
    std::vector<RankBreakdown> table(selection.ranks.size());
    options.parallel.forEach(table.size(), [&](std::size_t i) {
        const RankWindows& windows = selection.ranks[i];
        RankBreakdown& rank = table[i];
        rank.rank = windows.rank;
        rank.steps.reserve(static_cast<std::size_t>(windows.stepCount()));
        for (const RankWindows::Part& part : windows.parts) {
            const StepRows rows(model, *part.timeline, part.steps, options.attribution);
            const StepSummaries summaries(*part.timeline);
            for (std::size_t step = 0; step < part.steps.size() && !options.cancelled(); ++step) {
                rank.steps.push_back({part.steps[step], part.timeline,
                                      part.timeline->summary
                                          ? summarizedStep(summaries.of(part.steps[step]))
                                          : measureStep(model, part, rows, step, options)});
                rank.total += rank.steps.back().work;
            }
        }
    });
    return table;
}

std::vector<RankKernels> measureKernels(const TraceModel& model, const Selection& selection,
                                        const MetricOptions& options)
{
    std::vector<RankKernels> table(selection.ranks.size());
    options.parallel.forEach(table.size(), [&](std::size_t i) {
        const RankWindows& windows = selection.ranks[i];
        KernelSums sums(model, windows.rank);
        for (const RankWindows::Part& part : windows.parts) {
            const StepRows rows(model, *part.timeline, part.steps, options.attribution);
            const StepSummaries summaries(*part.timeline);
            for (std::size_t step = 0; step < part.steps.size() && !options.cancelled(); ++step) {
                if (part.timeline->summary)
                    sums.add(summaries.of(part.steps[step]).kernels);
                else
                    addStep(sums, model, part, rows, step, options);
            }
        }
        table[i] = sums.take();
    });
    return table;
}

std::string kernelRuleSentence(const std::vector<RankKernels>& ranks)
{
    std::int64_t kernels = 0;
    std::int64_t communicate = 0;
    std::int64_t byArgument = 0;
    for (const RankKernels& rank : ranks) {
        kernels += rank.kernels;
        communicate += rank.communicationKernels;
        byArgument += rank.byCollectiveName;
    }
    return std::to_string(communicate) + " of " + std::to_string(kernels) + " kernels communicate ("
        + std::to_string(byArgument) + " by their Collective name, "
        + std::to_string(communicate - byArgument) + " by their kernel name alone); the other "
        + std::to_string(kernels - communicate) + " compute.";
}

double smCoverage(const KernelDetail& detail, std::int32_t multiprocessors)
{
    if (detail.blocksPerSm >= 0)
        return std::min(detail.blocksPerSm, 1.0);
    const double blocks = static_cast<double>(detail.grid[0]) * detail.grid[1] * detail.grid[2];
    return multiprocessors > 0 && blocks > 0 ? std::min(blocks / multiprocessors, 1.0) : -1.0;
}

} // namespace collscope
