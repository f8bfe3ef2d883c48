// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/reports/step_parts.h"

#include "model/kernels/kernel_names.h"

#include <algorithm>
#include <map>

namespace collscope {

namespace {

/// A part starts (+1) or ends (-1).
struct PartEdge
{
    std::int64_t ns = 0;
    StepPart part = StepPart::Idle;
    std::int32_t change = 0;
};

/// How long communication kernels waited for the last rank, by slice.
class Waits
{
public:
    explicit Waits(Analysis& analysis)
        : m_model(analysis.model())
        , m_run(analysis.run())
        , m_clocks(analysis.clocks())
        , m_timer(m_run.timer(m_model, m_clocks))
        , m_significantNs(m_run.clocks.significantNs(analysis.options().clocks))
        , m_known(m_run.matching.instances.size())
    { }

    /// Waiting time of a slice; nullopt if waiting cannot be separated from moving data.
    std::optional<std::int64_t> of(const Timeline& timeline, SliceRef slice, TimeRange range)
    {
        const auto instance = m_run.instanceOf(slice);
        if (!instance)
            return std::nullopt;
        Known& known = m_known[*instance];
        if (!known.isRead)
            read(m_run.matching.instances[*instance], known);
        if (known.shortestNs)
            return std::max<std::int64_t>(0, range.lengthNs() - *known.shortestNs);
        if (!known.arrivedNs)
            return std::nullopt;
        const std::int64_t begin = m_clocks.toAxis(m_model.indexOf(timeline), range).beginNs;
        return std::clamp<std::int64_t>(*known.arrivedNs - begin, 0, range.lengthNs());
    }

private:
    /// Timing of a collective; if neither value is set, its waiting time is unknown.
    struct Known
    {
        bool isRead = false;
        std::optional<std::int64_t>
            shortestNs; ///< duration of its shortest member, if all ranks wait for all
        std::optional<std::int64_t> arrivedNs; ///< start on its last rank, on the axis
    };

    void read(const CollectiveInstance& instance, Known& known)
    {
        known.isRead = true;
        const auto members = m_run.matching.membersOf(instance);
        const Call& first = m_run.callOf(members.front());
        if (members.size() < 2 || !instance.isWhole || isPointToPoint(m_model, first))
            return;
        const CollectiveTimes times = m_timer.of(instance);
        if (!times.tellsWaits)
            return;
        if (synchronises(first.kind))
            known.shortestNs = times.transferNs;
        // Without metadata an all-to-all looks like this. Ranks that ended before the last rank started did
        // not wait for it.
        else if (first.kind == KernelClass::SendRecv && times.contradictionNs() <= m_significantNs)
            known.arrivedNs = times.arrivals.endNs;
    }

    const TraceModel& m_model;
    const RunCollectives& m_run;
    const ClockMap& m_clocks;
    CollectiveTimer m_timer;
    std::int64_t m_significantNs;
    std::vector<Known> m_known; ///< by instance
};

class PartMeter
{
public:
    explicit PartMeter(Analysis& analysis)
        : m_model(analysis.model())
        , m_waits(analysis)
    { }

    StepPartTimes measure(const Timeline& timeline, TimeRange window)
    {
        m_edges.clear();
        m_window = window;
        m_timeline = &timeline;
        forEachGpuSlice(m_model, timeline, window,
                        [&](TrackId track, const SliceColumns& slices, std::size_t row) {
                            addSlice(track, slices, row);
                            return true;
                        });
        std::sort(m_edges.begin(), m_edges.end(),
                  [](const PartEdge& a, const PartEdge& b) { return a.ns < b.ns; });
        StepPartTimes times{};
        std::array<std::int32_t, stepPartCount> active{};
        active[static_cast<std::size_t>(StepPart::Idle)] = 1; // if no other part is active
        std::int64_t now = window.beginNs;
        const auto advance = [&](std::int64_t to) {
            const auto part = std::find_if(active.begin(), active.end(), [](auto n) { return n > 0; });
            times[static_cast<std::size_t>(part - active.begin())] += to - now;
            now = to;
        };
        for (const PartEdge& edge : m_edges) {
            if (edge.ns > now)
                advance(edge.ns);
            active[static_cast<std::size_t>(edge.part)] += edge.change;
        }
        advance(window.endNs);
        return times;
    }

private:
    void addSlice(TrackId track, const SliceColumns& slices, std::size_t row)
    {
        const TimeRange range = slices.range(row);
        switch (activeKindOf(slices, row)) {
        case ActiveCommunication: {
            const SliceRef slice{track, static_cast<std::uint32_t>(row)};
            const auto waited = m_waits.of(*m_timeline, slice, range);
            if (!waited) {
                add(StepPart::Unsplit, range);
                break;
            }
            const std::int64_t moves = range.beginNs + *waited;
            add(StepPart::Waiting, {range.beginNs, moves});
            add(StepPart::Moving, {moves, range.endNs});
            break;
        }
        case ActiveCompute:
            add(computePart(slices.kernelClass[row]), range);
            break;
        case ActiveCopy:
        case ActiveSet:
            add(StepPart::Copies, range);
            break;
        default:
            break;
        }
    }
    void add(StepPart part, TimeRange range)
    {
        const TimeRange inside = range.intersected(m_window);
        if (inside.isEmpty())
            return;
        m_edges.push_back({inside.beginNs, part, 1});
        m_edges.push_back({inside.endNs, part, -1});
    }

    const TraceModel& m_model;
    Waits m_waits;
    std::vector<PartEdge> m_edges;
    const Timeline* m_timeline = nullptr;
    TimeRange m_window;
};

} // namespace

std::string_view stepPartName(StepPart part)
{
    static constexpr std::array<std::string_view, stepPartCount> names{"GEMM",
                                                                       "attention",
                                                                       "norm",
                                                                       "elementwise",
                                                                       "optimizer",
                                                                       "other compute",
                                                                       "communication: moving",
                                                                       "communication: waiting",
                                                                       "communication: not split",
                                                                       "copies",
                                                                       "idle"};
    return names[static_cast<std::size_t>(part)];
}

StepPart computePart(KernelClass kind)
{
    switch (kind) {
    case KernelClass::Gemm:
        return StepPart::Gemm;
    case KernelClass::Attention:
        return StepPart::Attention;
    case KernelClass::Norm:
        return StepPart::Norm;
    case KernelClass::Elementwise:
        return StepPart::Elementwise;
    case KernelClass::Optimizer:
        return StepPart::Optimizer;
    default:
        return StepPart::OtherCompute;
    }
}

std::vector<RankStepParts> stepParts(Analysis& analysis)
{
    std::vector<RankStepParts> steps;
    PartMeter meter(analysis);
    for (const RankWindows& rank : analysis.selection().ranks) {
        for (const RankWindows::Part& part : rank.parts) {
            for (const Step& step : part.steps) {
                if (analysis.options().cancelled())
                    return steps;
                steps.push_back({rank.rank, step.number, step.range,
                                 meter.measure(*part.timeline, step.range),
                                 part.timeline->stepSource == StepSource::WholeTrace});
            }
        }
    }
    return steps;
}

Sheet stepPartsSheet(const std::vector<RankStepParts>& steps)
{
    using Row = RankStepParts;
    std::vector<SheetColumn<Row>> columns{
        {"rank", [](const Row& row) { return Value(row.rank); }},
        {"step", [](const Row& row) { return Value(row.step); }},
        {"step ms", [](const Row& row) { return Value(nsToMs(row.range.lengthNs())); }}};
    for (std::size_t i = 0; i < stepPartCount; ++i)
        columns.push_back({std::string(stepPartName(static_cast<StepPart>(i))) + " ms",
                           [i](const Row& row) { return Value(nsToMs(row.parts[i])); }});
    columns.push_back({"window", [](const Row& row) {
                           return Value(row.isWholeTrace ? wholeTraceWindow : std::string_view("step"));
                       }});
    return sheetOf("Step_Parts", columns, steps);
}

std::vector<KernelRow> kernelRows(Analysis& analysis)
{
    struct Sums
    {
        KernelClass kernelClass = KernelClass::None;
        std::int64_t ns = 0, calls = 0;
    };
    const TraceModel& model = analysis.model();
    std::map<std::string_view, Sums> kernels;
    for (const RankKernels& rank : analysis.kernels()) {
        for (const NameBreakdown& name : rank.names) {
            Sums& own
                = kernels.try_emplace(model.text(name.name), Sums{name.kernelClass, 0, 0}).first->second;
            own.ns += name.ns;
            own.calls += name.started;
        }
    }
    double steps = 0;
    for (const RankWindows& rank : analysis.selection().ranks)
        steps += static_cast<double>(rank.stepCount());
    std::vector<std::pair<std::string_view, Sums>> order(kernels.begin(), kernels.end());
    std::stable_sort(order.begin(), order.end(),
                     [](const auto& a, const auto& b) { return a.second.ns > b.second.ns; });
    std::vector<KernelRow> rows;
    for (const auto& [name, own] : order) {
        if (steps > 0 && own.calls > 0)
            rows.push_back({std::string(kernelClassName(own.kernelClass)), std::string(name),
                            static_cast<double>(own.calls) / steps, nsToMs(own.ns) / steps,
                            nsToUs(own.ns) / static_cast<double>(own.calls)});
    }
    return rows;
}

Sheet kernelsSheet(const std::vector<KernelRow>& kernels, bool isOfCaptures)
{
    using Row = KernelRow;
    const std::string per = isOfCaptures ? " per capture" : " per step";
    return sheetOf<Row>("Kernels",
                        {{"class", [](const Row& row) { return Value(row.kernelClass); }},
                         {"name", [](const Row& row) { return Value(row.name); }},
                         {"calls" + per, [](const Row& row) { return Value(row.calls); }},
                         {"ms" + per, [](const Row& row) { return Value(row.ms); }},
                         {"mean us", [](const Row& row) { return Value(row.meanUs); }}},
                        kernels);
}

CollectiveKinds collectiveKinds(Analysis& analysis)
{
    std::map<std::string_view, std::int64_t> counts;
    double steps = 0;
    for (const RankCalls& rank : analysis.calls()) {
        steps += rank.stepCount;
        for (const Call& call : rank.aroundWindow()) {
            const bool hasClass = call.kind != KernelClass::OtherCommunication;
            if (call.inWindow())
                ++counts[hasClass ? kernelClassName(call.kind) : callName(analysis.model(), call)];
        }
    }
    const auto ranks = static_cast<double>(analysis.calls().size());
    CollectiveKinds kinds;
    for (const auto& [kind, calls] : counts)
        kinds[std::string(kind)] = {static_cast<double>(calls) / ranks, steps / ranks};
    return kinds;
}

Sheet collectiveKindsSheet(const CollectiveKinds& kinds)
{
    using Row = CollectiveKinds::value_type;
    return sheetOf<Row>("Collective_Kinds",
                        {{"kind", [](const Row& row) { return Value(row.first); }},
                         {"calls", [](const Row& row) { return Value(row.second.calls); }},
                         {"steps", [](const Row& row) { return Value(row.second.steps); }}},
                        kinds);
}

} // namespace collscope
