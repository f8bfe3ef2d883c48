// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/charts/nvlink_chart.h"

#include "views/check_menu.h"
#include "views/format.h"
#include "views/moment.h"
#include "views/theme.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QEvent>
#include <QPainter>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>

#include <algorithm>
#include <cmath>

namespace collscope {

namespace {

constexpr int nearPeak = 14; ///< px
constexpr int markerSpacing
    = 12; ///< px; a less prominent peak closer than this to another has no marker of its own
constexpr int mostPeaks = 64;
constexpr int calmPeaks = 8;

} // namespace

NvlinkChart::NvlinkChart(ViewState* state, QWidget* parent)
    : TimelineChart(state, parent)
    , m_chooser(new QComboBox(this))
    , m_linksButton(new QPushButton(this))
    , m_linksMenu(new CheckMenu(this))
    , m_peakCount(new QSpinBox(this))
    , m_lastControls(new QBoxLayout(QBoxLayout::LeftToRight))
{
    setObjectName(QStringLiteral("nvlinkChart"));
    setAccessibleName(tr("NVLink throughput"));
    buildControls();
    connect(state, &ViewState::modelChanged, this, &NvlinkChart::onModelChanged);
    connect(state, &ViewState::clocksChanged, this, &NvlinkChart::showDevice);
    connect(state, &ViewState::peakChanged, this, [this] {
        if (const auto peak = this->state()->peak())
            setDevice(peak->nvlinkDevice);
        viewport()->update();
    });
    onModelChanged();
}

void NvlinkChart::buildControls()
{
    m_chooser->setAccessibleName(tr("GPU whose NVLink throughput is shown"));
    m_chooser->setFocusPolicy(Qt::TabFocus);
    m_linksMenu->setToolTipsVisible(true);
    m_linksButton->setMenu(m_linksMenu);
    m_linksButton->setFocusPolicy(Qt::TabFocus);
    m_linksButton->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    m_linksButton->setAccessibleName(tr("NVLinks with lines of their own"));
    m_linksButton->setToolTip(
        tr("All links summed, or a line each for up to %n of them", nullptr, static_cast<int>(mostLinks)));
    m_peakCount->setRange(0, mostPeaks);
    m_peakCount->setValue(calmPeaks);
    m_peakCount->setPrefix(QString::fromUtf8("\u25be "));
    m_peakCount->setAccessibleName(tr("Number of peaks with a marker"));
    m_peakCount->setToolTip(tr("Peaks with a marker: so many of the most prominent ones in sight"));
    m_peakCount->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // as high as the button
    m_lastControls->setSpacing(4);
    m_lastControls->addWidget(logButton());
    m_lastControls->addWidget(m_peakCount, 1);
    controls()->addWidget(m_chooser);
    controls()->addWidget(m_linksButton);
    controls()->addLayout(m_lastControls);
    arrangeControls();
    setTabOrder(m_chooser, m_linksButton);
    setTabOrder(m_linksButton, logButton());
    setTabOrder(logButton(), m_peakCount);
    connect(m_chooser, &QComboBox::currentIndexChanged, this, [this] {
        m_deviceChosen = true;
        showDevice();
    });
    connect(m_peakCount, &QSpinBox::valueChanged, this, [this] { viewport()->update(); });
}

/// Beside each other unless the font is too large for that.
void NvlinkChart::arrangeControls()
{
    const int wanted = logButton()->sizeHint().width() + m_lastControls->spacing()
        + m_peakCount->minimumSizeHint().width();
    m_lastControls->setDirection(wanted > headerWidth() ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
}

QString NvlinkChart::deviceName(std::size_t device) const
{
    const std::optional<int> gpu = state()->model()->nvlink[device].gpu;
    return gpu ? tr("GPU %1").arg(*gpu) : tr("GPU ?");
}

void NvlinkChart::onModelChanged()
{
    const TraceModelPtr& model = state()->model();
    m_curves.reset();
    m_links.clear();
    m_deviceChosen = false;
    {
        const QSignalBlocker quiet(m_chooser);
        m_chooser->clear();
        for (std::size_t i = 0; model && i < model->nvlink.size(); ++i)
            m_chooser->addItem(deviceName(i));
    }
    showState();
    showDevice();
}

void NvlinkChart::setCurves(std::shared_ptr<const NvlinkCurves> curves)
{
    if (!state()->model() || !curves || curves->devices.size() != state()->model()->nvlink.size())
        return;
    m_curves = std::move(curves);
    const auto& peaks = m_curves->peaks;
    if (!peaks.empty() && !m_deviceChosen) {
        // The GPU with the highest peak is the one people ask about.
        const auto highest = std::max_element(peaks.begin(), peaks.end(), [](const auto& a, const auto& b) {
            return a.gigabytesPerSecond < b.gigabytesPerSecond;
        });
        const QSignalBlocker quiet(m_chooser);
        m_chooser->setCurrentIndex(static_cast<int>(highest->device));
    }
    showState();
    showDevice();
}

bool NvlinkChart::isComputing() const
{
    return m_chooser->count() > 0 && !m_curves;
}

/// Without counters, still computing, or a chart: only the last has something to plot.
void NvlinkChart::showState()
{
    const bool any = m_chooser->count() > 0;
    if (!any)
        setMessage(tr("No NVLink counters in this run. Sample them with NVML while the job runs (NVF1 "
                      ".bin files, one per GPU) and put them into the run directory."));
    else
        setMessage(m_curves ? QString() : tr("Adding up the NVLink counters\u2026"));
    m_chooser->setVisible(m_chooser->count() > 1);
    m_linksButton->setEnabled(m_curves != nullptr);
    setActive(any);
}

std::optional<std::size_t> NvlinkChart::device() const
{
    return m_chooser->currentIndex() < 0 ? std::nullopt
                                         : std::optional(static_cast<std::size_t>(m_chooser->currentIndex()));
}

void NvlinkChart::setDevice(std::size_t device)
{
    m_chooser->setCurrentIndex(static_cast<int>(device));
}

const DeviceCurves* NvlinkChart::curves() const
{
    const auto shown = device();
    return shown && m_curves ? &m_curves->devices[*shown] : nullptr;
}

void NvlinkChart::showDevice()
{
    m_peaks.clear();
    if (curves()) {
        const std::size_t shown = device().value_or(0);
        std::copy_if(m_curves->peaks.begin(), m_curves->peaks.end(), std::back_inserter(m_peaks),
                     [&](const NvlinkPeak& peak) { return peak.device == shown; });
    }
    setLinks(std::vector(m_links)); // those that this GPU has, too
    for (NvlinkPeak& peak : m_peaks)
        peak.range = toAxis(peak.range);
    updateTitle();
}

void NvlinkChart::setLinks(const std::vector<std::uint32_t>& links)
{
    m_links.clear();
    const DeviceCurves* const shown = curves();
    for (std::size_t i = 0; shown && i < shown->links.size() && m_links.size() < mostLinks; ++i) {
        const std::uint32_t link = shown->links[i].link;
        if (std::find(links.begin(), links.end(), link) != links.end())
            m_links.push_back(link);
    }
    fillLinksMenu();
    showLinks();
}

void NvlinkChart::showLinks()
{
    std::vector<SampledCurve> shown;
    std::optional<std::size_t> clock;
    if (const DeviceCurves* const sums = curves()) {
        clock = state()->clockOf(device().value_or(0));
        if (m_links.empty())
            shown = {sums->rx, sums->tx};
        for (const LinkCurves& link : sums->links) {
            if (std::find(m_links.begin(), m_links.end(), link.link) == m_links.end())
                continue;
            shown.push_back(link.rx);
            shown.push_back(link.tx);
        }
    }
    showCurves(std::move(shown), clock);
    m_linksButton->setText(m_links.empty() ? tr("All links")
                               : m_links.size() == 1
                               ? tr("Link %1").arg(m_links.front())
                               : tr("%n links", nullptr, static_cast<int>(m_links.size())));
}

/// The actions stay the same ones while the menu is open.
void NvlinkChart::fillLinksMenu()
{
    const DeviceCurves* const shown = curves();
    const std::size_t count = shown ? shown->links.size() : 0;
    QList<QAction*> actions = m_linksMenu->actions();
    if (static_cast<std::size_t>(actions.size()) != count + 2) {
        m_linksMenu->clear();
        QAction* const all = m_linksMenu->addAction(tr("All links summed"));
        all->setCheckable(true);
        connect(all, &QAction::triggered, this, [this] { setLinks({}); });
        m_linksMenu->addSeparator();
        for (std::size_t i = 0; i < count; ++i) {
            QAction* const one = m_linksMenu->addAction(QString());
            one->setCheckable(true);
            connect(one, &QAction::triggered, this, [this, one](bool checked) {
                std::vector<std::uint32_t> links = m_links;
                std::erase(links, one->data().toUInt());
                if (checked)
                    links.push_back(one->data().toUInt());
                setLinks(links);
            });
        }
        actions = m_linksMenu->actions();
    }
    actions.front()->setChecked(m_links.empty());
    for (std::size_t i = 0; i < count; ++i) {
        QAction* const one = actions[static_cast<qsizetype>(i) + 2];
        const std::uint32_t link = shown->links[i].link;
        const bool isChosen = std::find(m_links.begin(), m_links.end(), link) != m_links.end();
        one->setText(tr("Link %1").arg(link));
        one->setData(link);
        one->setChecked(isChosen);
        one->setEnabled(isChosen || m_links.size() < mostLinks);
        one->setToolTip(one->isEnabled() ? QString()
                                         : tr("At most %n links have lines of their own", nullptr,
                                              static_cast<int>(mostLinks)));
    }
}

void NvlinkChart::updateTitle()
{
    setTitle(tr("NVLink GB/s"), m_chooser->count() == 1 ? deviceName(0) : QString());
}

std::vector<QColor> NvlinkChart::curveColors() const
{
    if (m_links.empty())
        return {rxColor(palette()), txColor(palette())};
    std::vector<QColor> colors;
    for (std::size_t i = 0; i < m_links.size(); ++i) {
        colors.push_back(linkRxColor(i, palette()));
        colors.push_back(linkTxColor(i, palette()));
    }
    return colors;
}

ChartLegend NvlinkChart::legend() const
{
    ChartLegend legend;
    legend.shortTitle = tr("TX, RX of link");
    for (std::size_t i = 0; i < m_links.size(); ++i)
        legend.entries.push_back(
            {tr("Link %1").arg(m_links[i]),
             QString::number(m_links[i]),
             {{linkTxColor(i, palette()), tr("TX")}, {linkRxColor(i, palette()), tr("RX")}}});
    return legend;
}

std::optional<TimelineChart::Reading> NvlinkChart::readingAt(std::int64_t timeNs) const
{
    const DeviceCurves* const shown = curves();
    const auto reading = shown ? collscope::readingAt(*shown, m_links, timeNs) : std::nullopt;
    if (!reading)
        return std::nullopt;
    const auto rate = [](std::optional<double> value) {
        return value ? formatThreeDigits(*value) : QStringLiteral("\u2013");
    };
    return Reading{reading->range, tr("TX %1, RX %2 GB/s").arg(rate(reading->tx), rate(reading->rx))};
}

int NvlinkChart::peakCount() const
{
    return m_peakCount->value();
}

void NvlinkChart::setPeakCount(int count)
{
    m_peakCount->setValue(count);
}

std::optional<int> NvlinkChart::peakColumn(std::size_t index) const
{
    const TimeRange range = m_peaks[index].range;
    const double x = axis().xOf(range.beginNs + range.lengthNs() / 2);
    return x < 0 || x > plot().width() ? std::nullopt : std::optional(static_cast<int>(plot().left() + x));
}

/// Indices into m_peaks, the most prominent first.
std::vector<std::size_t> NvlinkChart::markedPeaks() const
{
    std::vector<std::size_t> marked;
    std::vector<int> taken;
    for (std::size_t i = 0; i < m_peaks.size() && marked.size() < static_cast<std::size_t>(peakCount());
         ++i) {
        const auto column = peakColumn(i);
        const auto tooClose = [&](int other) { return std::abs(other - *column) < markerSpacing; };
        if (!column || std::any_of(taken.begin(), taken.end(), tooClose))
            continue;
        taken.push_back(*column);
        marked.push_back(i);
    }
    return marked;
}

std::optional<QPoint> NvlinkChart::peakPosition(std::size_t index) const
{
    const std::vector<std::size_t> marked = markedPeaks();
    const auto column = peakColumn(index);
    if (!column || std::find(marked.begin(), marked.end(), index) == marked.end())
        return std::nullopt;
    return QPoint(*column, topMargin - 7);
}

std::optional<std::size_t> NvlinkChart::peakNear(QPoint position) const
{
    std::optional<std::size_t> nearest;
    int best = nearPeak + 1;
    for (const std::size_t i : markedPeaks()) {
        const int distance = std::abs(peakColumn(i).value_or(0) - position.x());
        if (distance < best) {
            best = distance;
            nearest = i;
        }
    }
    return nearest;
}

QRectF NvlinkChart::paintStrip(QPainter& painter)
{
    const Surfaces colors = surfaces(palette());
    const auto peak = state()->peak();
    std::optional<std::size_t> named;
    painter.setPen(Qt::NoPen);
    painter.setRenderHint(QPainter::Antialiasing);
    for (const std::size_t i : markedPeaks()) {
        const bool chosen = peak && peak->range == m_peaks[i].range;
        const bool best = !named || m_peaks[i].gigabytesPerSecond > m_peaks[*named].gigabytesPerSecond;
        named = chosen || (best && !peak) || !named ? std::optional(i) : named;
        painter.setBrush(chosen ? colors.worse : colors.dimText);
        const QPointF tip(peakColumn(i).value_or(0) + 0.5, topMargin - 2);
        painter.drawPolygon(QPolygonF({tip, tip + QPointF(-5, -8), tip + QPointF(5, -8)}));
    }
    return named ? paintPeakText(painter, *named) : QRectF();
}

QRectF NvlinkChart::paintPeakText(QPainter& painter, std::size_t index) const
{
    const Surfaces colors = surfaces(palette());
    const int x = peakColumn(index).value_or(0);
    const NvlinkPeak& peak = m_peaks[index];
    const QString text = formatRate(peak.gigabytesPerSecond) + QStringLiteral(" \u00b7 ")
        + (peak.direction == LinkDirection::Tx ? tr("TX") : tr("RX")) + QStringLiteral(" \u00b7 ")
        + (m_links.empty() ? QString() : tr("all links") + QStringLiteral(" \u00b7 "))
        + MomentText(*state()).of(peak.range.beginNs, std::max<std::int64_t>(peak.range.lengthNs(), 1));
    const int textWidth = QFontMetrics(font()).horizontalAdvance(text);
    const double left = x + 10 + textWidth < plot().right() ? x + 10 : x - 10 - textWidth;
    const QRectF box(left - 3, 1, textWidth + 6, topMargin - 3);
    painter.setPen(colors.text);
    painter.fillRect(box, colors.base);
    painter.drawText(QRectF(left, 0, textWidth + 2, topMargin - 2), Qt::AlignVCenter | Qt::AlignLeft, text);
    return box.united(QRectF(x - 6, 1, 12, topMargin - 3));
}

void NvlinkChart::clickAt(QPoint position)
{
    if (const auto index = peakNear(position))
        state()->setPeak(ViewState::Peak{m_peaks[*index].device, m_peaks[*index].range});
}

/// What the two lines are, where no marker is in the way.
void NvlinkChart::paintHeader(QPainter& painter)
{
    if (!curves() || !m_links.empty())
        return;
    painter.setPen(txColor(palette()));
    painter.drawText(QRectF(10, height() - 26, 30, 20), Qt::AlignLeft | Qt::AlignVCenter, tr("TX"));
    painter.setPen(rxColor(palette()));
    painter.drawText(QRectF(34, height() - 26, 30, 20), Qt::AlignLeft | Qt::AlignVCenter, tr("RX"));
}

void NvlinkChart::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        updateTitle();
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        arrangeControls();
    TimelineChart::changeEvent(event);
}

} // namespace collscope
