// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/charts/gpu_counter_chart.h"

#include "views/common/format.h"
#include "views/common/palette.h"

#include <QComboBox>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace collscope {

namespace {

/// characters; a longer text would cover the entire top line of the plot
constexpr qsizetype longestText = 60;

} // namespace

GpuCounterChart::GpuCounterChart(ViewState* state, QWidget* parent)
    : PeakChart(state, parent)
    , m_gpuChooser(new QComboBox(this))
    , m_groupChooser(new QComboBox(this))
{
    setObjectName(QStringLiteral("gpuCounterChart"));
    setAccessibleName(tr("GPU counters"));
    m_gpuChooser->setObjectName(QStringLiteral("gpuCounterDevice"));
    m_gpuChooser->setAccessibleName(tr("GPU whose counters are shown"));
    m_groupChooser->setObjectName(QStringLiteral("gpuCounterGroup"));
    m_groupChooser->setAccessibleName(tr("Counters to show"));
    for (QComboBox* chooser : {m_gpuChooser, m_groupChooser}) {
        chooser->setFocusPolicy(Qt::TabFocus);
        chooser->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
        // The column is narrower than some names.
        connect(chooser, &QComboBox::currentTextChanged, chooser, &QWidget::setToolTip);
        controls()->addWidget(chooser);
    }
    controls()->addLayout(lastControls());
    setTabOrder(m_gpuChooser, m_groupChooser);
    setTabOrder(m_groupChooser, logButton());
    setTabOrder(logButton(), peakCountBox());
    connect(m_gpuChooser, &QComboBox::currentIndexChanged, this, &GpuCounterChart::showGpu);
    connect(m_groupChooser, &QComboBox::currentIndexChanged, this, &GpuCounterChart::showGroup);
    connect(&state->run(), &RunContext::modelChanged, this, &GpuCounterChart::onModelChanged);
    connect(&state->run(), &RunContext::clocksChanged, this, &GpuCounterChart::showGroup);
    onModelChanged();
}

/// Follows the GPU whose peak or slice is selected elsewhere.
void GpuCounterChart::showRank(std::int32_t rank)
{
    for (std::size_t i = 0; m_gpus && i < m_gpus->size(); ++i) {
        if ((*m_gpus)[i].isOfRank && (*m_gpus)[i].rank == rank)
            return m_gpuChooser->setCurrentIndex(static_cast<int>(i));
    }
}

std::optional<std::int32_t> GpuCounterChart::shownRank() const
{
    return gpu() && gpu()->isOfRank ? std::optional(gpu()->rank) : std::nullopt;
}

ViewSelection::Peak GpuCounterChart::peakAt(std::size_t index) const
{
    return {0, toAxis(group()->peaks[index].range), gpu()->timeline};
}

QString GpuCounterChart::peakText(std::size_t index) const
{
    const CounterPeak& peak = group()->peaks[index];
    const QString height
        = QStringLiteral("%1 %2").arg(formatThreeDigits(peak.value), toText(group()->unit)).trimmed();
    return height + QStringLiteral(" \u00b7 ") + toText(gpu()->counters[peak.counter].name);
}

void GpuCounterChart::onModelChanged()
{
    m_gpus.reset();
    m_hasCounters = state()->run().model() && hasGpuCounters(*state()->run().model());
    setMessage(tr("Reading the GPU counters\u2026"));
    fillGpus();
    setActive(m_hasCounters);
    setVisible(m_hasCounters);
}

void GpuCounterChart::setCounters(std::shared_ptr<const SampledGpus> gpus)
{
    if (!m_hasCounters || !gpus || gpus->empty())
        return;
    m_gpus = std::move(gpus);
    setMessage({});
    fillGpus();
    setActive(true);
}

/// GPUs of one host are identified by their device numbers, GPUs of several hosts by their ranks.
QString GpuCounterChart::gpuName(const SampledGpu& gpu) const
{
    if (!gpu.label.empty())
        return gpu.isOfRank ? tr("Rank %1 (%2)").arg(gpu.rank).arg(toText(gpu.label)) : toText(gpu.label);
    const auto same = std::count_if(m_gpus->begin(), m_gpus->end(),
                                    [&](const SampledGpu& other) { return other.device == gpu.device; });
    if (same == 1 || !gpu.isOfRank)
        return gpu.isOfRank ? tr("GPU %1").arg(gpu.device) : tr("GPU %1 (no kernels)").arg(gpu.device);
    return tr("Rank %1").arg(gpu.rank);
}

void GpuCounterChart::fillGpus()
{
    {
        const QSignalBlocker quiet(m_gpuChooser);
        m_gpuChooser->clear();
        for (std::size_t i = 0; m_gpus && i < m_gpus->size(); ++i)
            m_gpuChooser->addItem(gpuName((*m_gpus)[i]));
        // What was throttled is seen first.
        for (std::size_t i = 0; m_gpus && i < m_gpus->size(); ++i) {
            if ((*m_gpus)[i].remarks.empty())
                continue;
            m_gpuChooser->setCurrentIndex(static_cast<int>(i));
            break;
        }
    }
    m_gpuChooser->setVisible(m_gpuChooser->count() > 1);
    showGpu();
}

const SampledGpu* GpuCounterChart::gpu() const
{
    const int index = m_gpuChooser->currentIndex();
    return m_gpus && index >= 0 ? &(*m_gpus)[static_cast<std::size_t>(index)] : nullptr;
}

const CounterGroup* GpuCounterChart::group() const
{
    const int index = m_groupChooser->currentData().toInt();
    return gpu() && m_groupChooser->currentIndex() >= 0 ? &gpu()->groups[static_cast<std::size_t>(index)]
                                                        : nullptr;
}

/// Shows the selected GPU and keeps the counters of the previous GPU if it has them.
void GpuCounterChart::showGpu()
{
    const QString before = m_groupChooser->currentText();
    {
        const QSignalBlocker quiet(m_groupChooser);
        m_groupChooser->clear();
        const std::size_t count = gpu() ? gpu()->groups.size() : 0;
        for (std::size_t i = 0; i < count; ++i) {
            const CounterGroup& one = gpu()->groups[i];
            if (i > 0 && one.counters.size() == 1 && gpu()->groups[i - 1].counters.size() > 1)
                m_groupChooser->insertSeparator(m_groupChooser->count());
            m_groupChooser->addItem(toText(one.name), static_cast<int>(i));
            m_groupChooser->setItemData(m_groupChooser->count() - 1, plainToolTip(toText(one.name)),
                                        Qt::ToolTipRole);
        }
        const int same = before.isEmpty() ? -1 : m_groupChooser->findText(before); // a separator has no text
        m_groupChooser->setCurrentIndex(std::max(same, count > 0 ? 0 : -1));
    }
    showGroup();
}

void GpuCounterChart::showGroup()
{
    std::vector<SampledCurve> curves;
    const CounterGroup* const shown = group();
    if (shown) {
        for (const std::size_t counter : shown->counters)
            curves.push_back(gpu()->counters[counter].samples);
    }
    m_groupChooser->setToolTip(plainToolTip(m_groupChooser->currentText()));
    setTitle(shown && !shown->unit.empty() ? tr("Counters %1").arg(toText(shown->unit)) : tr("Counters"),
             m_gpuChooser->count() == 1 ? gpuName(*gpu()) : QString());
    showCurves(std::move(curves), shown ? std::optional(gpu()->timeline) : std::nullopt);
    std::vector<Marker> markers;
    for (std::size_t i = 0; shown && i < shown->peaks.size(); ++i)
        markers.push_back({toAxis(shown->peaks[i].range), shown->peaks[i].value});
    peakCountBox()->setVisible(!markers.empty());
    setMarkers(std::move(markers));
}

std::vector<QColor> GpuCounterChart::curveColors() const
{
    std::vector<QColor> colors;
    for (std::size_t i = 0; group() && i < group()->counters.size(); ++i)
        colors.push_back(lineColor(i, palette()));
    return colors;
}

ChartLegend GpuCounterChart::legend() const
{
    ChartLegend legend;
    const std::vector<QColor> colors = curveColors();
    for (std::size_t i = 0; i < colors.size(); ++i)
        legend.entries.push_back({{}, {}, {{colors[i], toText(gpu()->counters[group()->counters[i]].name)}}});
    return legend;
}

std::vector<TimelineChart::Highlight> GpuCounterChart::highlights() const
{
    std::vector<Highlight> highlights;
    for (std::size_t i = 0; gpu() && i < gpu()->remarks.size(); ++i)
        highlights.push_back({toAxis(gpu()->remarks[i].range), gpu()->remarks[i].isMoment});
    return highlights;
}

/// What held the GPU back within a sample, or which errors it reported.
QString GpuCounterChart::remarksIn(TimeRange range) const
{
    QString text;
    for (const GpuRemark& remark : gpu()->remarks) {
        if (remark.range.beginNs < range.endNs && range.beginNs < remark.range.endNs)
            text += QStringLiteral(" \u00b7 ") + toText(remark.text);
    }
    return text;
}

std::optional<TimelineChart::Reading> GpuCounterChart::readingAt(std::int64_t timeNs) const
{
    if (!group())
        return std::nullopt;
    std::optional<TimeRange> range;
    QStringList values, named;
    for (const std::size_t counter : group()->counters) {
        const SampledCurve& samples = gpu()->counters[counter].samples;
        const auto sample = samples.sampleAt(timeNs);
        values << (sample ? formatThreeDigits(samples.value(*sample)) : QStringLiteral("\u2013"));
        named << toText(gpu()->counters[counter].name) + QLatin1Char(' ') + values.last();
        if (sample && (!range || samples.range(*sample).lengthNs() > range->lengthNs()))
            range = samples.range(*sample);
    }
    if (!range)
        return std::nullopt;
    // The legend shows the names in the same order.
    QString text = named.join(QStringLiteral(", "));
    if (text.size() > longestText)
        text = values.join(QStringLiteral(" \u00b7 "));
    return Reading{*range,
                   QStringLiteral("%1 %2").arg(text, toText(group()->unit)).trimmed() + remarksIn(*range)};
}

} // namespace collscope
