// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Tables about the run as a whole: where the numbers come from, files, ranks, timelines, problems.

#include "metrics/export/tables/export_tables.h"

#include <algorithm>

namespace collscope {

namespace {

struct ProvenanceRow
{
    std::string_view key;
    std::string value;
};

std::string joinedTexts(const std::vector<std::string>& texts, std::string_view separator)
{
    std::string joined;
    for (const std::string& text : texts)
        joined.append(joined.empty() ? "" : separator).append(text);
    return joined;
}

std::string numberOrNothing(const std::optional<std::int32_t>& number)
{
    return number ? std::to_string(*number) : std::string();
}

std::string windowText(TableSource& source)
{
    const Selection& selection = source.counted.selection();
    return selection.failure ? selection.failure->reason : selection.window;
}

std::string provenanceRows(TableSource& source, const TakeTyped<ProvenanceRow>& take)
{
    const TraceModel& model = source.model();
    const ClockAlignment& clocks = source.run().clocks;
    const ClockChoice choice = source.every->options().clocks;
    const bool isKnown = clocks.isTrusted && (clocks.isUsed(choice) || !clocks.isNeeded);
    const ProvenanceRow rows[] = {
        {"tool", "collscope"},
        {"version", COLLSCOPE_VERSION},
        {"schema", tablesSchema()},
        {"command", joinedTexts(source.words, " ")},
        {"title", model.title},
        {"paths", joinedTexts(model.paths, "\n")},
        {"ranks", std::to_string(model.ranks().size())},
        {"world_size", numberOrNothing(model.worldSize)},
        {"time_unit", "ns"},
        {"time_origin", "start of the earliest slice of the run, on the common clock of all ranks"},
        {"time_origin_unix_ns", model.hasWallClock ? std::to_string(model.axisZeroNs) : std::string()},
        {"clocks", model.timelines.size() > 1 ? clocks.summary(choice) : std::string()},
        {"clock_uncertainty_ns", isKnown ? std::to_string(clocks.significantNs(choice)) : std::string()},
        {"waits_measured_by",
         clocks.fitsPoorly(choice) ? "durations, because the clocks fit poorly" : "starts"},
        {"counted_steps", windowText(source)},
        {"is_reduced", model.isReduced() ? "1" : "0"},
    };
    for (const ProvenanceRow& row : rows) {
        if (!take(row))
            break;
    }
    return {};
}

struct FileRow
{
    std::size_t number = 0;
    const SourceInfo& file;
};

struct ProblemRow
{
    const Diagnostic& problem;
};

struct TimelineRow
{
    const TraceModel& model;
    std::size_t number = 0;
    const Timeline& timeline;
    const ClockFit* fit = nullptr; ///< nullptr: its own clock
    TimeRange range; ///< on the axis
};

std::string timelineRows(TableSource& source, const TakeTyped<TimelineRow>& take)
{
    const TraceModel& model = source.model();
    const ClockAlignment& clocks = source.run().clocks;
    const bool isAligned = clocks.isUsed(source.every->options().clocks);
    for (std::size_t i = 0; i < model.timelines.size(); ++i) {
        const ClockFit* fit = isAligned && i < clocks.fits.size() ? &clocks.fits[i] : nullptr;
        const Timeline& timeline = model.timelines[i];
        if (!take({model, i, timeline, fit, source.every->clocks().toAxis(i, timeline.range)}))
            break;
    }
    return {};
}

struct RankRow
{
    std::int32_t rank = 0;
    const RankPlace* place = nullptr;
    std::string_view device;
    std::int64_t calls = 0;
    std::optional<std::int64_t> counted; ///< steps
    std::optional<std::int64_t> windowNs; ///< of these
};

TableCell coordinate(const RankRow& row, MeshDimension dimension)
{
    return row.place ? tableKnown(row.place->at(dimension)) : TableCell();
}

std::string rankRows(TableSource& source, const TakeTyped<RankRow>& take)
{
    const TraceModel& model = source.model();
    const std::vector<RankWindows>& windows = source.counted.allRanks().ranks;
    for (const std::int32_t rank : model.ranks()) {
        RankRow row{rank, source.run().mesh.placeOf(rank), {}, 0, {}, {}};
        const auto timeline = std::find_if(model.timelines.begin(), model.timelines.end(),
                                           [&](const Timeline& t) { return t.rank == rank; });
        if (timeline->deviceName)
            row.device = model.text(timeline->deviceName);
        if (const RankCalls* calls = callsOf(source.run().ranks, rank))
            row.calls = static_cast<std::int64_t>(calls->calls.size());
        const auto counted = std::find_if(windows.begin(), windows.end(),
                                          [&](const RankWindows& w) { return w.rank == rank; });
        if (counted != windows.end()) {
            row.counted = counted->stepCount();
            row.windowNs = counted->windowNs();
        }
        if (!take(row))
            break;
    }
    return {};
}

} // namespace

void addRunTables(std::vector<ExportTable>& tables)
{
    using enum CellType;
    tables.push_back(tableOf<ProvenanceRow>(
        {.name = "provenance", .meaning = "Where the numbers come from, by key."},
        {{"key", Text,
          "tool, version, schema, command, title, paths, ranks, world_size, time_unit, time_origin, "
          "time_origin_unix_ns, clocks, clock_uncertainty_ns, waits_measured_by, counted_steps, is_reduced",
          [](const ProvenanceRow& row) { return tableText(row.key); }},
         {"value", Text, "as text; NULL = unknown, e.g. time_origin_unix_ns of files without a wall clock",
          [](const ProvenanceRow& row) { return tableText(row.value); }}},
        provenanceRows));
    tables.push_back(tableOf<FileRow>(
        {.name = "files", .meaning = "One file of the run; events = shown + excluded.", .hasKey = true},
        {{"file_id", Integer, "number of the file",
          [](const FileRow& row) { return tableCount(row.number); }},
         {"path", Text, "as opened", [](const FileRow& row) { return tableText(row.file.path); }},
         {"kind", Text, "kineto, nsys, ...",
          [](const FileRow& row) { return tableText(sourceKindName(row.file.kind)); }},
         {"bytes", Integer, "size on disk", [](const FileRow& row) { return tableCount(row.file.bytes); }},
         {"rank", Integer, "NULL: of no rank, or of several",
          [](const FileRow& row) { return tableNumber(row.file.rank); }},
         {"iteration", Integer, "of the profiler; NULL: none",
          [](const FileRow& row) { return tableKnown(row.file.iteration); }},
         {"events", Integer, "events in the file",
          [](const FileRow& row) { return tableCount(row.file.eventsInFile); }},
         {"shown", Integer, "events that were loaded",
          [](const FileRow& row) { return tableCount(row.file.shown); }},
         {"excluded", Integer, "the other ones; see problems",
          [](const FileRow& row) { return tableCount(row.file.excluded); }},
         {"is_reduced", Integer, "1: a part of a reduced run, which lacks most operators of the CPU",
          [](const FileRow& row) { return tableCount(row.file.isReduced ? 1 : 0); }}},
        [](TableSource& source, const TakeTyped<FileRow>& take) -> std::string {
            const std::vector<SourceInfo>& files = source.model().sources;
            for (std::size_t i = 0; i < files.size() && take({i, files[i]}); ++i) { }
            return {};
        }));
    tables.push_back(tableOf<RankRow>(
        {.name = "ranks", .meaning = "One rank of the run.", .hasKey = true},
        {{"rank", Integer, "number of the rank", [](const RankRow& row) { return tableCount(row.rank); }},
         {"node", Text, "host name, or \"node 0\"",
          [](const RankRow& row) { return row.place ? tableText(row.place->node) : TableCell(); }},
         {"device_name", Text, "GPU", [](const RankRow& row) { return tableText(row.device); }},
         {"pp", Integer, "coordinate in the device mesh: pipeline stage",
          [](const RankRow& row) { return coordinate(row, MeshDimension::Pipeline); }},
         {"dp", Integer, "likewise, data parallel",
          [](const RankRow& row) { return coordinate(row, MeshDimension::Data); }},
         {"cp", Integer, "likewise, context parallel",
          [](const RankRow& row) { return coordinate(row, MeshDimension::Context); }},
         {"tp", Integer, "likewise, tensor parallel",
          [](const RankRow& row) { return coordinate(row, MeshDimension::Tensor); }},
         {"ep", Integer, "likewise, expert parallel",
          [](const RankRow& row) { return coordinate(row, MeshDimension::Expert); }},
         {"calls", Integer, "communication calls in its files: rows of members",
          [](const RankRow& row) { return tableCount(row.calls); }},
         {"counted_steps", Integer, "steps that metrics count; NULL: metrics do not count the rank",
          [](const RankRow& row) { return tableNumber(row.counted); }},
         {"counted_ns", Integer, "their length",
          [](const RankRow& row) { return tableNumber(row.windowNs); }}},
        rankRows));
    tables.push_back(tableOf<TimelineRow>(
        {.name = "timelines", .meaning = "One rank as recorded in one file.", .hasKey = true},
        {{"timeline_id", Integer, "number of the timeline",
          [](const TimelineRow& row) { return tableCount(row.number); }},
         {"rank", Integer, "see ranks", [](const TimelineRow& row) { return tableCount(row.timeline.rank); }},
         {"file_id", Integer, "see files",
          [](const TimelineRow& row) { return tableCount(row.timeline.source.value); }},
         {"iteration", Integer, "of the profiler; NULL: none",
          [](const TimelineRow& row) { return tableKnown(row.timeline.iteration); }},
         {"device", Integer, "GPU on its node",
          [](const TimelineRow& row) { return tableKnown(row.timeline.device); }},
         {"device_name", Text, "GPU",
          [](const TimelineRow& row) {
              const StringId name = row.timeline.deviceName;
              return name ? tableText(row.model.text(name)) : TableCell();
          }},
         {"host", Text, "host name",
          [](const TimelineRow& row) {
              const StringId name = row.timeline.host;
              return name ? tableText(row.model.text(name)) : TableCell();
          }},
         {"step_source", Text, "what marks the steps",
          [](const TimelineRow& row) { return tableText(stepSourceName(row.timeline.stepSource)); }},
         {"begin_ns", Integer, "start of the first slice",
          [](const TimelineRow& row) { return tableCount(row.range.beginNs); }},
         {"end_ns", Integer, "end of the last slice",
          [](const TimelineRow& row) { return tableCount(row.range.endNs); }},
         {"clock_ahead_ns", Integer,
          "how far its clock was ahead at its first slice, already subtracted from all times; NULL: times "
          "are as recorded",
          [](const TimelineRow& row) {
              return row.fit ? tableCount(row.fit->aheadNs(row.timeline.range.beginNs)) : TableCell();
          }},
         {"clock_residual_ns", Integer, "p95 of what remains between the ends of its collectives",
          [](const TimelineRow& row) { return row.fit ? tableCount(row.fit->residualNs) : TableCell(); }}},
        timelineRows));
    tables.push_back(tableOf<ProblemRow>(
        {.name = "problems", .meaning = "What loading had to repair, assume or leave out."},
        {{"severity", Text, "info, notice, data loss, error",
          [](const ProblemRow& row) { return tableText(severityName(row.problem.severity)); }},
         {"code", Text, "id of the kind", [](const ProblemRow& row) { return tableText(row.problem.code); }},
         {"file", Text, "NULL: the run as a whole",
          [](const ProblemRow& row) { return tableText(row.problem.file); }},
         {"first_offset", Integer, "byte in the inflated file; 0 = unknown",
          [](const ProblemRow& row) { return tableCount(row.problem.firstOffset); }},
         {"count", Integer, "how often", [](const ProblemRow& row) { return tableCount(row.problem.count); }},
         {"excluded_events", Integer, "events that were left out because of it",
          [](const ProblemRow& row) { return tableCount(row.problem.excludedEvents); }},
         {"message", Text, "a sentence",
          [](const ProblemRow& row) { return tableText(row.problem.explanation); }}},
        [](TableSource& source, const TakeTyped<ProblemRow>& take) -> std::string {
            for (const Diagnostic& problem : source.model().problems.entries()) {
                if (!take({problem}))
                    break;
            }
            return {};
        }));
}

} // namespace collscope
