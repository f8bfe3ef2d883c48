// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/collectives/collectives_model.h"

#include "model/kernels/kernel_names.h"
#include "views/common/palette.h"
#include "views/common/theme.h"

#include <QApplication>
#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

namespace collscope {

namespace {

/// The searched texts of a row, as ids. Many rows share few distinct keys.
using WordKey = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, KernelClass>;

struct CollectivesText
{
    Q_DECLARE_TR_FUNCTIONS(Collectives)
};

struct ColumnText
{
    const char* key; ///< used in copies and exports; never translated
    const char* title; ///< {t} = the unit of durations
    const char* meaning;
};
constexpr std::array<ColumnText, CollectivesModel::ColumnCount> columnTexts{{
    {"collective", QT_TRANSLATE_NOOP("Collectives", "collective"),
     QT_TRANSLATE_NOOP("Collectives", "name given by the profiler")},
    {"process_group", QT_TRANSLATE_NOOP("Collectives", "process group"),
     QT_TRANSLATE_NOOP("Collectives", "name and ranks")},
    {"step", QT_TRANSLATE_NOOP("Collectives", "step"),
     QT_TRANSLATE_NOOP("Collectives", "step in which the first rank started it")},
    {"start_ns", QT_TRANSLATE_NOOP("Collectives", "start ms"),
     QT_TRANSLATE_NOOP("Collectives", "start on the first rank")},
    {"skew_ns", QT_TRANSLATE_NOOP("Collectives", "skew {t}"),
     QT_TRANSLATE_NOOP("Collectives", "time from the first rank's start to the last rank's start")},
    {"last_rank", QT_TRANSLATE_NOOP("Collectives", "last rank"),
     QT_TRANSLATE_NOOP("Collectives", "the last rank to arrive")},
    {"ahead_of_last_ns", QT_TRANSLATE_NOOP("Collectives", "lag of last {t}"),
     QT_TRANSLATE_NOOP("Collectives",
                       "time between the arrival of the second-to-last rank and that of the last rank")},
    {"mean_wait_ns", QT_TRANSLATE_NOOP("Collectives", "mean wait {t}"),
     QT_TRANSLATE_NOOP("Collectives",
                       "mean over ranks of the time until the last rank (or the root) arrived; empty where "
                       "it cannot be determined")},
    {"exposed_ns", QT_TRANSLATE_NOOP("Collectives", "exposed {t}"),
     QT_TRANSLATE_NOOP(
         "Collectives",
         "mean over ranks of the time that no compute kernel of the rank hides, waiting included")},
    {"transfer_ns", QT_TRANSLATE_NOOP("Collectives", "transfer {t}"),
     QT_TRANSLATE_NOOP("Collectives",
                       "shortest duration on any rank: excludes waiting and does not depend on clocks; empty "
                       "for collectives with a root")},
    {"message_bytes", QT_TRANSLATE_NOOP("Collectives", "size"),
     QT_TRANSLATE_NOOP("Collectives", "message size as defined by nccl-tests")},
    {"algbw_gb_per_s", QT_TRANSLATE_NOOP("Collectives", "algbw GB/s"),
     QT_TRANSLATE_NOOP("Collectives", "message size / transfer time")},
    {"busbw_gb_per_s", QT_TRANSLATE_NOOP("Collectives", "busbw GB/s"),
     QT_TRANSLATE_NOOP("Collectives",
                       "algbw \u00d7 bus factor (bytes that a rank puts on the wire / message size)")},
    {"first_rank", QT_TRANSLATE_NOOP("Collectives", "first rank"),
     QT_TRANSLATE_NOOP("Collectives", "the first rank to arrive")},
    {"ranks", QT_TRANSLATE_NOOP("Collectives", "ranks"),
     QT_TRANSLATE_NOOP("Collectives", "ranks found / ranks in the process group")},
    {"start_spread_ns", QT_TRANSLATE_NOOP("Collectives", "start spread {t}"),
     QT_TRANSLATE_NOOP("Collectives", "std. dev. of start times")},
    {"end_skew_ns", QT_TRANSLATE_NOOP("Collectives", "end skew {t}"),
     QT_TRANSLATE_NOOP("Collectives", "time from the first rank's end to the last rank's end")},
    {"element_type", QT_TRANSLATE_NOOP("Collectives", "type"),
     QT_TRANSLATE_NOOP("Collectives", "element type of the message")},
    {"purpose", QT_TRANSLATE_NOOP("Collectives", "parallelism"),
     QT_TRANSLATE_NOOP("Collectives", "kind of parallelism that the process group is used for")},
    {"matched_by", QT_TRANSLATE_NOOP("Collectives", "matched by"),
     QT_TRANSLATE_NOOP("Collectives", "rule by which the ranks' calls were matched")},
    {"match_confidence", QT_TRANSLATE_NOOP("Collectives", "match confirmed by"),
     QT_TRANSLATE_NOOP("Collectives", "evidence that these calls form one collective")},
}};

/// Formats a bandwidth with two decimals, or one from 100 GB/s up; more digits would exceed its accuracy.
QString rateText(double gigabytesPerSecond)
{
    return QLocale().toString(gigabytesPerSecond, 'f', gigabytesPerSecond >= 100 ? 1 : 2);
}

} // namespace

void CollectivesModel::setCollectives(CollectiveRowsPtr collectives)
{
    setIds({}); // prevents access to rows that no longer exist
    m_collectives = std::move(collectives);
    std::int64_t longest = 0;
    if (m_collectives) {
        for (const CollectiveRow& row : m_collectives->rows)
            longest = std::max({longest, row.times.skewNs(), row.times.transferNs});
    }
    m_unit = columnUnit(longest);
    emit headerDataChanged(Qt::Horizontal, 0, ColumnCount - 1);
    applyFilter();
}

void CollectivesModel::setExposure(ExposurePtr exposure)
{
    m_exposure = std::move(exposure);
    applyFilter(); // sorts again
}

void CollectivesModel::setFilter(CollectiveFilter filter)
{
    m_filter = std::move(filter);
    applyFilter();
}

void CollectivesModel::applyFilter()
{
    std::vector<std::uint32_t> ids;
    const CollectiveWords words(m_filter.words);
    std::map<WordKey, bool> known;
    const auto fitsWords = [&](const CollectiveRow& row) {
        if (words.isEmpty())
            return true;
        const Call& call = m_collectives->memberOf(row, 0);
        const WordKey key{call.meta ? call.meta->name.value : 0, call.meta ? call.meta->elementType.value : 0,
                          m_collectives->instanceOf(row).group, call.kind};
        const auto [found, isNew] = known.try_emplace(key, false);
        if (isNew)
            found->second = words.fit(*m_collectives, call, m_collectives->groupOf(row).text);
        return found->second;
    };
    for (std::uint32_t id = 0; m_collectives && id < m_collectives->rows.size(); ++id) {
        const CollectiveRow& row = m_collectives->rows[id];
        if ((!m_filter.lateOnly || row.isLate)
            && (!m_filter.range || m_filter.range->overlaps(row.times.range()))
            && m_filter.groups.includes(m_collectives->run->matching, m_collectives->instanceOf(row).group)
            && fitsWords(row))
            ids.push_back(id);
    }
    setIds(std::move(ids));
}

std::optional<double> CollectivesModel::exposedNs(const CollectiveRow& row) const
{
    // Usually the first member tells the mean of all.
    for (std::uint32_t member = 0; m_exposure && member < m_collectives->callsOf(row).size(); ++member) {
        if (const auto meanNs = m_exposure->meanOf(m_collectives->memberOf(row, member).slice))
            return meanNs;
    }
    return std::nullopt;
}

int CollectivesModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

bool CollectivesModel::isText(int column) const
{
    return column == Name || column == Group || column == ParallelismKinds || column == ElementType
        || column == Rule || column == Confidence;
}

std::string_view CollectivesModel::text(std::uint32_t id, int column) const
{
    const CollectiveRow& row = m_collectives->rows[id];
    switch (column) {
    case Name:
        return m_collectives->nameOf(row);
    case Group:
        return m_collectives->groupOf(row).text;
    case ParallelismKinds: {
        const ParallelismKind parallelismKind = m_collectives->groupOf(row).parallelismKind;
        return parallelismKind == ParallelismKind::Unknown ? std::string_view()
                                                           : parallelismKindName(parallelismKind);
    }
    case ElementType:
        return m_collectives->elementTypeOf(row);
    case Confidence:
        return matchConfidenceName(m_collectives->instanceOf(row).confidence);
    default:
        return matchRuleName(m_collectives->instanceOf(row).rule);
    }
}

double CollectivesModel::number(std::uint32_t id, int column) const
{
    const CollectiveRow& row = m_collectives->rows[id];
    const auto ns = [](std::int64_t value) { return static_cast<double>(value); };
    switch (column) {
    case StepNumber:
        return row.step ? ns(*row.step) : unknownNumber;
    case Start:
        return ns(row.times.range().beginNs);
    case Skew:
        return ns(row.times.skewNs());
    case LastRank:
        return m_collectives->lastRank(row);
    case AheadOfLast:
        return ns(row.times.aheadOfLastNs);
    case MeanWait:
        return m_collectives->meanWaitNs(row).value_or(unknownNumber);
    case Exposed:
        return exposedNs(row).value_or(unknownNumber);
    case Transfer:
        return row.times.tellsTransfer ? ns(row.times.transferNs) : unknownNumber;
    case Size:
        return row.bytes ? static_cast<double>(*row.bytes) : unknownNumber;
    case AlgorithmBandwidth:
        return m_collectives->algorithmBandwidth(row).value_or(unknownNumber);
    case BusBandwidth:
        return m_collectives->busBandwidth(row).value_or(unknownNumber);
    case FirstRank:
        return m_collectives->firstRank(row);
    case Ranks:
        return m_collectives->instanceOf(row).memberCount;
    case Spread:
        return row.spreadNs;
    case EndSkew:
        return ns(row.times.departures.lengthNs());
    default:
        return unknownNumber;
    }
}

QString CollectivesModel::shown(std::uint32_t id, int column) const
{
    QString word = isText(column) ? toText(text(id, column)) : QString();
    if (!word.isEmpty())
        return word;
    const double value = isText(column) ? unknownNumber : number(id, column);
    if (std::isnan(value))
        return QStringLiteral("\u2013");
    switch (column) {
    case Start:
        return startText(m_collectives->rows[id].times.arrivals.beginNs);
    case Size:
        return formatBytes(value);
    case AlgorithmBandwidth:
    case BusBandwidth:
        return rateText(value);
    case Ranks: {
        const std::int32_t expected = m_collectives->rows[id].expected;
        return expected > 0 ? QStringLiteral("%1/%2").arg(value).arg(expected) : QString::number(value);
    }
    case StepNumber:
    case LastRank:
    case FirstRank:
        return QString::number(value);
    default:
        return formatIn(m_unit, value);
    }
}

QString CollectivesModel::noTransferText()
{
    return tr("The collective has a root, and a sender may finish before the others arrive: no kernel "
              "duration equals the transfer time.");
}

QString CollectivesModel::arrivalsText(const CollectiveRow& row) const
{
    std::vector<MemberArrival> arrivals = m_collectives->arrivalsOf(row);
    std::stable_sort(arrivals.begin(), arrivals.end(),
                     [](const auto& a, const auto& b) { return a.latenessNs > b.latenessNs; });
    constexpr std::size_t most = 12;
    QStringList lines;
    for (std::size_t i = 0; i < std::min(most, arrivals.size()); ++i)
        lines << tr("rank %1: +%2").arg(arrivals[i].rank).arg(formatDurationExact(arrivals[i].latenessNs));
    if (arrivals.size() > most)
        lines << tr("and %1 earlier ranks").arg(arrivals.size() - most);
    return lines.join(QLatin1Char('\n'));
}

QString CollectivesModel::toolTip(std::uint32_t id, int column) const
{
    const CollectiveRow& row = m_collectives->rows[id];
    const auto whole = [](double ns) { return formatDurationExact(std::llround(ns)); };
    switch (column) {
    case Name:
        return tr("%1 \u00b7 %2")
            .arg(toText(kernelClassName(row.kind)),
                 toText(m_collectives->model->nameOf(m_collectives->lastSlice(row))));
    case Group: {
        const ProcessGroup& group = m_collectives->groupOf(row);
        return group.description.empty() ? toText(group.text)
                                         : toText(group.description + " \u00b7 " + group.text);
    }
    case Skew:
        return row.isLate ? tr("%1 from the first rank to the last").arg(whole(number(id, column)))
                          : tr("%1: within the clock uncertainty").arg(whole(number(id, column)));
    case FirstRank:
    case LastRank:
        return arrivalsText(row);
    case Size:
        return row.bytes ? tr("%1 bytes").arg(formatCount(*row.bytes))
                         : tr("The trace does not record the message size.");
    case AlgorithmBandwidth:
        return !row.times.tellsTransfer ? noTransferText()
            : row.bytes                 ? tr("message size / transfer time, decimal GB/s")
                                        : tr("The trace does not record the message size.");
    case BusBandwidth:
        return !row.times.tellsTransfer ? noTransferText()
            : !row.bytes                ? tr("The trace does not record the message size.")
            : row.groupSize < 2         ? tr("The trace does not record the group size.")
                                        : tr("algbw \u00d7 %1 (%2 ranks), decimal GB/s")
                                      .arg(busFactor(row.kind, row.groupSize).value_or(1.0), 0, 'g', 4)
                                      .arg(row.groupSize);
    case Ranks:
        return m_collectives->instanceOf(row).absent > 0
            ? tr("%n loaded rank(s) of the group: no matching call", nullptr,
                 m_collectives->instanceOf(row).absent)
            : tr("ranks found / ranks in the process group");
    case MeanWait:
        if (!row.times.tellsWaits)
            return m_collectives->instanceOf(row).confidence == MatchConfidence::OrderAlone
                ? tr("These calls were matched by their order alone, so waits cannot be determined.")
                : tr("The root or the type of communication is unknown, so waits cannot be determined.");
        return whole(number(id, column));
    case Exposed:
        return exposedNs(row) ? whole(number(id, column)) : QString();
    case Transfer:
        return row.times.tellsTransfer ? whole(number(id, column)) : noTransferText();
    case AheadOfLast:
    case Spread:
    case EndSkew:
    case Start:
        return whole(number(id, column));
    default:
        return isText(column) ? shown(id, column) : QString();
    }
}

QColor CollectivesModel::chip(std::uint32_t id, int column) const
{
    return column == Name ? kernelColor(m_collectives->rows[id].kind, QApplication::palette()) : QColor();
}

QColor CollectivesModel::ink(std::uint32_t id, int column) const
{
    const CollectiveRow& row = m_collectives->rows[id];
    const Surfaces colors = surfaces(QApplication::palette());
    const bool isWorse
        = (column == Skew && row.isLate) || (column == Ranks && m_collectives->instanceOf(row).absent > 0);
    const bool isDim = !row.isLate && (column == Skew || column == LastRank || column == AheadOfLast);
    return isWorse ? colors.worse : isDim ? colors.dimText : QColor();
}

RowIdModel::Heading CollectivesModel::heading(int column) const
{
    const ColumnText& text = columnTexts[static_cast<std::size_t>(column)];
    return {text.key, CollectivesText::tr(text.title).replace(QLatin1String("{t}"), m_unit.name),
            CollectivesText::tr(text.meaning), column == Start || column == StepNumber};
}

} // namespace collscope
