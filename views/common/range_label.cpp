// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/common/range_label.h"

#include "views/common/format.h"
#include "views/common/theme.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace collscope {

namespace {

constexpr int labelPadding = 8; ///< px on each side of a part
constexpr int leastWidth = 520; ///< px; a label may be this wide even if its range is narrower

struct RangeLabelText
{
    Q_DECLARE_TR_FUNCTIONS(RangeLabel)
};

double perSecond(std::uint64_t count, std::int64_t ns)
{
    return static_cast<double>(count) * 1e9 / static_cast<double>(std::max<std::int64_t>(ns, 1));
}

QString busyText(const RangeSummary& summary, const QString& percent)
{
    return (summary.gpus.size() == 1 ? RangeLabelText::tr("GPU busy %1") : RangeLabelText::tr("GPUs busy %1"))
        .arg(percent);
}

QString computingText(const QString& percent)
{
    return RangeLabelText::tr("computing %1").arg(percent);
}

QString exposedText(const QString& duration)
{
    return RangeLabelText::tr("exposed %1").arg(duration);
}

QString slicesText(std::uint64_t count)
{
    return count == 1 ? RangeLabelText::tr("1 slice")
                      : RangeLabelText::tr("%1 slices").arg(formatCount(count));
}

QString instantsText(std::uint64_t count)
{
    return count == 1 ? RangeLabelText::tr("1 instant")
                      : RangeLabelText::tr("%1 instants").arg(formatCount(count));
}

/// A part of the label before layout.
struct Candidate
{
    QString text;
    QString widest; ///< widest text expected while the range changes
    int importance; ///< 0 = always shown
};

} // namespace

QString RangeLabel::text() const
{
    QStringList texts;
    for (const Part& part : parts)
        texts << part.text;
    return texts.join(QStringLiteral(" \u00b7 "));
}

RangeLabel layOutRangeLabel(const QFontMetrics& metrics, const QRect& strip, double left, double right,
                            TimeRange range, const RangeSummary* summary)
{
    RangeLabel label;
    if (right < 0 || left > strip.width() || range.isEmpty())
        return label;
    const bool isKnown = summary && summary->range == range;
    const QString later = QStringLiteral("\u2026");
    std::vector<Candidate> wanted{
        {formatDuration(range.lengthNs()), formatDuration(88'800'000), 0},
        {formatScaled(perSecond(1, range.lengthNs()), RangeLabelText::tr("Hz")),
         formatScaled(88'800, RangeLabelText::tr("Hz")), 5},
        {RangeLabelText::tr("%1 events")
             .arg(isKnown ? formatCount(summary->slices + summary->instants) : later),
         RangeLabelText::tr("%1 events").arg(formatCount(88'888)), 4}};
    // A run without GPU work never has this part.
    if (!summary || !summary->gpus.empty()) {
        // Not how busy the GPUs are: one that waits for other ranks is busy.
        const auto percent = isKnown ? summary->computeShare() : std::nullopt;
        const auto exposed = isKnown ? summary->exposedNs() : std::nullopt;
        wanted.push_back({computingText(percent ? formatPercent(100 * *percent) : later),
                          computingText(formatPercent(88.8)), 2});
        wanted.push_back({exposedText(exposed ? formatDuration(*exposed) : later),
                          exposedText(formatDuration(88'800'000)), 3});
    }
    wanted.push_back({RangeLabelText::tr("use for metrics"), QString(), 1});

    const auto widthOf = [&](const Candidate& part) {
        return 2 * labelPadding
            + std::max(metrics.horizontalAdvance(part.text), metrics.horizontalAdvance(part.widest));
    };
    const auto widthOfAll = [&] {
        int width = 0;
        for (const Candidate& part : wanted)
            width += widthOf(part);
        return width;
    };
    const double from = std::max(left, 0.0);
    const double to = std::min(right, static_cast<double>(strip.width()));
    const int room = std::min(std::max(static_cast<int>(to - from), leastWidth), strip.width());
    while (wanted.size() > 1 && widthOfAll() > room)
        wanted.erase(std::max_element(wanted.begin(), wanted.end(), [](const auto& a, const auto& b) {
            return a.importance < b.importance;
        }));
    const int width = widthOfAll();
    int x = std::clamp(strip.left() + static_cast<int>((from + to) / 2) - width / 2, strip.left(),
                       std::max(strip.left(), strip.right() + 1 - width));
    label.box = QRect(x, strip.top(), width, strip.height());
    for (const Candidate& part : wanted) {
        RangeLabel::Part placed{part.text, QRect(x, strip.top(), widthOf(part), strip.height())};
        x += placed.box.width();
        if (part.importance == 1)
            label.button = std::move(placed);
        else
            label.parts.push_back(std::move(placed));
    }
    return label;
}

void paintRangeLabel(QPainter& painter, const RangeLabel& label, bool isOverButton, const QPalette& palette)
{
    if (label.box.isEmpty())
        return;
    const bool dark = isDark(palette);
    const QColor ink = dark ? Qt::black : Qt::white;
    const QColor accent = surfaces(palette).accent;
    painter.fillRect(label.box, accent);
    QColor line = ink;
    line.setAlpha(70);
    painter.setPen(ink);
    for (const RangeLabel::Part& part : label.parts) {
        if (part.box.left() > label.box.left())
            painter.fillRect(part.box.left(), part.box.top() + 4, 1, part.box.height() - 8, line);
        painter.drawText(part.box, Qt::AlignCenter, part.text);
    }
    if (label.button.box.isEmpty())
        return;
    QColor raised = dark ? Qt::white : Qt::black; // contrasts with the text
    raised.setAlpha(isOverButton ? 90 : 45);
    painter.fillRect(label.button.box.adjusted(2, 2, -2, -2), raised);
    painter.drawText(label.button.box, Qt::AlignCenter, label.button.text);
}

QString rangeText(const RangeSummary& summary)
{
    QStringList parts{slicesText(summary.slices)};
    if (summary.instants > 0)
        parts << instantsText(summary.instants);
    if (const std::uint64_t events = summary.slices + summary.instants; events > 0)
        parts << formatScaled(perSecond(events, summary.range.lengthNs()), RangeLabelText::tr("/s"));
    if (const auto share = summary.busyShare())
        parts << busyText(summary, formatPercent(100 * *share))
              << computingText(formatPercent(100 * summary.computeShare().value_or(0)))
              << exposedText(formatDuration(summary.exposedNs().value_or(0)));
    return parts.join(QStringLiteral(", "));
}

QString rangeToolTip(const RangeSummary& summary)
{
    const std::int64_t length = summary.range.lengthNs();
    QStringList lines{RangeLabelText::tr("%1, or %2 periods per second")
                          .arg(formatDurationExact(length), formatScaled(perSecond(1, length), QString())),
                      rangeText(summary)};
    constexpr std::size_t most = 16;
    for (std::size_t i = 0; i < std::min(most, summary.gpus.size()) && summary.gpus.size() > 1; ++i)
        lines << RangeLabelText::tr("rank %1: GPU busy %2, computing %3")
                     .arg(summary.gpus[i].rank)
                     .arg(formatPercent(100 * summary.gpus[i].share()),
                          formatPercent(100 * summary.gpus[i].computeShare()));
    if (summary.gpus.size() > most)
        lines << RangeLabelText::tr("and %1 more ranks").arg(summary.gpus.size() - most);
    if (!summary.gpus.empty())
        lines << RangeLabelText::tr(
            "Exposed: communication, waiting in it, and copies while nothing computes; "
            "mean of the GPUs.");
    if (summary.timelinesLeftOut > 0)
        lines << RangeLabelText::tr("A rank traced by several sources is counted once.");
    return lines.join(QLatin1Char('\n'));
}

} // namespace collscope
