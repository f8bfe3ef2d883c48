// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/rows/group_text.h"

#include "metrics/matching/collective_rows.h"
#include "model/kernels/kernel_names.h"
#include "views/common/format.h"
#include "views/common/moment.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace collscope {

namespace {

struct GroupText
{
    Q_DECLARE_TR_FUNCTIONS(GroupLanes)
};

const QString dot = QStringLiteral(" \u00b7 ");

QString arrivalText(const CollectiveRows& table, const CollectiveRow& row)
{
    if (table.instanceOf(row).confidence == MatchConfidence::OrderAlone)
        return GroupText::tr("cannot be compared: these calls were matched by their order alone");
    if (!row.isLate)
        return GroupText::tr("simultaneous: within %1, which is within the clock uncertainty")
            .arg(formatDuration(std::max<std::int64_t>(row.times.skewNs(), 1)));
    std::vector<MemberArrival> others = table.arrivalsOf(row);
    others.erase(others.begin() + row.times.last);
    const auto before
        = std::max_element(others.begin(), others.end(), [](const MemberArrival& a, const MemberArrival& b) {
              return a.latenessNs < b.latenessNs;
          });
    return GroupText::tr("over %1; rank %2 arrived last, %3 after rank %4")
        .arg(formatDuration(row.times.skewNs()))
        .arg(table.lastRank(row))
        .arg(formatDuration(row.times.aheadOfLastNs))
        .arg(before->rank);
}

QString bandwidthText(const CollectiveRows& table, const CollectiveRow& row)
{
    if (!row.times.tellsTransfer)
        return GroupText::tr("cannot be determined: a sender may finish before the others arrive");
    const auto algorithm = table.algorithmBandwidth(row);
    if (!algorithm)
        return GroupText::tr("unknown: the trace does not record the message size");
    QString text = GroupText::tr("%1 algbw").arg(formatRate(*algorithm));
    if (const auto bus = table.busBandwidth(row))
        text += dot + GroupText::tr("%1 busbw").arg(formatRate(*bus));
    return text;
}

QString presentText(const CollectiveInstance& instance, const ProcessGroup& group)
{
    const std::int64_t expected = group.size > 0 ? std::int64_t{group.size} : instance.memberCount;
    QString text = expected == instance.memberCount
        ? GroupText::tr("all %1").arg(expected)
        : GroupText::tr("%1 of %2").arg(instance.memberCount).arg(expected);
    if (instance.absent > 0)
        text += dot + GroupText::tr("%n loaded rank(s) without a matching call", nullptr, instance.absent);
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

QString parallelismTitle(ParallelismKind parallelismKind)
{
    switch (parallelismKind) {
    case ParallelismKind::Global:
        return GroupText::tr("global");
    case ParallelismKind::Unknown:
        return GroupText::tr("ranks"); // the kind of parallelism is unknown
    default: {
        const std::string_view name = parallelismKindName(parallelismKind);
        return QString::fromLatin1(name.data(), static_cast<qsizetype>(name.size())).toUpper();
    }
    }
}

QString laneTitle(const GroupLane& lane)
{
    return parallelismTitle(lane.parallelismKind) + QStringLiteral(" ") + shortRankList(lane.ranks);
}

QString laneNote(const GroupLane& lane, const ProcessGroup& group)
{
    QString what = toText(group.description);
    if (what.isEmpty() && !group.name.empty())
        what = GroupText::tr("group %1").arg(toText(group.name)); // often a bare number
    const QString ranks = GroupText::tr("%1 ranks").arg(lane.ranks.size());
    return what.isEmpty() ? ranks : what + QStringLiteral(", ") + ranks;
}

QString laneToolTip(const GroupLane& lane, const ProcessGroup& group)
{
    QStringList all;
    for (const std::int32_t rank : lane.ranks)
        all << QString::number(rank);
    QStringList lines;
    lines << GroupText::tr("ranks %1").arg(all.join(QStringLiteral(", ")));
    if (lane.loaded.size() < lane.ranks.size())
        lines << GroupText::tr("%1 of %2 ranks are loaded").arg(lane.loaded.size()).arg(lane.ranks.size());
    if (!group.name.empty())
        lines << GroupText::tr("process group %1").arg(toText(group.name).toHtmlEscaped());
    if (!group.description.empty())
        lines << GroupText::tr("described as %1").arg(toText(group.description).toHtmlEscaped());
    std::size_t count = 0;
    for (const LaneLevel& level : lane.levels)
        count += level.instances.size();
    lines << GroupText::tr("%1 collectives").arg(formatCount(count));
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
    const RunCollectives& run = *state.run().collectives();
    const CollectiveInstance& instance = run.matching.instances[index];
    const CollectiveSpan& span = *groups.span(index);
    const GroupLane& lane = groups.lanes()[span.lane];
    const ProcessGroup& group = run.matching.groupOf(instance);
    QString rows;
    const auto add = [&](const QString& name, const QString& text) {
        rows += QStringLiteral(
                    "<tr><td style='padding-right:10px; white-space:nowrap'>%1</td><td>%2</td></tr>")
                    .arg(name, text.toHtmlEscaped());
    };
    add(GroupText::tr("group"), laneTitle(lane) + QStringLiteral("  ") + laneNote(lane, group));
    add(GroupText::tr("ranks"), presentText(instance, group));
    add(GroupText::tr("start"),
        MomentText(state).of(span.beginNs, std::max<std::int64_t>((span.endNs - span.beginNs) / 10, 1)));
    const CollectiveRows table
        = withoutRows(state.run().model(), state.run().collectives(), state.run().clockChoice());
    const CollectiveRow row = table.describe(index);
    add(GroupText::tr("arrivals"), arrivalText(table, row));
    if (row.times.tellsTransfer)
        add(GroupText::tr("transfer"),
            GroupText::tr("%1, the shortest kernel").arg(formatDuration(row.times.transferNs)));
    add(GroupText::tr("bandwidth"), bandwidthText(table, row));
    add(GroupText::tr("matched by"), toText(matchRuleName(instance.rule)));
    add(GroupText::tr("confirmed by"), toText(matchConfidenceName(instance.confidence)));
    return QStringLiteral("<p><b>%1</b></p><table cellspacing='1'>%2</table>")
        .arg(collectiveTitle(run, index).toHtmlEscaped(), rows);
}

} // namespace collscope
