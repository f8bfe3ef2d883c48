// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Who makes the others wait: the verdict and the metric, then the collectives in which each rank was last.

#include "app/agents/agent_query.h"
#include "metrics/causes/straggler_report.h"

namespace collscope {

namespace {

class StragglersQuery : public AgentQuery
{
    RowChoice m_rows;

    void declareQuery() override { m_rows.declare(options); }
    Result<std::string> answer(Analysis& analysis) const override;
};

Value ranksValue(const StragglerReport& report)
{
    Value::Array ranks;
    for (const StragglerReport::Rank& rank : report.ranks)
        ranks.emplace_back(Value::Object{{"rank", rank.wait.rank},
                                         {"waited_ns", rank.wait.ownNs},
                                         {"imposed_ns", rank.wait.imposedNs},
                                         {"caused_ns", rank.wait.causedNs},
                                         {"times_last", rank.wait.timesLast},
                                         {"calls", rank.wait.calls}});
    return ranks;
}

Result<std::string> StragglersQuery::answer(Analysis& analysis) const
{
    const std::optional<MetricRequest> request = findMetric("straggler");
    if (!request)
        return Error{Error::Kind::Internal, "The metric straggler is missing."};
    const MetricResult metric = evaluate(analysis, *request);
    const StragglerReport report = reportStragglers(analysis);
    if (!report.reason.empty())
        return Error{Error::Kind::NotFound, report.reason};
    const TraceModel& model = analysis.model();
    TopRows rows(m_rows.most);
    for (const StragglerReport::Rank& rank : report.ranks) {
        for (const WorstCollective& worst : rank.worst)
            rows.add(worst.imposedNs, [&] {
                return Value::Object{
                    {"late_rank", rank.wait.rank},
                    {"step", orNull(worst.step)},
                    {"collective", shortCell(worst.name)},
                    {"group", shortCell(worst.group)},
                    {"imposed_ns", worst.imposedNs},
                    {"first_begin_ns", worst.range.beginNs},
                    {"last_begin_ns", worst.range.endNs},
                    {"location", locationOf(model, worst.slice, onAxis(analysis, worst.slice))}};
            });
    }
    return rows.text(
        {{"schema", "collscope.mcp.stragglers/1"},
         {"verdict", report.verdictText},
         {"straggler",
          report.verdict == StragglerVerdict::OneRank && report.straggler ? Value(*report.straggler)
                                                                          : Value()},
         {"window", report.window},
         {"clocks", report.clocks},
         {"warnings", textsValue(report.warnings)},
         {"collectives", report.collectives},
         {"ranks", ranksValue(report)},
         {"meaning",
          "waited: until the last rank arrived. imposed: waits of all ranks where this "
          "one was last. caused: imposed waits, traced back to the rank where they began."},
         {"metric", Value::Object{{"straggler", resultValue(metric)}}}});
}

} // namespace

std::unique_ptr<ProgramCommand> stragglersQuery()
{
    return std::make_unique<StragglersQuery>();
}

} // namespace collscope
