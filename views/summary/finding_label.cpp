// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/summary/finding_label.h"

#include "metrics/idle/idle_cause.h"
#include "views/common/format.h"
#include "views/common/theme.h"

#include <QCoreApplication>

#include <array>

namespace collscope {

namespace {

struct FindingLabel
{
    Q_DECLARE_TR_FUNCTIONS(FindingLabel)
};

/// In the order of IdleCause.
const std::array<const char*, idleCauseCount> causeLabels{
    QT_TRANSLATE_NOOP("FindingLabel", "synchronisation"),
    QT_TRANSLATE_NOOP("FindingLabel", "memory allocation"),
    QT_TRANSLATE_NOOP("FindingLabel", "data loading"),
    QT_TRANSLATE_NOOP("FindingLabel", "compilation"),
    QT_TRANSLATE_NOOP("FindingLabel", "garbage collection"),
    QT_TRANSLATE_NOOP("FindingLabel", "profiler"),
    QT_TRANSLATE_NOOP("FindingLabel", "checkpoint"),
    QT_TRANSLATE_NOOP("FindingLabel", "CPU waits for ranks"),
    QT_TRANSLATE_NOOP("FindingLabel", "copies to the GPU"),
    QT_TRANSLATE_NOOP("FindingLabel", "CPU bound"),
    QT_TRANSLATE_NOOP("FindingLabel", "waits for a stream"),
    QT_TRANSLATE_NOOP("FindingLabel", "CPU waits"),
    QT_TRANSLATE_NOOP("FindingLabel", "little recorded on the CPU"),
    QT_TRANSLATE_NOOP("FindingLabel", "cause not known"),
    QT_TRANSLATE_NOOP("FindingLabel", "launch overhead"),
    QT_TRANSLATE_NOOP("FindingLabel", "unexplained")};

/// The reason why a rank is late; empty if it is unknown.
QString lateReason(std::string_view cause)
{
    for (std::size_t i = 0; i < idleCauseCount; ++i) {
        if (idleCauseName(static_cast<IdleCause>(i)) == cause)
            return idleCauseLabel(static_cast<IdleCause>(i));
    }
    if (cause == "slow_kernels" || cause == "longer_kernels")
        return FindingLabel::tr("longer kernels");
    if (cause == "varying_compute")
        return FindingLabel::tr("computing of varying length");
    return cause == "more_compute" ? FindingLabel::tr("more computing") : QString();
}

QString withName(const QString& text, const std::string& name)
{
    return name.empty() ? text : FindingLabel::tr("%1, mostly %2").arg(text, shortName(name).left(80));
}

QString withGroup(const QString& text, const std::string& group)
{
    return group.empty() ? text : FindingLabel::tr("%1 in %2").arg(text, toText(group));
}

} // namespace

QString findingLabel(const Finding& finding)
{
    const QString name = shortName(finding.name).left(80);
    switch (finding.kind) {
    case FindingKind::LateRank: {
        if (finding.ranks.empty())
            return FindingLabel::tr("Ranks wait for others that arrive together");
        QString late = FindingLabel::tr("The others wait for rank %1").arg(finding.ranks.front());
        const QString reason = lateReason(finding.cause);
        if (reason.isEmpty())
            return late;
        return finding.isPartOfCause ? FindingLabel::tr("%1, in part: %2").arg(late, reason)
                                     : late + QStringLiteral(": ") + reason;
    }
    case FindingKind::Straggler:
        return FindingLabel::tr("The others wait for rank %1").arg(finding.ranks.front());
    case FindingKind::UnbalancedWork:
        return FindingLabel::tr("Unequal work: ranks take turns in being late");
    case FindingKind::UnbalancedExperts:
        return FindingLabel::tr("Unequal experts: ranks take turns in being late");
    case FindingKind::SlowKernelsOnRank:
        return finding.ranks.empty()
            ? FindingLabel::tr("Slower kernels: %1").arg(name)
            : FindingLabel::tr("Slower kernels on rank %1: %2").arg(finding.ranks.front()).arg(name);
    case FindingKind::ExposedCommunication:
        return withGroup(FindingLabel::tr("Exposed communication: %1").arg(name), finding.group);
    case FindingKind::SlowCollectives:
        return withGroup(FindingLabel::tr("Slow collectives: %1").arg(name), finding.group);
    case FindingKind::ExposedCopies:
        return FindingLabel::tr("Exposed copies: %1").arg(name);
    case FindingKind::PipelineBubble:
        return FindingLabel::tr("Pipeline bubble");
    case FindingKind::OutlierSteps:
        return withName(FindingLabel::tr("A few steps compute longer"), finding.name);
    case FindingKind::GpuIdle:
    case FindingKind::LaunchBound:
    case FindingKind::Allocator:
    case FindingKind::Recompiles:
        if (finding.idleCause) {
            const QString idle = FindingLabel::tr("GPU idle: %1").arg(idleCauseLabel(*finding.idleCause));
            return blamesNextEvent(*finding.idleCause) && !finding.name.empty()
                ? FindingLabel::tr("%1, mostly before %2").arg(idle, name)
                : withName(idle, finding.name);
        }
        break;
    case FindingKind::RanksMissing:
    case FindingKind::SeveralRuns:
    case FindingKind::UnrecognisedCommunication:
    case FindingKind::ClocksApart:
    case FindingKind::NoSteps:
    case FindingKind::ProfilerOverhead:
    case FindingKind::HardwareTrouble:
    case FindingKind::NetworkTrouble:
    case FindingKind::JobSlowed:
        break;
    }
    return sentenceText(finding.title);
}

QString idleCauseLabel(IdleCause cause)
{
    return FindingLabel::tr(causeLabels[static_cast<std::size_t>(cause)]);
}

QColor severityColor(double share, const QPalette& palette)
{
    const Surfaces colors = surfaces(palette);
    constexpr double large = 0.1;
    if (share >= large)
        return colors.worse;
    return share >= matteringShare ? colors.warning : colors.dimText;
}

} // namespace collscope
