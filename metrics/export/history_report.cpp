// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/export/history_report.h"

#include "metrics/export/written_report.h"
#include "model/text/wall_clock_text.h"

namespace collscope {

namespace {

Value::Array sentencesValue(const std::vector<std::string>& values)
{
    Value::Array all;
    for (const std::string& value : values)
        all.emplace_back(value);
    return all;
}

/// Nothing where no time is stated.
Value utcValue(std::int64_t ns)
{
    return ns == 0 ? Value() : Value(wallClockText(ns));
}

Value jobCommunicatorValue(const JobHistory& history, std::uint32_t place)
{
    const HistoryCommunicator& own = history.communicators[place];
    return Value::Object{{"hash", own.hash.empty() ? Value() : Value(own.hash)},
                         {"name", own.name.empty() ? Value() : Value(own.name)},
                         {"ranks", own.ranks > 0 ? Value(own.ranks) : Value()}};
}

Value jobMemberValue(const JobHistory& history, std::uint32_t place)
{
    const HistoryMember& own = history.members[place];
    return Value::Object{{"communicator", jobCommunicatorValue(history, own.communicator)},
                         {"rank_in_communicator", own.rank >= 0 ? Value(own.rank) : Value()},
                         {"host", own.host.empty() ? Value() : Value(own.host)},
                         {"pid", own.pid >= 0 ? Value(own.pid) : Value()}};
}

std::string_view culpritName(Culprit::Kind kind)
{
    switch (kind) {
    case Culprit::Kind::LateProcess:
        return "late_process";
    case Culprit::Kind::LateHost:
        return "late_host";
    case Culprit::Kind::Transfer:
        return "transfer";
    case Culprit::Kind::TransferOfHost:
        return "transfer_of_host";
    case Culprit::Kind::Nobody:
        break;
    }
    return "unknown";
}

Value culpritValue(const JobHistory& history, const Culprit& culprit)
{
    Value::Array communicators, members;
    for (const std::uint32_t place : culprit.communicators)
        communicators.push_back(jobCommunicatorValue(history, place));
    for (const std::uint32_t place : culprit.members)
        members.push_back(jobMemberValue(history, place));
    return Value::Object{{"kind", std::string(culpritName(culprit.kind))},
                         {"hosts", sentencesValue(culprit.hosts)},
                         {"members", members},
                         {"communicators", communicators},
                         {"text", culprit.text}};
}

Value jobCommunicationValue(const JobHistory& history, const CommunicationChange& change)
{
    return Value::Object{
        {"communicator", jobCommunicatorValue(history, change.communicator)},
        {"operation", change.operation},
        {"bytes", change.bytes},
        {"what", change.kind == CommunicationChange::Kind::Transfer ? "transfer" : "waiting"},
        {"before_us", change.beforeUs},
        {"after_us", change.afterUs},
        {"collective", static_cast<std::int64_t>(change.round)},
        {"collectives", static_cast<std::int64_t>(change.rounds)},
        {"earliest", utcValue(change.earliestNs)},
        {"latest", utcValue(change.latestNs)}};
}

Value jobChangeValue(const JobHistory& history, const JobReport& report, const JobChange& change)
{
    Value steps;
    if (change.steps)
        steps = Value::Object{
            {"step", change.steps->step},          {"earliest_step", change.steps->earliest},
            {"latest_step", change.steps->latest}, {"before_ns", change.steps->beforeNs},
            {"after_ns", change.steps->afterNs},   {"probability_by_chance", change.steps->probability}};
    Value::Array communication;
    for (const CommunicationChange& own : change.communication)
        communication.push_back(jobCommunicationValue(history, own));
    return Value::Object{
        {"text", change.text},
        {"direction", change.isSlower ? "slower" : "faster"},
        {"steps", steps},
        {"earliest", utcValue(change.earliestNs)},
        {"latest", utcValue(change.latestNs)},
        {"clock_is_guessed",
         change.steps && change.latestNs > 0 && report.logClock && report.logClock->isGuessed},
        {"culprit", culpritValue(history, change.culprit)},
        {"communication", communication}};
}

Value jobStepsValue(const JobReport& report)
{
    const StepSeries& series = report.series;
    if (series.size() == 0)
        return {};
    Value::Array steps, times;
    for (std::size_t i = 0; i < series.size(); ++i) {
        steps.emplace_back(series.steps[i]);
        times.emplace_back(series.ns[i]);
    }
    return Value::Object{{"log", std::string(logDialectName(series.dialect))},
                         {"time_is_derived", series.isDerived},
                         {"interval", series.interval},
                         {"restarts", static_cast<std::int64_t>(series.restarts)},
                         {"median_ns", report.medianNs},
                         {"steps", steps},
                         {"step_ns", times}};
}

Value jobBandwidthValue(const JobHistory& history, const BandwidthRow& row)
{
    return Value::Object{{"communicator", jobCommunicatorValue(history, row.communicator)},
                         {"operation", row.operation},
                         {"bytes", row.bytes},
                         {"collectives", static_cast<std::int64_t>(row.rounds)},
                         {"members", static_cast<std::int64_t>(row.members)},
                         {"all_members_recorded", row.isOfAll},
                         {"median_us", row.medianUs},
                         {"slowest_tenth_us", row.slowestTenthUs},
                         {"bus_gb_per_s", orNull(row.busGbPerSecond)},
                         {"bus_is_stated", row.busIsStated}};
}

Value jobSampleValue(const JobHistory& history, const BandwidthSample& sample)
{
    const HistoryMember& member = history.members[sample.member];
    return Value::Object{{"communicator", jobCommunicatorValue(history, member.communicator)},
                         {"host", member.host.empty() ? Value() : Value(member.host)},
                         {"gpu", member.gpu.empty() ? Value() : Value(member.gpu)},
                         {"operation", sample.operation},
                         {"sizes", sample.sizes},
                         {"mean_us", orNull(sample.durationUs)},
                         {"bus_gb_per_s", orNull(sample.busGbPerSecond)}};
}

} // namespace

Value historyValue(const JobHistory& history, const JobReport& report, const Diagnostics& problems)
{
    Value::Array changes, bandwidth, samples;
    for (const JobChange& change : report.changes)
        changes.push_back(jobChangeValue(history, report, change));
    for (const BandwidthRow& row : report.communication.rows)
        bandwidth.push_back(jobBandwidthValue(history, row));
    for (const BandwidthSample& sample : history.samples)
        samples.push_back(jobSampleValue(history, sample));
    return Value::Object{{"schema", "collscope.history/1"},
                         {"text", report.verdict},
                         {"too_little", report.isTooLittle},
                         {"changes", changes},
                         {"notes", sentencesValue(report.notes)},
                         {"steps", jobStepsValue(report)},
                         {"bandwidth", bandwidth},
                         {"means", samples},
                         {"coverage", sentencesValue(report.coverage)},
                         {"problems", problemsValue(problems)}};
}

} // namespace collscope
