// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Tables of process groups, collectives and their calls.

#include "metrics/export/tables/call_rows.h"
#include "metrics/export/tables/export_tables.h"
#include "metrics/matching/wait_rule.h"
#include "model/kernels/kernel_names.h"

namespace collscope {

namespace {

struct GroupRow
{
    std::size_t number = 0;
    const ProcessGroup& group;
    std::string ranks; ///< "[0, 2]"
};

std::string_view groupKindName(ProcessGroup::Kind kind)
{
    switch (kind) {
    case ProcessGroup::Kind::Collective:
        return "collective";
    case ProcessGroup::Kind::Pair:
        return "pair";
    case ProcessGroup::Kind::Unpaired:
        return "unpaired";
    case ProcessGroup::Kind::Stream:
        break;
    }
    return "stream";
}

std::string rankListText(const std::vector<std::int32_t>& ranks)
{
    std::string text;
    for (const std::int32_t rank : ranks)
        text += (text.empty() ? "[" : ", ") + std::to_string(rank);
    return text.empty() ? text : text + "]";
}

std::string groupRows(TableSource& source, const TakeTyped<GroupRow>& take)
{
    const std::vector<ProcessGroup>& groups = source.run().matching.groups;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        if (!take({i, groups[i], rankListText(groups[i].ranks)}))
            break;
    }
    return {};
}

/// The number that the profiler gave the call in its group.
TableCell sequenceOf(const Call& call)
{
    return call.meta ? tableNumber(call.meta->sequence) : TableCell();
}

TableCell elementTypeOf(const TraceModel& model, const Call& call)
{
    return call.meta ? tableText(model.text(call.meta->elementType)) : TableCell();
}

/// As CollectiveRow: n of the process group.
std::int32_t groupSizeOf(const CollectiveTableRow& row)
{
    const std::int32_t size = row.call(0).groupSize;
    return size > 0 ? size : row.group().size;
}

std::int32_t expectedOf(const CollectiveTableRow& row)
{
    if (row.group().kind == ProcessGroup::Kind::Pair)
        return 2;
    return std::max(groupSizeOf(row), static_cast<std::int32_t>(row.group().expected));
}

TableCell stepId(const std::optional<std::size_t>& step)
{
    return step ? tableCount(*step) : TableCell();
}

TableCell stepNumber(const StepWindow* window)
{
    return window ? tableNumber(window->number()) : TableCell();
}

TableCell truth(bool value)
{
    return tableCount(value ? 1 : 0);
}

using Collective = CollectiveTableRow;
using Member = MemberTableRow;

std::vector<ColumnOf<Collective>> collectiveColumns()
{
    using enum CellType;
    return {
        {"collective_id", Integer, "number of the collective",
         [](const Collective& row) { return tableCount(row.number); }},
        {"group_id", Integer, "see groups",
         [](const Collective& row) { return tableCount(row.instance().group); }},
        {"ordinal", Integer, "place among the calls of its group, from 0",
         [](const Collective& row) { return tableCount(row.ordinal); }},
        {"seq", Integer, "the profiler's number in the group (Seq)",
         [](const Collective& row) { return sequenceOf(row.call(0)); }},
        {"operation", Text, "the profiler's name, else the class",
         [](const Collective& row) { return tableText(callName(row.model, row.call(0))); }},
        {"class", Text, "AllReduce, AllGather, ReduceScatter, AllToAll, Send/Recv, Broadcast, Reduce, ...",
         [](const Collective& row) { return tableText(kernelClassName(row.call(0).kind)); }},
        {"is_point_to_point", Integer, "1: a send, a receive, or a batch of them",
         [](const Collective& row) { return truth(isPointToPoint(row.model, row.call(0))); }},
        {"bytes", Integer, "message size S of nccl-tests; the largest if ranks differ",
         [](const Collective& row) { return tableNumber(row.bytes); }},
        {"element_type", Text, "type of an element",
         [](const Collective& row) { return elementTypeOf(row.model, row.call(0)); }},
        {"members", Integer, "ranks whose call is known",
         [](const Collective& row) { return tableCount(row.instance().memberCount); }},
        {"expected_members", Integer, "ranks that should take part; NULL: the trace does not say",
         [](const Collective& row) {
             return expectedOf(row) > 0 ? tableCount(expectedOf(row)) : TableCell();
         }},
        {"missing_members", Integer, "loaded ranks of the group without this call",
         [](const Collective& row) { return tableCount(row.instance().absent); }},
        {"step_id", Integer, "step in which the first rank starts it; NULL: none",
         [](const Collective& row) { return stepId(row.step); }},
        {"step", Integer, "its number", [](const Collective& row) { return stepNumber(row.window); }},
        {"first_rank", Integer, "rank that starts first",
         [](const Collective& row) { return tableCount(row.rankOf(row.times.first)); }},
        {"last_rank", Integer, "rank that starts last",
         [](const Collective& row) { return tableCount(row.rankOf(row.times.last)); }},
        {"first_begin_ns", Integer, "first start",
         [](const Collective& row) { return tableCount(row.times.arrivals.beginNs); }},
        {"last_begin_ns", Integer, "last start",
         [](const Collective& row) { return tableCount(row.times.arrivals.endNs); }},
        {"first_end_ns", Integer, "first end",
         [](const Collective& row) { return tableCount(row.times.departures.beginNs); }},
        {"last_end_ns", Integer, "last end",
         [](const Collective& row) { return tableCount(row.times.departures.endNs); }},
        {"skew_ns", Integer, "last start - first start",
         [](const Collective& row) { return tableCount(row.times.skewNs()); }},
        {"waited_ns", Integer, "sum of the waits of its members; NULL: cannot be told",
         [](const Collective& row) {
             return row.waits.tellsWaits ? tableCount(row.waits.waitNs) : TableCell();
         }},
        {"awaited_rank", Integer, "rank that the others waited for; NULL: cannot be told",
         [](const Collective& row) {
             return row.waits.tellsWaits ? tableCount(row.rankOf(row.waits.awaited)) : TableCell();
         }},
        {"transfer_ns", Integer, "the shortest duration: its rank did not wait; NULL: there is a root",
         [](const Collective& row) {
             return row.times.tellsTransfer ? tableCount(row.times.transferNs) : TableCell();
         }},
        {"bus_factor", Real, "bus bandwidth / algorithm bandwidth (nccl-tests); NULL: group size unknown",
         [](const Collective& row) { return tableNumber(busFactor(row.call(0).kind, groupSizeOf(row))); }},
        {"match_rule", Text, "by what its calls were matched",
         [](const Collective& row) { return tableText(matchRuleName(row.instance().rule)); }},
        {"match_confidence", Text, "what confirms it",
         [](const Collective& row) { return tableText(matchConfidenceName(row.instance().confidence)); }},
        {"is_whole", Integer, "1: all ranks of its group are members, as far as the traces show",
         [](const Collective& row) { return truth(row.instance().isWhole); }}};
}

std::vector<ColumnOf<Member>> memberColumns()
{
    using enum CellType;
    return {
        {"member_id", Integer, "number of the call",
         [](const Member& row) { return tableCount(row.number); }},
        {"collective_id", Integer, "see collectives; NULL: no call of another rank was matched with it",
         [](const Member& row) { return tableNumber(row.collective); }},
        {"rank", Integer, "see ranks", [](const Member& row) { return tableCount(row.rank); }},
        {"group_id", Integer, "see groups; NULL: unknown",
         [](const Member& row) { return tableNumber(row.group); }},
        {"seq", Integer, "the profiler's number in the group",
         [](const Member& row) { return sequenceOf(row.call); }},
        {"operation", Text, "the profiler's name, else the class",
         [](const Member& row) { return tableText(callName(row.model, row.call)); }},
        {"class", Text, "as in collectives",
         [](const Member& row) { return tableText(kernelClassName(row.call.kind)); }},
        {"has_root", Integer, "1: one rank sends to the others or collects from them",
         [](const Member& row) { return truth(hasRoot(row.model, row.call)); }},
        {"bytes", Integer, "message size S of this rank",
         [](const Member& row) { return tableNumber(row.call.bytes); }},
        {"parallelism", Text, "purpose: tp, dp, pp, cp, ep, global; NULL: unknown",
         [](const Member& row) {
             const bool isKnown = row.call.parallelismKind != ParallelismKind::Unknown;
             return isKnown ? tableText(parallelismKindName(row.call.parallelismKind)) : TableCell();
         }},
        {"stream", Integer, "of the GPU; NULL: unknown",
         [](const Member& row) { return tableKnown(row.model.track(row.call.slice.track).stream); }},
        {"step_id", Integer, "step in which it starts; NULL: none",
         [](const Member& row) { return stepId(row.step); }},
        {"step", Integer, "its number", [](const Member& row) { return stepNumber(row.window); }},
        {"begin_ns", Integer, "start", [](const Member& row) { return tableCount(row.range.beginNs); }},
        {"duration_ns", Integer, "duration on the rank's own clock",
         [](const Member& row) { return tableCount(row.call.durationNs()); }},
        {"waited_ns", Integer, "part of it spent waiting for another rank; NULL: cannot be told",
         [](const Member& row) { return tableNumber(row.waitNs); }},
        {"late_ns", Integer, "how much later than needed it started; NULL: cannot be told",
         [](const Member& row) { return tableNumber(row.latenessNs); }},
        {"exposed_ns", Integer,
         "its share of the exposed communication of the steps, while data moves; NULL: outside of all steps",
         [](const Member& row) { return row.share ? tableCount(row.share->moving.ns) : TableCell(); }},
        {"exposed_wait_ns", Integer, "likewise, of the exposed waiting",
         [](const Member& row) { return row.share ? tableCount(row.share->waiting.ns) : TableCell(); }},
        {"unmatched", Text, "why it is in no collective; NULL: it is in one",
         [](const Member& row) {
             return row.unmatched ? tableText(unmatchedReasonText(*row.unmatched)) : TableCell();
         }},
        {"slice_id", Integer, "its kernel; see slices",
         [](const Member& row) { return sliceNumber(row.call.slice); }}};
}

} // namespace

void addCollectiveTables(std::vector<ExportTable>& tables)
{
    using enum CellType;
    tables.push_back(tableOf<GroupRow>(
        {.name = "groups",
         .meaning = "A set of ranks that communicate, as the trace names it.",
         .hasKey = true},
        {{"group_id", Integer, "number of the group",
          [](const GroupRow& row) { return tableCount(row.number); }},
         {"name", Text, "NULL: the trace names none",
          [](const GroupRow& row) { return tableText(row.group.name); }},
         {"description", Text, "mesh_tp, default_pg, ...",
          [](const GroupRow& row) { return tableText(row.group.description); }},
         {"kind", Text,
          "collective; pair: sends and receives of two ranks; unpaired: their partners are unknown; stream: "
          "the trace names no groups",
          [](const GroupRow& row) { return tableText(groupKindName(row.group.kind)); }},
         {"parallelism", Text, "tp, dp, pp, cp, ep, global; NULL: unknown",
          [](const GroupRow& row) {
              const bool isKnown = row.group.parallelismKind != ParallelismKind::Unknown;
              return isKnown ? tableText(parallelismKindName(row.group.parallelismKind)) : TableCell();
          }},
         {"size", Integer, "number of ranks by the trace; NULL: unknown",
          [](const GroupRow& row) { return row.group.size > 0 ? tableCount(row.group.size) : TableCell(); }},
         {"ranks", Text, "a JSON array; NULL: the trace does not list them, or abbreviates the list",
          [](const GroupRow& row) { return tableText(row.ranks); }},
         {"iteration", Integer, "of the profiler; NULL: none",
          [](const GroupRow& row) { return tableKnown(row.group.iteration); }}},
        groupRows));
    tables.push_back(tableOf<Collective>(
        {.name = "collectives",
         .meaning = "One collective: the calls of at least two ranks that belong together.",
         .hasKey = true},
        collectiveColumns(), forEachCollectiveRow));
    tables.push_back(tableOf<Member>({.name = "members",
                                      .meaning = "One communication call of one rank, matched or not.",
                                      .hasKey = true,
                                      .index = "collective_id"},
                                     memberColumns(), forEachMemberRow));
}

} // namespace collscope
