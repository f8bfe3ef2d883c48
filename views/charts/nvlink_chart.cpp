// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/charts/nvlink_chart.h"

#include "metrics/counters/gpu_counters.h"
#include "views/common/format.h"
#include "views/widgets/check_menu.h"

#include <QAbstractItemView>
#include <QBoxLayout>
#include <QComboBox>
#include <QEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>

#include <algorithm>

namespace collscope {

NvlinkChart::NvlinkChart(ViewState* state, QWidget* parent)
    : PeakChart(state, parent)
    , m_chooser(new QComboBox(this))
    , m_linksButton(new QPushButton(this))
    , m_linksMenu(new CheckMenu(this))
{
    setObjectName(QStringLiteral("nvlinkChart"));
    setAccessibleName(tr("NVLink throughput"));
    buildControls();
    connect(&state->run(), &RunContext::modelChanged, this, &NvlinkChart::onModelChanged);
    connect(&state->run(), &RunContext::clocksChanged, this, &NvlinkChart::showDevice);
    onModelChanged();
}

void NvlinkChart::buildControls()
{
    m_chooser->setObjectName(QStringLiteral("nvlinkDevice"));
    m_chooser->setAccessibleName(tr("GPU whose NVLink throughput is shown"));
    m_chooser->setFocusPolicy(Qt::TabFocus);
    m_chooser->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed); // names of nodes can be long
    m_linksMenu->setToolTipsVisible(true);
    m_linksButton->setMenu(m_linksMenu);
    m_linksButton->setFocusPolicy(Qt::TabFocus);
    m_linksButton->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    m_linksButton->setObjectName(QStringLiteral("nvlinkLinks"));
    m_linksButton->setAccessibleName(tr("NVLinks shown as separate lines"));
    m_linksButton->setToolTip(
        tr("All links summed, or separate lines for up to %n links", nullptr, static_cast<int>(mostLinks)));
    controls()->addWidget(m_chooser);
    controls()->addWidget(m_linksButton);
    controls()->addLayout(lastControls());
    setTabOrder(m_chooser, m_linksButton);
    setTabOrder(m_linksButton, logButton());
    setTabOrder(logButton(), peakCountBox());
    connect(m_chooser, &QComboBox::currentIndexChanged, this, [this] {
        m_deviceChosen = true;
        showDevice();
    });
}

void NvlinkChart::onModelChanged()
{
    m_curves.reset();
    m_heat.setCurves(state()->run(), nullptr);
    m_hoveredDevice.reset();
    m_links.clear();
    m_deviceChosen = false;
    {
        const QSignalBlocker quiet(m_chooser);
        m_chooser->clear();
        for (const std::size_t i : state()->run().nvlinkRanks().byRank())
            m_chooser->addItem(state()->run().nvlinkName(i), QVariant::fromValue(i));
        m_chooser->view()->setMinimumWidth(m_chooser->view()->sizeHintForColumn(0) + 24);
    }
    showState();
    showDevice();
}

void NvlinkChart::setCurves(std::shared_ptr<const NvlinkCurves> curves)
{
    if (!state()->run().model() || !curves || curves->devices.size() != state()->run().model()->nvlink.size())
        return;
    m_curves = std::move(curves);
    m_heat.setCurves(state()->run(), m_curves);
    const auto& peaks = m_curves->peaks;
    if (!peaks.empty() && !m_deviceChosen) {
        // The GPU with the highest peak is the most likely one of interest.
        const auto highest = std::max_element(peaks.begin(), peaks.end(), [](const auto& a, const auto& b) {
            return a.gigabytesPerSecond < b.gigabytesPerSecond;
        });
        const QSignalBlocker quiet(m_chooser);
        m_chooser->setCurrentIndex(m_chooser->findData(QVariant::fromValue(highest->device)));
    }
    showState();
    showDevice();
}

void NvlinkChart::setNeeds(std::shared_ptr<const NvlinkNeeds> needs)
{
    m_heat.setNeeds(std::move(needs));
    viewport()->update();
}

bool NvlinkChart::isComputing() const
{
    return m_chooser->count() > 0 && !m_curves;
}

/// Shows one of three states: without counters, still computing, or a chart.
void NvlinkChart::showState()
{
    const bool any = m_chooser->count() > 0;
    setMessage(!any           ? tr("No NVLink counters in this run")
                   : m_curves ? QString()
                              : tr("Summing the NVLink counters\u2026"));
    setToolTip(
        any ? QString()
            : tr("Sample them with NVML while the job runs (NVF1 .bin files, one per GPU) and put the files "
                 "into the run directory."));
    m_chooser->setVisible(m_chooser->count() > 1);
    m_linksButton->setEnabled(m_curves != nullptr);
    setActive(any);
    const bool isElsewhere = !any && state()->run().model() && hasNvlinkCounters(*state()->run().model());
    if (isElsewhere != m_isElsewhere)
        setVisible(!isElsewhere);
    m_isElsewhere = isElsewhere;
}

std::optional<std::size_t> NvlinkChart::device() const
{
    return m_chooser->currentIndex() < 0 ? std::nullopt
                                         : std::optional(m_chooser->currentData().value<std::size_t>());
}

void NvlinkChart::setDevice(std::size_t device)
{
    m_chooser->setCurrentIndex(m_chooser->findData(QVariant::fromValue(device)));
}

std::optional<std::int32_t> NvlinkChart::shownRank() const
{
    return device() ? state()->run().nvlinkRanks().of(*device()).rank : std::nullopt;
}

/// Shows the GPU of a rank. If several files are of it, prefers the file of the peak.
void NvlinkChart::showRank(std::int32_t rank)
{
    const auto peak = state()->selection().peak();
    if (peak && !peak->timeline && state()->selection().rankOf(*peak) == rank)
        return setDevice(peak->nvlinkDevice);
    const std::vector<std::size_t> devices = state()->run().nvlinkRanks().devicesOf(rank);
    if (rank != shownRank() && !devices.empty())
        setDevice(devices.front());
}

/// A guess is called one, and a GPU without a rank is not shown as that of one.
void NvlinkChart::explainRank()
{
    const auto shown = device();
    const std::string why = shown ? state()->run().nvlinkRanks().of(*shown).why : std::string();
    m_chooser->setToolTip(why.empty()       ? QString()
                              : shownRank() ? tr("Rank %1: %2").arg(*shownRank()).arg(toText(why))
                                            : tr("Rank not known: %1").arg(toText(why)));
}

ViewSelection::Peak NvlinkChart::peakAt(std::size_t index) const
{
    return {m_peaks[index].device, m_peaks[index].range};
}

QString NvlinkChart::peakText(std::size_t index) const
{
    QStringList parts{formatRate(m_peaks[index].gigabytesPerSecond),
                      m_peaks[index].direction == LinkDirection::Tx ? tr("TX") : tr("RX")};
    if (!m_links.empty())
        parts << tr("all links");
    return parts.join(QStringLiteral(" \u00b7 "));
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
    explainRank();
    setLinks(std::vector(m_links)); // keeps the links that this GPU also has
    std::vector<Marker> markers;
    for (NvlinkPeak& peak : m_peaks) {
        peak.range = toAxis(peak.range);
        markers.push_back({peak.range, peak.gigabytesPerSecond});
    }
    setMarkers(std::move(markers));
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
        clock = state()->run().clockOf(device().value_or(0));
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
    m_linksButton->setText(isHeatMap()           ? tr("All GPUs")
                               : m_links.empty() ? tr("All links")
                               : m_links.size() == 1
                               ? tr("Link %1").arg(m_links.front())
                               : tr("%n links", nullptr, static_cast<int>(m_links.size())));
}

/// Reuses the existing actions, because the menu may be open.
void NvlinkChart::fillLinksMenu()
{
    const DeviceCurves* const shown = curves();
    const std::size_t count = shown ? shown->links.size() : 0;
    QList<QAction*> actions = m_linksMenu->actions();
    constexpr qsizetype others = 3; // in front of the links
    if (static_cast<std::size_t>(actions.size()) != count + others) {
        m_linksMenu->clear();
        QAction* const all = m_linksMenu->addAction(tr("All links summed"));
        all->setObjectName(QStringLiteral("linksSummed"));
        all->setCheckable(true);
        connect(all, &QAction::triggered, this, [this] {
            m_isMap = false;
            setLinks({});
        });
        QAction* const map = m_linksMenu->addAction(tr("All GPUs as a map"));
        map->setObjectName(QStringLiteral("allGpus"));
        map->setCheckable(true);
        map->setToolTip(
            tr("The highest throughput of each GPU in each pixel, and below it what its collectives need to "
               "send by their sizes, spread evenly over each call. Click to list the kernels of that GPU at "
               "that time"));
        connect(map, &QAction::triggered, this, &NvlinkChart::setHeatMap);
        m_linksMenu->addSeparator();
        for (std::size_t i = 0; i < count; ++i) {
            QAction* const one = m_linksMenu->addAction(QString());
            one->setCheckable(true);
            connect(one, &QAction::triggered, this, [this, one](bool checked) {
                std::vector<std::uint32_t> links = m_links;
                std::erase(links, one->data().toUInt());
                if (checked)
                    links.push_back(one->data().toUInt());
                m_isMap = false;
                setLinks(links);
            });
        }
        actions = m_linksMenu->actions();
    }
    actions.front()->setChecked(m_links.empty() && !isHeatMap());
    actions[1]->setChecked(isHeatMap());
    actions[1]->setVisible(m_heat.rows().size() > 1);
    logButton()->setEnabled(!isHeatMap()); // colours have no scale of powers
    for (std::size_t i = 0; i < count; ++i) {
        QAction* const one = actions[static_cast<qsizetype>(i) + others];
        const std::uint32_t link = shown->links[i].link;
        const bool isChosen = std::find(m_links.begin(), m_links.end(), link) != m_links.end();
        one->setText(tr("Link %1").arg(link));
        one->setObjectName(QStringLiteral("link%1").arg(link));
        one->setData(link);
        one->setChecked(isChosen);
        one->setEnabled(isChosen || m_links.size() < mostLinks);
        one->setToolTip(one->isEnabled() ? QString()
                                         : tr("At most %n links can have separate lines", nullptr,
                                              static_cast<int>(mostLinks)));
    }
}

void NvlinkChart::updateTitle()
{
    setTitle(tr("NVLink GB/s"), m_chooser->count() == 1 ? state()->run().nvlinkName(0) : QString());
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

bool NvlinkChart::isHeatMap() const
{
    return m_isMap && m_heat.rows().size() > 1;
}

void NvlinkChart::setHeatMap(bool shown)
{
    m_isMap = shown;
    m_hoveredDevice.reset();
    fillLinksMenu();
    showLinks(); // the legend has another height
    viewport()->update();
}

QRectF NvlinkChart::rowOf(std::size_t device) const
{
    const auto row = std::find(m_heat.rows().begin(), m_heat.rows().end(), device);
    return m_heat.rectOf(plot(), static_cast<std::size_t>(row - m_heat.rows().begin()));
}

bool NvlinkChart::isClickable(QPoint position) const
{
    return PeakChart::isClickable(position) || (isHeatMap() && plot().contains(position));
}

/// On the map: the kernels of that GPU in its highest sample of that pixel.
void NvlinkChart::clickAt(QPoint position)
{
    const auto row
        = isHeatMap() && plot().contains(position) ? m_heat.rowAt(plot(), position.y()) : std::nullopt;
    if (!row)
        return PeakChart::clickAt(position);
    const std::size_t device = m_heat.rows()[*row];
    setDevice(device);
    const double x = position.x() - plot().left();
    const std::int64_t from = axis().timeAt(x);
    if (const auto cell = m_heat.cellOf(device, {from, std::max(axis().timeAt(x + 1), from + 1)}))
        state()->selection().setPeak(ViewSelection::Peak{device, cell->range});
}

void NvlinkChart::mouseMoveEvent(QMouseEvent* event)
{
    const auto row = isHeatMap() ? m_heat.rowAt(plot(), event->position().y()) : std::nullopt;
    const auto hovered = row ? std::optional(m_heat.rows()[*row]) : std::nullopt;
    if (hovered != m_hoveredDevice)
        viewport()->update();
    m_hoveredDevice = hovered;
    PeakChart::mouseMoveEvent(event);
}

void NvlinkChart::drawForeground(QPainter* painter, const QRectF& rect)
{
    if (isHeatMap())
        m_heat.paint(*painter, plot(), axis(), device(), palette());
    PeakChart::drawForeground(painter, rect);
}

ChartLegend NvlinkChart::legend() const
{
    if (isHeatMap())
        return m_heat.legend(plot(), palette());
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
    if (isHeatMap() && m_hoveredDevice)
        return readingOnMap(*m_hoveredDevice, timeNs);
    const DeviceCurves* const shown = curves();
    const auto reading = shown ? collscope::readingAt(*shown, m_links, timeNs) : std::nullopt;
    if (!reading)
        return std::nullopt;
    const auto rate = [](std::optional<double> value) {
        return value ? formatThreeDigits(*value) : QStringLiteral("\u2013");
    };
    return Reading{reading->range, tr("TX %1, RX %2 GB/s").arg(rate(reading->tx), rate(reading->rx))};
}

/// `timeNs`: in the time of the displayed GPU's counters, as the result. Another node may have another clock.
std::optional<TimelineChart::Reading> NvlinkChart::readingOnMap(std::size_t mapped, std::int64_t timeNs) const
{
    const RunContext& run = state()->run();
    const auto own = run.clockOf(device().value_or(0)), other = run.clockOf(mapped);
    const std::int64_t onAxis = own ? run.clocks().toAxis(*own, timeNs) : timeNs;
    const auto reading = collscope::readingAt(m_curves->devices[mapped], {},
                                              other ? run.clocks().fromAxis(*other, onAxis) : onAxis);
    if (!reading)
        return std::nullopt;
    const TimeRange range = other ? run.clocks().toAxis(*other, reading->range) : reading->range;
    const auto rate = [](std::optional<double> value) {
        return value ? formatThreeDigits(*value) : QStringLiteral("\u2013");
    };
    QString text
        = tr("%1: TX %2, RX %3 GB/s").arg(run.nvlinkName(mapped), rate(reading->tx), rate(reading->rx));
    if (const auto need = m_heat.needAt(mapped, other ? run.clocks().fromAxis(*other, onAxis) : onAxis))
        text = tr("%1; collectives need %2").arg(text, formatThreeDigits(*need));
    return Reading{own ? run.clocks().fromAxis(*own, range) : range, text};
}

/// Labels the two lines in a place without markers.
void NvlinkChart::paintHeader(QPainter& painter)
{
    if (!curves() || !m_links.empty() || isHeatMap())
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
    PeakChart::changeEvent(event);
}

} // namespace collscope
