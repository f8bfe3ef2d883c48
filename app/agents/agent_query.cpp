// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/agents/agent_query.h"

#include "app/cli/command_interrupts.h"
#include "app/files/batch_io.h"
#include "app/runtime/thread_pool.h"
#include "model/queries/location_text.h"
#include "model/text/valid_text.h"

namespace collscope {

namespace {

constexpr std::size_t longestCell = 200;
constexpr std::size_t longestLocation = 400;

} // namespace

void AgentQuery::declare()
{
    options.group("Query");
    declareQuery();
    options.group("Selection");
    selection.declareRank(options);
    selection.declareWindow(options);
    selection.declareClocks(options);
    input.declare(options);
}

int AgentQuery::measure(const HardwareDatabasePtr& hardware) const
{
    const auto model = loadRun(*this, runsOf(input).front(), contents());
    if (!model)
        return sayNotLoaded(model.error());
    MetricOptions chosen = metricOptions(selection, hardware);
    chosen.parallel = threadPool(input.threads);
    Analysis analysis(**model, std::move(chosen));
    const Result<std::string> text = answer(analysis);
    if (isInterrupted()) {
        say("cancelled.");
        return Cancelled;
    }
    if (!text) {
        say(text.error().message);
        return NotAvailable;
    }
    return print(*text) ? Done : NotWritten;
}

void RowChoice::declare(CommandOptions& options)
{
    constexpr int mostOfAll = 5000;
    options.number("--limit", most, 1, mostOfAll, "Number of rows");
}

std::string TopRows::text(Value::Object head) const
{
    head.emplace_back("rows", count());
    head.emplace_back("listed_rows", static_cast<std::int64_t>(m_lines.size()));
    std::string text = jsonLine(head) + "\n";
    for (const auto& [place, line] : m_lines)
        text += line + "\n";
    return text;
}

Value shortCell(std::string_view text)
{
    if (text.empty())
        return {};
    return text.size() <= longestCell ? Value(text)
                                      : Value(std::string(textFront(text, longestCell)) + "...");
}

std::string locationOn(const TraceModel& model, TimeRange axis)
{
    return locationText({.run = model.title, .rank = {}, .track = {}, .range = axis});
}

std::string locationOf(const TraceModel& model, SliceRef slice, TimeRange axis)
{
    std::string text = locationText({.run = model.title,
                                     .rank = model.timelineOf(slice).rank,
                                     .track = std::string(model.text(model.track(slice.track).name)),
                                     .range = model.rangeOf(slice)});
    return text.size() <= longestLocation ? text : locationOn(model, axis);
}

TimeRange onAxis(Analysis& analysis, SliceRef slice)
{
    const TraceModel& model = analysis.model();
    return analysis.clocks().toAxis(model.track(slice.track).timeline.value, model.rangeOf(slice));
}

} // namespace collscope
