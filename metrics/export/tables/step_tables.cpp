// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Tables by step: its parts, its idle time by cause, and what ran in it.

#include "metrics/analysis/known_communication.h"
#include "metrics/export/tables/export_tables.h"
#include "metrics/partition/rank_sums.h"

namespace collscope {

namespace {

/// A step and its number.
struct NumberedStep
{
    std::size_t id = 0;
    const StepWindow& window;

    TableCell cell() const { return tableNumber(window.number()); }
};

struct StepRow
{
    NumberedStep step;
    TimeRange range; ///< on the axis
};

struct PartRow
{
    NumberedStep step;
    const PartTimes& parts;
    bool isCommunicationKnown = true, areWaitsKnown = true, areCopiesKnown = true;

    TableCell of(Part part) const { return tableCount(parts.of(part)); }
};

struct IdleRow
{
    NumberedStep step;
    IdleCause cause = IdleCause::Unexplained;
    std::int64_t ns = 0;
};

struct WorkRow
{
    NumberedStep step;
    const TimeBreakdown& work;
    bool isCommunicationKnown = true, areCopiesKnown = true;

    TableCell ofCommunication(std::int64_t figure) const
    {
        return isCommunicationKnown ? tableCount(figure) : TableCell();
    }
    TableCell ofCopies(std::int64_t figure) const
    {
        return areCopiesKnown ? tableCount(figure) : TableCell();
    }
};

/// The columns with which each of these tables begins.
template<typename Row>
std::vector<ColumnOf<Row>> stepColumns(std::vector<ColumnOf<Row>> more)
{
    using enum CellType;
    std::vector<ColumnOf<Row>> columns{
        {"step_id", Integer, "the step; see steps", [](const Row& row) { return tableCount(row.step.id); }},
        {"rank", Integer, "see ranks", [](const Row& row) { return tableCount(row.step.window.rank); }},
        {"step", Integer, "number of the step as the trace names it; NULL: a range, or a file without steps",
         [](const Row& row) { return row.step.cell(); }}};
    columns.insert(columns.end(), more.begin(), more.end());
    return columns;
}

std::string noGpuWork(TableSource& source)
{
    const Selection& selection = source.every->selection();
    return selection.failure ? selection.failure->reason : std::string();
}

std::string stepRows(TableSource& source, const TakeTyped<StepRow>& take)
{
    const std::vector<StepWindow>& windows = source.windows.all();
    for (std::size_t i = 0; i < windows.size(); ++i) {
        if (!take(
                {{i, windows[i]}, source.every->clocks().toAxis(windows[i].timeline, windows[i].step.range)}))
            break;
    }
    return windows.empty() && source.every->allRanks().failure ? source.every->allRanks().failure->reason
                                                               : std::string();
}

/// Counts the windows of each timeline, whose steps come in their order.
class WindowCounter
{
public:
    explicit WindowCounter(const TableSource& source)
        : m_source(source)
    { }

    NumberedStep next(const Timeline& timeline)
    {
        if (&timeline != m_timeline)
            m_next = m_source.windows.firstOf(m_source.model().indexOf(timeline));
        m_timeline = &timeline;
        const std::size_t id = m_next++;
        return {id, m_source.windows.all()[id]};
    }

private:
    const TableSource& m_source;
    const Timeline* m_timeline = nullptr;
    std::size_t m_next = 0;
};

/// Calls f(step, rank, share) for each step of the partition until it returns false.
template<typename F>
void forEachShare(TableSource& source, const F& f)
{
    WindowCounter windows(source);
    for (const RankShare& rank : partitionOf(*source.every).ranks) {
        for (const StepShare& share : rank.steps) {
            if (!f(windows.next(*rank.timelines[share.part]), rank, share))
                return;
        }
    }
}

/// Why columns of communication and of copies are NULL.
std::string reasonsOf(const std::optional<MetricResult>& communication,
                      const std::optional<MetricResult>& copies)
{
    std::string text = communication ? communication->reason : std::string();
    if (copies)
        text += (text.empty() ? "" : " ") + copies->reason;
    return text;
}

std::string partRows(TableSource& source, const TakeTyped<PartRow>& take)
{
    const Partition& partition = partitionOf(*source.every);
    const auto unknown = communicationUnknown(*source.every, source.every->selection());
    const bool areWaitsKnown = !unknown && partition.areWaitsKnown();
    const Selection& selection = source.every->selection();
    const auto withoutCopies = selection.failure ? std::nullopt : copiesUnknown(selection);
    forEachShare(source, [&](const NumberedStep& step, const RankShare&, const StepShare& share) {
        return take({step, share.parts, !unknown, areWaitsKnown, !withoutCopies});
    });
    if (unknown || withoutCopies)
        return reasonsOf(unknown, withoutCopies);
    if (!areWaitsKnown)
        return "communication_ns contains the waiting, because " + std::string(partition.whyUnsplit()) + ".";
    return noGpuWork(source);
}

std::string idleRows(TableSource& source, const TakeTyped<IdleRow>& take)
{
    const RankShare* last = nullptr;
    std::optional<RankSums> sums;
    forEachShare(source, [&](const NumberedStep& step, const RankShare& rank, const StepShare& share) {
        if (&rank != last)
            sums.emplace(rank);
        last = &rank;
        const IdleTimes idle = sums->idleOf(share);
        for (std::size_t cause = 0; cause < idleCauseCount; ++cause) {
            if (idle[cause] > 0 && !take({step, static_cast<IdleCause>(cause), idle[cause]}))
                return false;
        }
        return true;
    });
    return noGpuWork(source);
}

std::string workRows(TableSource& source, const TakeTyped<WorkRow>& take)
{
    if (source.every->selection().failure)
        return noGpuWork(source);
    const auto unknown = communicationUnknown(*source.every, source.every->selection());
    const auto withoutCopies = copiesUnknown(source.every->selection());
    WindowCounter windows(source);
    for (const RankBreakdown& rank : source.every->work()) {
        for (const StepBreakdown& step : rank.steps) {
            if (!take({windows.next(*step.timeline), step.work, !unknown, !withoutCopies}))
                return {};
        }
    }
    return reasonsOf(unknown, withoutCopies);
}

} // namespace

void addStepTables(std::vector<ExportTable>& tables)
{
    using enum CellType;
    tables.push_back(tableOf<StepRow>(
        {.name = "steps",
         .meaning = "One step of one rank. Only steps that all ranks have, if the trace numbers them.",
         .hasKey = true},
        stepColumns<StepRow>(
            {{"timeline_id", Integer, "see timelines",
              [](const StepRow& row) { return tableCount(row.step.window.timeline); }},
             {"begin_ns", Integer, "start", [](const StepRow& row) { return tableCount(row.range.beginNs); }},
             {"end_ns", Integer, "end", [](const StepRow& row) { return tableCount(row.range.endNs); }},
             {"length_ns", Integer, "length on the rank's own clock",
              [](const StepRow& row) { return tableCount(row.step.window.step.range.lengthNs()); }},
             {"is_counted", Integer, "1: metrics and findings count it (--steps)",
              [](const StepRow& row) { return tableCount(row.step.window.isCounted ? 1 : 0); }}}),
        stepRows));
    tables.push_back(tableOf<PartRow>(
        {.name = "step_parts",
         .meaning
         = "The partition of a step: each nanosecond has one owner, and the parts add up to length_ns.",
         .hasKey = true},
        stepColumns<PartRow>(
            {{"length_ns", Integer, "length of the step",
              [](const PartRow& row) { return tableCount(row.parts.total()); }},
             {"compute_ns", Integer, "kernels compute, or memsets run",
              [](const PartRow& row) { return row.of(Part::Compute); }},
             {"communication_ns", Integer, "exposed communication, while data moves; NULL: unknown",
              [](const PartRow& row) {
                  return row.isCommunicationKnown ? row.of(Part::Communication) : TableCell();
              }},
             {"waiting_ns", Integer,
              "exposed communication, until the last rank arrived; NULL: unknown, and part of "
              "communication_ns if that is known",
              [](const PartRow& row) { return row.areWaitsKnown ? row.of(Part::Waiting) : TableCell(); }},
             {"copy_ns", Integer, "exposed copies; NULL: unknown",
              [](const PartRow& row) { return row.areCopiesKnown ? row.of(Part::Copy) : TableCell(); }},
             {"idle_ns", Integer, "nothing runs", [](const PartRow& row) { return row.of(Part::Idle); }}}),
        partRows));
    tables.push_back(tableOf<IdleRow>(
        {.name = "step_idle", .meaning = "Idle time of a step by cause; adds up to idle_ns of step_parts."},
        stepColumns<IdleRow>(
            {{"cause", Text, "the words of --batch findings",
              [](const IdleRow& row) { return tableText(idleCauseName(row.cause)); }},
             {"ns", Integer, "time in the step", [](const IdleRow& row) { return tableCount(row.ns); }}}),
        idleRows));
    tables.push_back(tableOf<WorkRow>(
        {.name = "step_work",
         .meaning
         = "What ran in a step: lengths of unions, which metrics divide. They overlap and do not add up.",
         .hasKey = true},
        stepColumns<WorkRow>(
            {{"communication_ns", Integer, "a kernel communicates; NULL: unknown",
              [](const WorkRow& row) { return row.ofCommunication(row.work.communication()); }},
             {"compute_ns", Integer, "a kernel computes",
              [](const WorkRow& row) { return tableCount(row.work.compute()); }},
             {"overlap_ns", Integer, "both at once; NULL: unknown",
              [](const WorkRow& row) { return row.ofCommunication(row.work.overlap()); }},
             {"exposed_communication_ns", Integer, "communication without compute; NULL: unknown",
              [](const WorkRow& row) { return row.ofCommunication(row.work.exposedCommunication()); }},
             {"copy_ns", Integer, "a copy runs; NULL: unknown",
              [](const WorkRow& row) { return row.ofCopies(row.work.copies()); }},
             {"exposed_copy_ns", Integer, "a copy without a kernel; NULL: unknown",
              [](const WorkRow& row) { return row.ofCopies(row.work.exposedCopies()); }},
             {"busy_ns", Integer, "anything runs on the GPU",
              [](const WorkRow& row) { return tableCount(row.work.busy()); }},
             {"kernel_sum_ns", Integer, "sum of the durations of all kernels, clipped to the step",
              [](const WorkRow& row) { return tableCount(row.work.kernelSumNs); }},
             {"communication_sum_ns", Integer, "likewise of those that communicate; NULL: unknown",
              [](const WorkRow& row) { return row.ofCommunication(row.work.communicationSumNs); }},
             {"kernels", Integer, "kernels that start in the step",
              [](const WorkRow& row) { return tableCount(row.work.kernelCalls); }},
             {"communication_kernels", Integer, "those of them that communicate; NULL: unknown",
              [](const WorkRow& row) { return row.ofCommunication(row.work.communicationCalls); }}}),
        workRows));
}

} // namespace collscope
