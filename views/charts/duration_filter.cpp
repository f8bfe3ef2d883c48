// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/charts/duration_filter.h"

#include "views/charts/duration_chart.h"
#include "views/common/format.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QToolButton>
#include <QToolTip>

#include <cmath>
#include <utility>

namespace collscope {

namespace {

constexpr int filterSettleMs = 60;

/// The unit of a number without a unit, the same as in the table below.
ColumnUnit unitOf(const SliceListing& listing)
{
    return columnUnit(listing.figuresOfAll.longestNs);
}

} // namespace

std::optional<std::int64_t> parseDuration(const QString& text, double unitNs)
{
    static const QRegularExpression shape(
        QStringLiteral("^([0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)(ns|us|\u00b5s|\u03bcs|ms|s|min)?$"));
    QString bare = text;
    bare.remove(QRegularExpression(QStringLiteral("\\s"), QRegularExpression::UseUnicodePropertiesOption));
    const QRegularExpressionMatch match = shape.match(bare);
    if (!match.hasMatch())
        return std::nullopt;
    const QString unit = match.captured(2);
    const double ns = unit.isEmpty()   ? unitNs
        : unit == QLatin1String("ns")  ? 1.0
        : unit == QLatin1String("ms")  ? 1e6
        : unit == QLatin1String("s")   ? 1e9
        : unit == QLatin1String("min") ? 60e9
                                       : 1e3;
    const double value = match.captured(1).replace(QLatin1Char(','), QLatin1Char('.')).toDouble() * ns;
    return value < 9e18 ? std::optional(std::llround(value)) : std::nullopt;
}

DurationFilter::DurationFilter(QWidget* parent)
    : QWidget(parent)
    , m_chart(new DurationChart(this))
    , m_from(new QLineEdit(this))
    , m_to(new QLineEdit(this))
    , m_all(new QToolButton(this))
{
    setObjectName(QStringLiteral("durationFilter"));
    m_from->setAccessibleName(tr("Shortest duration to list"));
    m_to->setAccessibleName(tr("Longest duration to list"));
    m_all->setText(tr("All"));
    m_all->setToolTip(tr("List slices of all durations (Esc)"));
    for (QLineEdit* const line : {m_from, m_to}) {
        line->setMinimumWidth(64);
        connect(line, &QLineEdit::editingFinished, this, &DurationFilter::takeFields);
    }
    auto* fields = new QHBoxLayout;
    fields->setContentsMargins(10, 0, 10, 6);
    fields->setSpacing(6);
    fields->addWidget(new QLabel(tr("from"), this));
    fields->addWidget(m_from, 1);
    fields->addWidget(new QLabel(tr("to"), this));
    fields->addWidget(m_to, 1);
    fields->addWidget(m_all);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addWidget(m_chart, 1);
    layout->addLayout(fields);
    m_settled.setSingleShot(true);
    m_settled.setInterval(filterSettleMs);
    connect(&m_settled, &QTimer::timeout, this, [this] {
        if (m_listing && m_wanted != m_listing->lasting)
            emit lastingWanted(m_wanted);
    });
    connect(m_chart, &DurationChart::rangeChosen, this, [this](const DurationRange& range) {
        m_wanted = range;
        fillFields();
        m_settled.start();
    });
    connect(m_all, &QToolButton::clicked, this, [this] { want({}); });
    fillFields();
}

void DurationFilter::setListing(const SliceListingPtr& listing)
{
    const bool isSame = m_listing && listing && m_listing->all == listing->all;
    m_listing = listing;
    m_chart->setListing(listing);
    // The range chosen in the meantime has not been requested yet.
    if (isSame && m_settled.isActive()) {
        m_chart->setRange(m_wanted);
        return;
    }
    m_settled.stop();
    m_wanted = listing ? listing->lasting : DurationRange();
    fillFields();
}

void DurationFilter::want(const DurationRange& lasting)
{
    m_settled.stop();
    m_wanted = lasting;
    m_chart->setRange(lasting);
    fillFields();
    if (m_listing && m_wanted != m_listing->lasting)
        emit lastingWanted(m_wanted);
}

void DurationFilter::fillFields()
{
    const DurationRange all;
    m_from->setText(m_wanted.leastNs == all.leastNs ? QString() : formatDurationExact(m_wanted.leastNs));
    m_to->setText(m_wanted.mostNs == all.mostNs ? QString() : formatDurationExact(m_wanted.mostNs));
    m_all->setEnabled(!m_wanted.isAll());
    const bool hasBars = m_listing && !m_listing->histogram.isEmpty();
    m_from->setEnabled(hasBars);
    m_to->setEnabled(hasBars);
    if (!hasBars)
        return;
    m_from->setPlaceholderText(formatDuration(m_listing->figuresOfAll.shortestNs));
    m_to->setPlaceholderText(formatDuration(m_listing->figuresOfAll.longestNs));
    const QString toolTip
        = tr("Duration, such as 1.2 ms, 85 us or 3 s; the default unit is %1").arg(unitOf(*m_listing).name);
    m_from->setToolTip(toolTip);
    m_to->setToolTip(toolTip);
}

void DurationFilter::takeFields()
{
    if (!m_listing)
        return;
    DurationRange lasting;
    const double unit = unitOf(*m_listing).ns;
    for (const auto& [line, bound] :
         {std::pair(m_from, &lasting.leastNs), std::pair(m_to, &lasting.mostNs)}) {
        if (line->text().trimmed().isEmpty())
            continue;
        const auto ns = parseDuration(line->text(), unit);
        if (!ns) {
            QToolTip::showText(line->mapToGlobal(QPoint(0, line->height())), line->toolTip(), line);
            return;
        }
        *bound = *ns;
    }
    if (lasting.leastNs > lasting.mostNs)
        std::swap(lasting.leastNs, lasting.mostNs);
    want(lasting);
}

void DurationFilter::keyPressEvent(QKeyEvent* event)
{
    // Handles Escape in the fields; the chart handles its own.
    if (event->key() != Qt::Key_Escape || m_wanted.isAll())
        return QWidget::keyPressEvent(event);
    want({});
}

} // namespace collscope
