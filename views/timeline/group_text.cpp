// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/timeline/group_text.h"

#include "views/format.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace collscope {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("GroupLanes", text);
}

const QString dot = QStringLiteral(" \u00b7 ");

/// One member of a collective on the common axis.
struct Member
{
    std::int32_t rank = 0;
    TimeRange range;
};

std::vector<Member> membersOf(const ViewState& state, std::uint32_t instance)
{
    const RunCollectives& run = *state.collectives();
    std::vector<Member> members;
    for (const CallRef member : run.matching.membersOf(run.matching.instances[instance]))
        members.push_back({run.ranks[member.rank].rank, state.rangeOf(run.callOf(member).slice)});
    // Later ranks last; among those that came together the lowest rank counts as the last one, as in metrics.
    std::sort(members.begin(), members.end(), [](const Member& a, const Member& b) {
        return std::pair(a.range.beginNs, -a.rank) < std::pair(b.range.beginNs, -b.rank);
    });
    return members;
}

QString arrivalText(const ViewState& state, const std::vector<Member>& members)
{
    const std::int64_t skew = members.back().range.beginNs - members.front().range.beginNs;
    const std::int64_t significant
        = std::max(lateNs, state.collectives()->clocks.significantNs(state.clockChoice()));
    if (skew <= significant)
        return tr("together: within %1, which is no more than the clocks can tell")
            .arg(formatDuration(std::max<std::int64_t>(skew, 1)));
    const Member& last = members.back();
    const Member& before = members[members.size() - 2];
    return tr("over %1; rank %2 came last, %3 after rank %4")
        .arg(formatDuration(skew))
        .arg(last.rank)
        .arg(formatDuration(last.range.beginNs - before.range.beginNs))
        .arg(before.rank);
}

QString bandwidthText(const RunCollectives& run, const Instance& instance)
{
    const auto members = run.matching.membersOf(instance);
    const Call& call = run.callOf(members.front());
    std::int64_t shortest = call.durationNs();
    for (const CallRef member : members)
        shortest = std::min(shortest, run.callOf(member).durationNs());
    if (!call.bytes || shortest <= 0)
        return tr("unknown: the trace gives no message size");
    const double algorithm = static_cast<double>(*call.bytes) / static_cast<double>(shortest);
    const auto groupSize
        = call.groupSize > 0 ? call.groupSize : static_cast<std::int32_t>(instance.memberCount);
    const auto factor = busFactor(call.kind, groupSize);
    QString text = tr("%1 algbw").arg(formatRate(algorithm));
    if (factor)
        text += dot + tr("%1 busbw").arg(formatRate(algorithm * *factor));
    return text + dot + tr("over the shortest kernel, %1").arg(formatDuration(shortest));
}

QString presentText(const Instance& instance, const ProcessGroup& group)
{
    const std::int64_t expected = group.size > 0 ? std::int64_t{group.size} : instance.memberCount;
    QString text = expected == instance.memberCount ? tr("all %1").arg(expected)
                                                    : tr("%1 of %2").arg(instance.memberCount).arg(expected);
    if (instance.absent > 0)
        text += dot + tr("%1 loaded without this call").arg(instance.absent);
    return text;
}

} // namespace

QString shortRankList(const std::vector<std::int32_t>& ranks)
{
    constexpr qsizetype most = 4;
    QStringList parts;
    for (std::size_t i = 0; i < ranks.size();) {
        std::size_t last = i;
        while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1)
            ++last;
        if (last - i >= 2) {
            parts << QStringLiteral("%1\u2013%2").arg(ranks[i]).arg(ranks[last]);
            i = last + 1;
        } else {
            parts << QString::number(ranks[i]);
            ++i;
        }
    }
    if (parts.size() > most)
        return parts[0] + dot + parts[1] + QStringLiteral(" \u2026 ") + parts.last();
    return parts.join(dot);
}

QString purposeTitle(Purpose purpose)
{
    switch (purpose) {
    case Purpose::Global:
        return tr("global");
    case Purpose::Unknown:
        return tr("ranks"); // nothing says what they communicate for
    default: {
        const std::string_view name = purposeName(purpose);
        return QString::fromLatin1(name.data(), static_cast<qsizetype>(name.size())).toUpper();
    }
    }
}

QString laneTitle(const GroupLane& lane)
{
    return purposeTitle(lane.purpose) + QStringLiteral(" ") + shortRankList(lane.ranks);
}

QString laneNote(const GroupLane& lane, const ProcessGroup& group)
{
    QString what = toText(group.description);
    if (what.isEmpty() && !group.name.empty())
        what = tr("group %1").arg(toText(group.name)); // often a bare number
    const QString ranks = tr("%1 ranks").arg(lane.ranks.size());
    return what.isEmpty() ? ranks : what + QStringLiteral(", ") + ranks;
}

QString laneToolTip(const GroupLane& lane, const ProcessGroup& group)
{
    QStringList all;
    for (const std::int32_t rank : lane.ranks)
        all << QString::number(rank);
    QStringList lines;
    lines << tr("ranks %1").arg(all.join(QStringLiteral(", ")));
    if (lane.loaded.size() < lane.ranks.size())
        lines << tr("%1 of %2 ranks are loaded").arg(lane.loaded.size()).arg(lane.ranks.size());
    if (!group.name.empty())
        lines << tr("process group %1").arg(toText(group.name).toHtmlEscaped());
    if (!group.description.empty())
        lines << tr("described as %1").arg(toText(group.description).toHtmlEscaped());
    std::size_t count = 0;
    for (const LaneLevel& level : lane.levels)
        count += level.instances.size();
    lines << tr("%1 collectives").arg(formatCount(count));
    return QStringLiteral("<p><b>%1</b></p><p>%2</p>")
        .arg(laneTitle(lane).toHtmlEscaped(), lines.join(QStringLiteral("<br>")));
}

QString collectiveTitle(const RunCollectives& run, std::uint32_t instance)
{
    const Call& call = run.callOf(run.matching.membersOf(run.matching.instances[instance]).front());
    const QString name = toText(kernelClassName(call.kind));
    return call.bytes ? name + QStringLiteral("  ") + formatBytes(static_cast<double>(*call.bytes)) : name;
}

QString collectiveToolTip(const ViewState& state, const GroupLanes& groups, std::uint32_t index)
{
    const RunCollectives& run = *state.collectives();
    const Instance& instance = run.matching.instances[index];
    const CollectiveSpan& span = *groups.span(index);
    const GroupLane& lane = groups.lanes()[span.lane];
    const ProcessGroup& group = run.matching.groupOf(instance);
    QString rows;
    const auto add = [&](const QString& name, const QString& text) {
        rows += QStringLiteral(
                    "<tr><td style='padding-right:10px; white-space:nowrap'>%1</td><td>%2</td></tr>")
                    .arg(name, text.toHtmlEscaped());
    };
    add(tr("group"), laneTitle(lane) + QStringLiteral("  ") + laneNote(lane, group));
    add(tr("ranks"), presentText(instance, group));
    add(tr("start"), formatTime(span.beginNs, std::max<std::int64_t>((span.endNs - span.beginNs) / 10, 1)));
    add(tr("arrivals"), arrivalText(state, membersOf(state, index)));
    add(tr("transfer"),
        span.contradicts ? tr("unknown: on these clocks a rank leaves before the last one arrives")
                         : formatDuration(span.endNs - span.arrivedNs));
    add(tr("bandwidth"), bandwidthText(run, instance));
    add(tr("matched by"), toText(matchRuleName(instance.rule)));
    return QStringLiteral("<p><b>%1</b></p><table cellspacing='1'>%2</table>")
        .arg(collectiveTitle(run, index).toHtmlEscaped(), rows);
}

} // namespace collscope
