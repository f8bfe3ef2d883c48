// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/measurements/latency_view.h"

#include "views/common/format.h"
#include "views/common/theme.h"
#include "views/measurements/small_chart.h"
#include "views/tables/cell_table.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QSplitter>

namespace collscope {

namespace {

constexpr double msPerSecond = 1e3;
constexpr std::size_t mostBins = 60;

struct LatencyText
{
    Q_DECLARE_TR_FUNCTIONS(Latencies)
};

QString titleOf(std::string_view key)
{
    if (key == "ttft")
        return LatencyText::tr("First token (TTFT)");
    if (key == "tpot")
        return LatencyText::tr("Per token (TPOT)");
    if (key == "itl")
        return LatencyText::tr("Between tokens (ITL)");
    return key == "e2el" ? LatencyText::tr("Request (E2EL)") : LatencyText::tr("Batch");
}

QString msText(double seconds)
{
    return formatThreeDigits(seconds * msPerSecond);
}

TableCell cell(const QString& text, const QVariant& raw)
{
    TableCell own;
    own.text = text;
    own.raw = raw;
    return own;
}

TableCell msCell(const std::optional<double>& seconds)
{
    if (!seconds)
        return cell(QStringLiteral("\u2013"), {});
    return cell(msText(*seconds), *seconds * msPerSecond);
}

/// Summary such as "vllm, Qwen3-8B, 512 requests in 31 s: 16.5 requests/s, 2100 output tokens/s".
QString summaryOf(const ServingBenchmark& benchmark)
{
    QStringList parts;
    for (const std::string* text : {&benchmark.backend, &benchmark.model}) {
        if (!text->empty())
            parts << toText(*text);
    }
    if (benchmark.requests)
        parts << LatencyText::tr("%1 requests").arg(*benchmark.requests);
    if (benchmark.durationSeconds)
        parts << LatencyText::tr("%1 s").arg(formatThreeDigits(*benchmark.durationSeconds));
    if (benchmark.requestsPerSecond)
        parts << LatencyText::tr("%1 requests/s").arg(formatThreeDigits(*benchmark.requestsPerSecond));
    if (benchmark.outputTokensPerSecond)
        parts
            << LatencyText::tr("%1 output tokens/s").arg(formatThreeDigits(*benchmark.outputTokensPerSecond));
    return parts.join(QStringLiteral(" \u00b7 "));
}

} // namespace

LatencyView::LatencyView(ViewState* state, QWidget* parent)
    : QWidget(parent)
    , m_state(state)
    , m_chooser(new QComboBox(this))
    , m_summary(new QLabel(this))
    , m_table(new CellTable(tr("Latencies of the benchmark"), this))
    , m_chart(new SmallChart(this))
{
    setObjectName(QStringLiteral("latencyView"));
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    m_chooser->setAccessibleName(tr("Benchmark whose latencies are shown"));
    m_chooser->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_summary->setTextFormat(Qt::PlainText);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(8, 4, 8, 4);
    bar->addWidget(m_chooser);
    bar->setSpacing(10);
    bar->addWidget(m_summary, 1);
    auto* splitter = new QSplitter(Qt::Horizontal, this);
    splitter->addWidget(m_table);
    splitter->addWidget(m_chart);
    splitter->setChildrenCollapsible(false);
    splitter->setStretchFactor(0, 1);
    splitter->setStretchFactor(1, 1);
    splitter->setSizes({500, 400});
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addLayout(bar);
    all->addWidget(splitter, 1);
    connect(m_chooser, &QComboBox::activated, this, &LatencyView::showBenchmark);
    connect(m_table, &CellTable::rowChosen, this, &LatencyView::showLatency);
    connect(&state->run(), &RunContext::modelChanged, this, &LatencyView::onModelChanged);
    onModelChanged();
}

void LatencyView::onModelChanged()
{
    m_benchmarks.clear();
    m_chooser->clear();
    if (const TraceModelPtr& model = m_state->run().model()) {
        const std::vector<ServingBenchmark>& all = model->measurements.benchmarks;
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (latenciesOf(all[i]).empty())
                continue;
            m_benchmarks.push_back(i);
            const QString file = all[i].source
                ? QFileInfo(toText(model->sources[all[i].source.value].path)).fileName()
                : QString();
            m_chooser->addItem(all[i].record > 0 ? tr("%1, line %2").arg(file).arg(all[i].record + 1) : file);
        }
    }
    m_chooser->setEnabled(m_benchmarks.size() > 1);
    showBenchmark();
    emit wantedChanged();
}

void LatencyView::showBenchmark()
{
    m_latencies.clear();
    std::vector<std::vector<TableCell>> rows;
    m_summary->clear();
    if (isWanted()) {
        const auto chosen = m_benchmarks[static_cast<std::size_t>(std::max(m_chooser->currentIndex(), 0))];
        const ServingBenchmark& benchmark = m_state->run().model()->measurements.benchmarks[chosen];
        m_latencies = latenciesOf(benchmark);
        m_summary->setText(summaryOf(benchmark));
        m_summary->setToolTip(plainToolTip(m_summary->text()));
    }
    for (const Latency& own : m_latencies) {
        const bool isListed = !own.sorted.empty();
        const QString count = isListed ? formatCount(own.sorted.size()) : tr("not listed");
        rows.push_back(
            {cell(titleOf(own.key), {}), msCell(own.mean), msCell(own.median), msCell(own.p90),
             msCell(own.p95), msCell(own.p99), msCell(own.longest),
             cell(count, isListed ? QVariant(static_cast<qulonglong>(own.sorted.size())) : QVariant())});
    }
    m_table->setTable({{tr("Latency, ms"), tr("In milliseconds"), QStringLiteral("latency"), false},
                       {tr("Mean"), {}, QStringLiteral("mean_ms")},
                       {tr("Median"), {}, QStringLiteral("median_ms")},
                       {tr("p90"), {}, QStringLiteral("p90_ms")},
                       {tr("p95"), {}, QStringLiteral("p95_ms")},
                       {tr("p99"), {}, QStringLiteral("p99_ms")},
                       {tr("Longest"), {}, QStringLiteral("longest_ms")},
                       {tr("Samples"), tr("Number of times listed in the file; failed requests are excluded"),
                        QStringLiteral("times")}},
                      std::move(rows));
    m_table->resizeColumnsToContents();
    if (!m_latencies.empty())
        m_table->selectRowOf(0);
    showLatency(0);
}

void LatencyView::showLatency(int row)
{
    m_row = row;
    SmallChartContent content;
    if (row < static_cast<int>(m_latencies.size())) {
        const Latency& own = m_latencies[static_cast<std::size_t>(row)];
        content.title = own.sorted.empty()
            ? tr("%1: the file does not list individual times").arg(titleOf(own.key))
            : tr("%1, ms").arg(titleOf(own.key));
        content.isBars = true;
        content.color = surfaces(palette()).accent;
        const std::size_t bins = std::min(mostBins, std::max<std::size_t>(own.sorted.size(), 8));
        const std::vector<std::size_t> counts = latencyBins(own.sorted, own.sorted.empty() ? 0 : bins);
        const double width = own.longest.value_or(0) * msPerSecond / static_cast<double>(bins);
        for (std::size_t i = 0; i < counts.size(); ++i)
            content.points.emplace_back(width * static_cast<double>(i), static_cast<double>(counts[i]));
        if (!counts.empty())
            content.points.emplace_back(width * static_cast<double>(bins), 0);
        const auto mark = [&](const QString& name, const std::optional<double>& seconds) {
            if (seconds && !counts.empty())
                content.marks.push_back({*seconds * msPerSecond, tr("%1 %2").arg(name, msText(*seconds))});
        };
        mark(tr("median"), own.median);
        mark(tr("p95"), own.p95);
        mark(tr("p99"), own.p99);
        content.describe = [width, counts](std::size_t bin) {
            return tr("%1 of %2 to %3 ms")
                .arg(formatCount(counts[bin]), formatThreeDigits(width * static_cast<double>(bin)),
                     formatThreeDigits(width * static_cast<double>(bin + 1)));
        };
    }
    m_chart->setContent(std::move(content));
}

void LatencyView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        showLatency(m_row);
    QWidget::changeEvent(event);
}

} // namespace collscope
