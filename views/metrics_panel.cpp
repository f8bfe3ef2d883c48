// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/metrics_panel.h"

#include "views/format.h"
#include "views/palette.h"
#include "views/theme.h"

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QStandardItemModel>
#include <QStyledItemDelegate>
#include <QTextBrowser>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace collscope {

namespace {

enum Column
{
    Name,
    Number,
    Unit,
    Bar,
    ColumnCount
};
constexpr int shareRole = Qt::UserRole + 1; ///< 0 ... 1, for metrics in per cent
constexpr int indexRole = Qt::UserRole + 2; ///< into the results
enum ScopeKind
{
    InnerSteps,
    AllSteps,
    SelectedRange,
    OneRank
};

/// A small bar for shares.
class ShareDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        QStyledItemDelegate::paint(painter, option, index);
        const QVariant share = index.data(shareRole);
        if (!share.isValid())
            return;
        const Surfaces colors = surfaces(option.palette);
        const QRect track(option.rect.left() + 4, option.rect.center().y() - 3, option.rect.width() - 12, 7);
        painter->fillRect(track, colors.line);
        painter->fillRect(
            QRect(track.topLeft(),
                  QSize(static_cast<int>(track.width() * std::clamp(share.toDouble(), 0.0, 1.0)), 7)),
            colors.better);
    }
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
    , m_table(new QTreeWidget(this))
    , m_explanation(new QTextBrowser(this))
    , m_copy(new QPushButton(tr("Copy number"), this))
{
    setObjectName(QStringLiteral("metricsPanel"));
    auto* title = new QLabel(tr("METRICS"), this);
    title->setObjectName(QStringLiteral("sectionTitle"));
    m_scope->setAccessibleName(tr("What the metrics count"));
    m_scope->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_table->setColumnCount(ColumnCount);
    m_table->setHeaderHidden(true);
    m_table->setObjectName(QStringLiteral("metrics"));
    m_table->setItemsExpandable(false); // the root column only indents
    m_table->setIndentation(10);
    m_table->setAllColumnsShowFocus(true);
    m_table->setUniformRowHeights(true);
    m_table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_table->setItemDelegateForColumn(Bar, new ShareDelegate(m_table));
    m_table->setAccessibleName(tr("Metrics"));
    QHeaderView* header = m_table->header();
    header->setStretchLastSection(false);
    header->setSectionResizeMode(Name, QHeaderView::Stretch);
    header->setSectionResizeMode(Number, QHeaderView::ResizeToContents);
    header->setSectionResizeMode(Unit, QHeaderView::ResizeToContents);
    header->setSectionResizeMode(Bar, QHeaderView::Fixed);
    m_table->setColumnWidth(Bar, 58);
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
    m_copy->setDefault(true);
    auto* csv = new QPushButton(tr("CSV"), this);
    auto* json = new QPushButton(tr("JSON"), this);
    csv->setToolTip(tr("Save all metrics as CSV: the same bytes as collscope --batch --csv"));
    json->setToolTip(tr("Save all metrics as JSON"));

    auto* top = new QHBoxLayout;
    top->setContentsMargins(12, 8, 12, 4);
    top->addWidget(title);
    top->addStretch();
    top->addWidget(m_scope);
    auto* buttons = new QHBoxLayout;
    buttons->setContentsMargins(12, 6, 12, 10);
    buttons->setSpacing(8);
    buttons->addWidget(m_copy, 1);
    buttons->addWidget(csv);
    buttons->addWidget(json);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(top);
    layout->addWidget(m_table, 6);
    layout->addWidget(line);
    layout->addWidget(m_explanation, 5);
    layout->addLayout(buttons);

    connect(m_table, &QTreeWidget::currentItemChanged, this, &MetricsPanel::showSelected);
    // Esc clears the evidence but not the current row: a click on that row asks for it again.
    connect(m_table, &QTreeWidget::itemClicked, this, &MetricsPanel::showSelected);
    connect(m_scope, &QComboBox::currentIndexChanged, this, &MetricsPanel::optionsChanged);
    connect(m_copy, &QPushButton::clicked, this, &MetricsPanel::copyNumber);
    connect(csv, &QPushButton::clicked, this, &MetricsPanel::csvRequested);
    connect(json, &QPushButton::clicked, this, &MetricsPanel::jsonRequested);
    connect(state, &ViewState::modelChanged, this, &MetricsPanel::onModelChanged);
    connect(state, &ViewState::selectedRangeChanged, this, &MetricsPanel::onRangeChanged);
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
        const std::vector<std::int32_t> ranks
            = m_state->model() ? m_state->model()->ranks() : std::vector<std::int32_t>();
        for (const std::int32_t rank : ranks.size() > 1 ? ranks : std::vector<std::int32_t>())
            m_scope->addItem(tr("rank %1").arg(rank), OneRank + rank);
        updateRangeScope();
    }
    setResults({});
}

void MetricsPanel::onRangeChanged()
{
    updateRangeScope();
    if (m_scope->currentData().toInt() != SelectedRange)
        return;
    if (m_state->selectedRange())
        emit optionsChanged();
    else
        m_scope->setCurrentIndex(m_scope->findData(InnerSteps)); // which computes again
}

/// Without a range its scope cannot be chosen, and says how to get one.
void MetricsPanel::updateRangeScope()
{
    const int index = m_scope->findData(SelectedRange);
    const bool hasRange = m_state->selectedRange().has_value();
    if (auto* items = qobject_cast<QStandardItemModel*>(m_scope->model()))
        items->item(index)->setEnabled(hasRange);
    m_scope->setItemData(index, hasRange ? QString() : tr("drag over the timeline to select a range"),
                         Qt::ToolTipRole);
}

MetricOptions MetricsPanel::options() const
{
    MetricOptions options;
    const int scope = m_scope->currentData().toInt();
    if (scope == AllSteps)
        options.steps.mode = StepChoice::Mode::All;
    else if (scope == SelectedRange)
        options.range = m_state->selectedRange();
    else if (scope >= OneRank)
        options.rank = scope - OneRank;
    return options;
}

void MetricsPanel::fillRow(QTreeWidgetItem& item, const MetricRequest& request, const MetricResult& result,
                           const QPalette& palette)
{
    const Surfaces colors = surfaces(palette);
    item.setText(Name, toText(request.metric->title));
    item.setToolTip(Name, toText(request.metric->meaning));
    if (!result.value) {
        const QString state = result.state == MetricState::Value ? MetricsPanel::tr("see JSON")
            : result.state == MetricState::NotApplicable         ? MetricsPanel::tr("n/a")
            : result.state == MetricState::MissingInput          ? MetricsPanel::tr("no input")
                                                                 : MetricsPanel::tr("error");
        item.setText(Number, state);
        item.setTextAlignment(Number, Qt::AlignRight | Qt::AlignVCenter);
        for (const int column : {Name, Number})
            item.setForeground(column, colors.dimText);
        item.setToolTip(Number, toText(result.reason));
        return;
    }
    QString unit = toText(result.unit);
    const QString number = formatMetric(*result.value, unit);
    item.setText(Number, number);
    item.setTextAlignment(Number, Qt::AlignRight | Qt::AlignVCenter);
    QFont bold = item.font(Number);
    bold.setWeight(QFont::DemiBold);
    item.setFont(Number, bold);
    item.setToolTip(Number, toText(numberText(*result.value) + " " + result.unit));
    item.setText(Unit, unit == QLatin1String("count") ? QString() : unit);
    item.setForeground(Unit, colors.dimText);
    if (result.unit == "%")
        item.setData(Bar, shareRole, *result.value / 100.0);
}

void MetricsPanel::setResults(Results results)
{
    const auto* before = selected();
    const std::string kept = before ? before->first.name : std::string();
    m_results = std::move(results);
    const QSignalBlocker quiet(m_table);
    m_table->clear();
    QTreeWidgetItem* group = nullptr;
    for (std::size_t i = 0; i < m_results.size(); ++i) {
        const auto& [request, result] = m_results[i];
        const QString name = toText(request.metric->group);
        if (!group || group->text(Name) != name) {
            group = new QTreeWidgetItem(m_table, {name});
            group->setFlags(Qt::ItemIsEnabled);
            group->setFirstColumnSpanned(true);
            QFont bold = group->font(Name);
            bold.setWeight(QFont::DemiBold);
            group->setFont(Name, bold);
        }
        auto* item = new QTreeWidgetItem(group);
        item->setData(Name, indexRole, static_cast<int>(i));
        fillRow(*item, request, result, palette());
    }
    m_table->expandAll();
    if (!kept.empty())
        selectMetric(kept);
    showSelected();
}

void MetricsPanel::selectMetric(std::string_view id)
{
    for (QTreeWidgetItemIterator it(m_table); *it; ++it) {
        const QVariant index = (*it)->data(Name, indexRole);
        if (index.isValid() && m_results[index.toUInt()].first.name == id)
            m_table->setCurrentItem(*it);
    }
}

const std::pair<MetricRequest, MetricResult>* MetricsPanel::selected() const
{
    const QTreeWidgetItem* item = m_table->currentItem();
    const QVariant index = item ? item->data(Name, indexRole) : QVariant();
    return index.isValid() && index.toUInt() < m_results.size() ? &m_results[index.toUInt()] : nullptr;
}

QString MetricsPanel::explanation(const MetricRequest& request, const MetricResult& result) const
{
    QString html
        = QStringLiteral("<p><b>%1</b><br>%2</p>")
              .arg(toText(request.metric->title).toHtmlEscaped(), toText(result.definition).toHtmlEscaped());
    QStringList facts;
    for (const std::string& fact : {result.scope, result.window, result.reduction, result.source}) {
        if (!fact.empty())
            facts << toText(fact).toHtmlEscaped();
    }
    if (!result.reason.empty())
        html += QStringLiteral("<p>%1</p>").arg(toText(result.reason).toHtmlEscaped());
    QStringList lines;
    if (!facts.isEmpty())
        lines << heading(facts.join(QStringLiteral(" \u00b7 ")), palette());
    for (const std::string& input : result.inputs)
        lines << heading(toText(input).toHtmlEscaped(), palette());
    for (const std::string& warning : result.warnings)
        lines << QStringLiteral("<span style='color:%1'>%2</span>")
                     .arg(surfaces(palette()).worse.name(), toText(warning).toHtmlEscaped());
    for (const ReferenceValue& reference : result.references)
        lines << heading(tr("%1 prints %2: %3")
                             .arg(toText(reference.tool),
                                  reference.value ? toText(numberText(*reference.value)) : tr("nothing"),
                                  toText(reference.whyDifferent))
                             .toHtmlEscaped(),
                         palette());
    return html + QStringLiteral("<p>%1</p>").arg(lines.join(QStringLiteral("<br>")));
}

void MetricsPanel::showSelected()
{
    const auto* chosen = selected();
    m_copy->setEnabled(chosen && chosen->second.value);
    m_copy->setToolTip(m_copy->isEnabled() ? tr("Copy the number as the batch prints it")
                                           : tr("Select a metric that has a value"));
    if (!chosen) {
        m_explanation->setHtml(
            heading(tr("Select a metric to see its formula and the slices it counted."), palette()));
        return;
    }
    m_explanation->setHtml(explanation(chosen->first, chosen->second));
    m_state->setEvidence(chosen->second.evidence, chosen->second.evidenceRanges);
}

void MetricsPanel::copyNumber() const
{
    if (const auto* chosen = selected(); chosen && chosen->second.value)
        QGuiApplication::clipboard()->setText(toText(numberText(*chosen->second.value)));
}

} // namespace collscope
