// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/export/hang_report.h"

#include "metrics/export/written_report.h"
#include "model/text/rank_ranges.h"

namespace collscope {

namespace {

Value::Array numbers(const std::vector<std::int32_t>& values)
{
    Value::Array all;
    for (const std::int32_t value : values)
        all.emplace_back(value);
    return all;
}

/// [[first, last], ...]: thousands of ranks are few ranges.
Value::Array rangesValue(const std::vector<std::int32_t>& ranks)
{
    Value::Array all;
    for (const RankRange& range : rankRanges(ranks))
        all.emplace_back(Value::Array{range.first, range.last});
    return all;
}

Value::Array texts(const std::vector<std::string>& values)
{
    Value::Array all;
    for (const std::string& value : values)
        all.emplace_back(value);
    return all;
}

Value stackValue(const ReportedFinding::Stack& stack)
{
    return Value::Object{{"rank", stack.rank}, {"source", stack.source}, {"frames", texts(stack.frames)}};
}

Value witnessValue(const ReportedFinding::Witness& witness)
{
    return Value::Object{{"rank", witness.rank},
                         {"file", witness.file},
                         {"record_id", witness.record ? Value(std::int64_t{*witness.record}) : Value()},
                         {"state", witness.text}};
}

Value findingValue(const HangVerdict& verdict, const ReportedFinding& finding)
{
    Value group;
    if (finding.group) {
        const HangVerdict::Group& own = verdict.groups[*finding.group];
        group = Value::Object{{"name", own.name}, {"desc", own.description}, {"ranks", numbers(own.ranks)}};
    }
    Value::Array witnesses, frames;
    for (const ReportedFinding::Witness& witness : finding.witnesses)
        witnesses.push_back(witnessValue(witness));
    for (const ReportedFinding::Stack& stack : finding.stacks)
        frames.push_back(stackValue(stack));
    return Value::Object{
        {"cls", std::string(hangClassName(finding.hangClass))},
        {"ranks", numbers(finding.ranks)},
        {"candidates", numbers(finding.candidates)},
        {"group", group},
        {"seq", orNull(finding.number)},
        {"text", finding.text},
        {"do_first", finding.whatFirst},
        {"witnesses", witnesses},
        {"frames", frames},
        {"first_difference",
         finding.firstDifference ? Value(static_cast<std::int64_t>(*finding.firstDifference)) : Value()}};
}

} // namespace

std::string_view hangName(HangVerdict::Hang hang)
{
    switch (hang) {
    case HangVerdict::Hang::Yes:
        return "yes";
    case HangVerdict::Hang::No:
        return "no";
    case HangVerdict::Hang::Unproven:
        break;
    }
    return "unproven";
}

Value hangValue(const HangVerdict& verdict, const Diagnostics& problems)
{
    Value::Array findings, suspects;
    for (const ReportedFinding& finding : verdict.findings)
        findings.push_back(findingValue(verdict, finding));
    for (const ReportedFinding& finding : verdict.suspects)
        suspects.push_back(findingValue(verdict, finding));
    return Value::Object{
        {"schema", "collscope.hang/1"},
        {"hang", std::string(hangName(verdict.hang))},
        {"text", verdict.text},
        {"proofs", texts(verdict.proofs)},
        {"findings", findings},
        {"suspects", suspects},
        {"victims", rangesValue(verdict.victims)},
        {"missing", numbers(verdict.missing)},
        {"alive_by_log", numbers(verdict.aliveByLog)},
        {"notes", texts(verdict.notes)},
        {"inconclusive", verdict.inconclusive.empty() ? Value() : Value(verdict.inconclusive)},
        {"coverage", verdict.coverage},
        {"problems", problemsValue(problems)}};
}

} // namespace collscope
