// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/metrics/metrics_panel.h"

#include "views/common/format.h"
#include "views/common/theme.h"
#include "views/metrics/metric_explanation.h"

#include <QClipboard>
#include <QComboBox>
#include <QFrame>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStandardItemModel>
#include <QTextBrowser>
#include <QVBoxLayout>

#include <algorithm>

namespace collscope {

namespace {

enum ScopeKind
{
    InnerSteps,
    AllSteps,
    SelectedRange,
    OneStep, ///< the chosen one
    OneRank
};

QString heading(const QString& text, const QPalette& palette)
{
    return QStringLiteral("<span style='color:%1'>%2</span>").arg(surfaces(palette).dimText.name(), text);
}

} // namespace

MetricsPanel::MetricsPanel(ViewState* state, QWidget* parent)
    : QWidget(parent)
    , m_state(state)
    , m_scope(new QComboBox(this))
    , m_filter(new QLineEdit(this))
    , m_table(new MetricsTable(this))
    , m_explanation(new QTextBrowser(this))
    , m_copy(new QPushButton(tr("Copy number"), this))
    , m_copyExplanation(new QPushButton(tr("Copy text"), this))
{
    setObjectName(QStringLiteral("metricsPanel"));
    auto* title = new QLabel(tr("METRICS"), this);
    title->setObjectName(QStringLiteral("sectionTitle"));
    m_scope->setObjectName(QStringLiteral("metricsScope"));
    m_scope->setAccessibleName(tr("Scope of the metrics"));
    m_scope->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_filter->setPlaceholderText(tr("Find a metric"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setAccessibleName(tr("Find a metric"));
    m_filter->setObjectName(QStringLiteral("metricsFilter"));
    m_explanation->setFrameShape(QFrame::NoFrame);
    m_explanation->document()->setDocumentMargin(12);
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    auto* line = new QFrame(this);
    line->setFrameShape(QFrame::HLine);
    line->setForegroundRole(QPalette::Mid);
    line->setFrameShadow(QFrame::Plain);
    m_explanation->setOpenLinks(false);
    m_explanation->setAccessibleName(tr("Explanation of the selected metric"));
    m_copy->setObjectName(QStringLiteral("metricsCopyNumber"));
    m_copy->setDefault(true);
    auto* csv = new QPushButton(tr("CSV"), this);
    auto* json = new QPushButton(tr("JSON"), this);
    m_copyExplanation->setToolTip(tr("Copy the explanation of the selected metric"));
    csv->setToolTip(tr("Save all metrics as CSV (identical to collscope --batch --csv)"));
    json->setToolTip(tr("Save all metrics as JSON"));

    auto* top = new QHBoxLayout;
    top->setContentsMargins(12, 8, 12, 4);
    top->addWidget(title);
    top->addStretch();
    top->addWidget(m_scope);
    auto* search = new QHBoxLayout;
    search->setContentsMargins(12, 0, 12, 6);
    search->addWidget(m_filter);
    auto* buttons = new QHBoxLayout;
    buttons->setContentsMargins(12, 6, 12, 10);
    buttons->setSpacing(8);
    buttons->addWidget(m_copy, 1);
    buttons->addWidget(m_copyExplanation);
    buttons->addWidget(csv);
    buttons->addWidget(json);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(top);
    layout->addLayout(search);
    layout->addWidget(m_table, 6);
    layout->addWidget(line);
    layout->addWidget(m_explanation, 5);
    layout->addLayout(buttons);

    connect(m_table, &QTreeWidget::currentItemChanged, this, &MetricsPanel::onSelected);
    connect(m_explanation, &QTextBrowser::anchorClicked, this, [this](const QUrl& url) {
        emit guideWanted(QUrl::fromPercentEncoding(url.toString(QUrl::RemoveScheme).toUtf8()));
    });
    // Esc clears the evidence but not the current row, so that a click on that row requests it again.
    connect(m_table, &QTreeWidget::itemClicked, this, &MetricsPanel::onSelected);
    connect(m_filter, &QLineEdit::textChanged, m_table, &MetricsTable::setFilter);
    connect(m_copyExplanation, &QPushButton::clicked, this, &MetricsPanel::copyExplanation);
    connect(m_scope, &QComboBox::currentIndexChanged, this, &MetricsPanel::optionsChanged);
    connect(m_copy, &QPushButton::clicked, this, &MetricsPanel::copyNumber);
    connect(csv, &QPushButton::clicked, this, &MetricsPanel::csvRequested);
    connect(json, &QPushButton::clicked, this, &MetricsPanel::jsonRequested);
    connect(&state->run(), &RunContext::modelChanged, this, &MetricsPanel::onModelChanged);
    connect(&state->selection(), &ViewSelection::rangeChanged, this, &MetricsPanel::updateRangeScope);
    connect(&state->selection(), &ViewSelection::stepChanged, this, &MetricsPanel::updateStepScope);
    onModelChanged();
}

void MetricsPanel::onModelChanged()
{
    {
        const QSignalBlocker quiet(m_scope);
        m_scope->clear();
        m_scope->addItem(tr("inner steps"), InnerSteps);
        m_scope->addItem(tr("all steps"), AllSteps);
        m_scope->addItem(tr("selected range"), SelectedRange);
        m_scope->addItem(tr("this step"), OneStep);
        const std::vector<std::int32_t> ranks
            = m_state->run().model() ? m_state->run().model()->ranks() : std::vector<std::int32_t>();
        for (const std::int32_t rank : ranks.size() > 1 ? ranks : std::vector<std::int32_t>())
            m_scope->addItem(tr("rank %1").arg(rank), OneRank + rank);
        updateRangeScope();
        updateStepScope();
    }
    setResults({});
}

/// A scope that depends on the selection: enabled while there is something selected, with a tool tip about
/// how to select it otherwise. Computes again what was computed for it.
void MetricsPanel::updateScope(int scope, const QString& title, bool isSelected, const QString& howToSelect)
{
    const int index = m_scope->findData(scope);
    {
        const QSignalBlocker quiet(m_scope);
        if (auto* items = qobject_cast<QStandardItemModel*>(m_scope->model()))
            items->item(index)->setEnabled(isSelected);
        m_scope->setItemText(index, title);
        m_scope->setItemData(index, isSelected ? QString() : howToSelect, Qt::ToolTipRole);
    }
    if (m_scope->currentIndex() != index)
        return;
    if (isSelected)
        emit optionsChanged();
    else
        m_scope->setCurrentIndex(m_scope->findData(InnerSteps)); // which emits it
}

void MetricsPanel::updateStepScope()
{
    const std::optional<std::int64_t> step = m_state->selection().step();
    updateScope(OneStep, step ? tr("step %1").arg(*step) : tr("this step"), step.has_value(),
                tr("Choose a step in the toolbar, or click one in the overview"));
}

void MetricsPanel::updateRangeScope()
{
    updateScope(SelectedRange, tr("selected range"), m_state->selection().range().has_value(),
                tr("Drag over the timeline to select a range"));
}

MetricOptions MetricsPanel::options() const
{
    MetricOptions options;
    const int scope = m_scope->currentData().toInt();
    if (scope == AllSteps)
        options.steps.mode = StepChoice::Mode::All;
    else if (scope == SelectedRange)
        options.range = m_state->selection().range();
    else if (scope == OneStep && m_state->selection().step())
        options.steps = {StepChoice::Mode::Range, *m_state->selection().step(), *m_state->selection().step()};
    else if (scope >= OneRank)
        options.rank = scope - OneRank;
    return options;
}

void MetricsPanel::chooseSelectedRange()
{
    if (m_state->selection().range())
        m_scope->setCurrentIndex(m_scope->findData(SelectedRange));
}

void MetricsPanel::setResults(Results results)
{
    m_results = std::move(results);
    m_explained.clear();
    m_table->setResults(m_results);
    onSelected();
}

void MetricsPanel::setExplained(const MetricRequest& request, const MetricResult& result)
{
    for (auto& [known, old] : m_results) {
        if (known.name == request.name)
            old = result;
    }
    m_explained.insert(request.name);
    if (const auto* chosen = selected(); chosen && chosen->first.name == request.name)
        showSelected();
}

void MetricsPanel::selectMetric(std::string_view id)
{
    m_table->select(id);
}

void MetricsPanel::selectMetricWithValue(std::string_view id)
{
    const auto hasValue = [](const auto& result) { return result.second.value.has_value(); };
    const auto first = std::find_if(m_results.begin(), m_results.end(), hasValue);
    const bool isThere = std::any_of(m_results.begin(), m_results.end(), [&](const auto& result) {
        return hasValue(result) && result.first.name == id;
    });
    selectMetric(isThere || first == m_results.end() ? id : std::string_view(first->first.name));
}

const std::pair<MetricRequest, MetricResult>* MetricsPanel::selected() const
{
    const auto index = m_table->currentResult();
    return index && *index < m_results.size() ? &m_results[*index] : nullptr;
}

void MetricsPanel::onSelected()
{
    showSelected();
    const auto* chosen = selected();
    if (chosen && !m_explained.contains(chosen->first.name))
        emit explanationWanted(chosen->first);
}

void MetricsPanel::showSelected()
{
    const auto* chosen = selected();
    m_copy->setEnabled(chosen && chosen->second.value);
    m_copyExplanation->setEnabled(chosen != nullptr);
    m_copy->setToolTip(m_copy->isEnabled() ? tr("Copy the exact value, as collscope --batch prints it")
                                           : tr("Select a metric that has a value"));
    if (!chosen) {
        m_explanation->setHtml(
            heading(tr("Select a metric to see its formula and the slices it counted."), palette()));
        return;
    }
    m_explanation->setHtml(metricExplanation(chosen->first, chosen->second, palette()));
    m_state->emphasis().setEvidence(chosen->second.evidence, chosen->second.evidenceRanges);
}

void MetricsPanel::copyNumber()
{
    if (const auto* chosen = selected(); chosen && chosen->second.value)
        QGuiApplication::clipboard()->setText(toText(numberText(*chosen->second.value)));
}

void MetricsPanel::copyExplanation()
{
    QGuiApplication::clipboard()->setText(m_explanation->toPlainText());
}

} // namespace collscope
