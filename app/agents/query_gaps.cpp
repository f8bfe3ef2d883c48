// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// When GPUs were idle, and why: sums by cause, then the longest gaps.

#include "app/agents/agent_query.h"
#include "metrics/findings/gap_table.h"

namespace collscope {

namespace {

class GapsQuery : public AgentQuery
{
    std::string m_cause;
    RowChoice m_rows;

    void declareQuery() override
    {
        options.text("--cause", m_cause, "CAUSE", "Only gaps of this cause, a word of the sums in the head");
        m_rows.declare(options);
    }
    Result<std::string> answer(Analysis& analysis) const override;
};

Value causesValue(const GapTable& table)
{
    Value::Array causes;
    for (const CauseGaps& cause : table.causes)
        causes.emplace_back(Value::Object{{"cause", idleCauseName(cause.cause)},
                                          {"meaning", idleCauseText(cause.cause)},
                                          {"gaps", cause.count},
                                          {"ns", cause.ns},
                                          {"longest_ns", cause.longestNs}});
    return causes;
}

Result<std::string> GapsQuery::answer(Analysis& analysis) const
{
    const Result<GapTable> table = listGaps(analysis);
    if (!table)
        return table.error();
    const auto isAsked = [&](const CauseGaps& cause) { return idleCauseName(cause.cause) == m_cause; };
    if (!m_cause.empty() && std::none_of(table->causes.begin(), table->causes.end(), isAsked))
        return Error{Error::Kind::NotFound,
                     "No gap has the cause '" + m_cause
                         + "': without a cause, the head lists those that there are."};
    const TraceModel& model = analysis.model();
    TopRows rows(m_rows.most);
    for (const ListedGap& gap : table->longest) {
        if (!m_cause.empty() && idleCauseName(gap.cause) != m_cause)
            continue;
        rows.add(gap.range.lengthNs(), [&] {
            return Value::Object{{"rank", gap.rank},
                                 {"step", table->isPerStep ? Value(gap.step) : Value()},
                                 {"cause", idleCauseName(gap.cause)},
                                 {"begin_ns", gap.range.beginNs},
                                 {"duration_ns", gap.range.lengthNs()},
                                 {"name", shortCell(gap.name)},
                                 {"location", locationOn(model, gap.range)}};
        });
    }
    return rows.text({{"schema", "collscope.mcp.gaps/1"},
                      {"scope", table->scope},
                      {"window", table->window},
                      {"gaps", table->count},
                      {"idle_ns", table->idleNs},
                      {"window_ns", table->windowNs},
                      {"causes", causesValue(*table)},
                      {"listed",
                       "the " + std::to_string(GapTable::mostPerCause)
                           + " longest gaps of each cause, times on the axis"}});
}

} // namespace

std::unique_ptr<ProgramCommand> gapsQuery()
{
    return std::make_unique<GapsQuery>();
}

} // namespace collscope
