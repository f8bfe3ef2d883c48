// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/summaries/rank_summaries_view.h"

#include "model/text/rank_ranges.h"
#include "views/collectives/lateness_map.h"
#include "views/collectives/show_verdict.h"
#include "views/common/format.h"
#include "views/summaries/step_lateness_canvas.h"
#include "views/widgets/answer_page.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace collscope {

RankSummariesView::RankSummariesView(ViewState* state, QWidget* parent)
    : QWidget(parent)
    , m_state(state)
    , m_canvas(new StepLatenessCanvas(this))
    , m_legend(new LatenessLegend(this))
    , m_map(new QWidget(this))
    , m_page(new AnswerPage(m_map, this))
    , m_detail(new QBoxLayout(QBoxLayout::LeftToRight))
    , m_notice(new QLabel(this))
    , m_one(new QPushButton(this))
    , m_several(new QPushButton(this))
    , m_commands(new QPushButton(tr("Copy the commands"), this))
{
    setObjectName(QStringLiteral("rankSummaries"));
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    setFocusProxy(m_canvas);
    m_legend->setAbsentWord(tr("not known"));
    build();
    connect(m_canvas, &StepLatenessCanvas::rankChosen, this, &RankSummariesView::choose);
    connect(m_canvas, &StepLatenessCanvas::detailWanted, this, [this](std::int32_t rank) {
        choose(rank);
        emit detailWanted({rank});
    });
    connect(m_one, &QPushButton::clicked, this, [this] { emit detailWanted({*m_chosen}); });
    connect(m_several, &QPushButton::clicked, this, [this] { emit detailWanted(neighbours()); });
    connect(m_commands, &QPushButton::clicked, this, [this] { emit commandsWanted(neighbours()); });
    connect(&state->run(), &RunContext::modelChanged, this, [this] {
        m_chosen.reset();
        m_canvas->setLateness(nullptr);
        setReport(nullptr);
    });
    setReport(nullptr);
}

void RankSummariesView::build()
{
    auto* const legend = new QHBoxLayout;
    legend->setContentsMargins(10, 0, 10, 0);
    legend->addStretch(1);
    legend->addWidget(m_legend);
    auto* const map = new QVBoxLayout(m_map);
    map->setContentsMargins(0, 0, 0, 0);
    map->setSpacing(0);
    map->addWidget(m_canvas, 1);
    map->addLayout(legend);
    m_notice->setTextFormat(Qt::PlainText);
    m_notice->setWordWrap(true);
    m_notice->setForegroundRole(QPalette::PlaceholderText);
    m_notice->setObjectName(QStringLiteral("summariesNotice"));
    m_one->setObjectName(QStringLiteral("openRank"));
    m_several->setObjectName(QStringLiteral("openNeighbours"));
    m_commands->setObjectName(QStringLiteral("copyCommands"));
    m_commands->setToolTip(tr("For traces that are on another machine: plan, reduce and open the ranks with "
                              "their events"));
    auto* const buttons = new QHBoxLayout;
    buttons->setSpacing(6);
    for (QPushButton* const button : {m_one, m_several, m_commands})
        buttons->addWidget(button);
    buttons->addStretch(1);
    m_detail->setContentsMargins(10, 4, 10, 6);
    m_detail->setSpacing(6);
    m_detail->addWidget(m_notice, 1);
    m_detail->addLayout(buttons);
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_page, 1);
    layout->addLayout(m_detail);
}

std::vector<std::int32_t> RankSummariesView::neighboursOf(std::int32_t rank,
                                                          const std::vector<std::int32_t>& ranks)
{
    constexpr std::int32_t together = 8;
    const std::int32_t first = rank - rank % together;
    return {std::lower_bound(ranks.begin(), ranks.end(), first),
            std::lower_bound(ranks.begin(), ranks.end(), first + together)};
}

QString RankSummariesView::rangesText(const std::vector<std::int32_t>& ranks)
{
    QStringList ranges;
    for (const RankRange range : rankRanges(ranks)) {
        const QString first = QString::number(range.first);
        ranges << (range.count() > 1 ? QStringLiteral("%1\u2013%2").arg(first).arg(range.last) : first);
    }
    return ranges.join(QStringLiteral(", "));
}

std::vector<std::int32_t> RankSummariesView::neighbours() const
{
    return neighboursOf(*m_chosen, m_state->run().model()->ranks());
}

void RankSummariesView::setReport(StragglerReportPtr report)
{
    m_report = std::move(report);
    if (m_report && !m_report->reason.empty() && !m_chosen)
        m_chosen = m_state->run().model()->timelines.front().rank; // no rank is the worst
    showPage();
}

void RankSummariesView::setLateness(StepLatenessPtr lateness)
{
    if (lateness && !lateness->ranks.empty() && !m_chosen)
        m_chosen = lateness->ranks.front();
    m_canvas->setLateness(std::move(lateness));
    m_canvas->markRank(m_chosen);
    m_legend->setScale(m_canvas->scale(), LatenessColumns::StepSum, m_canvas->lateness() != nullptr);
    fitLegend();
    showPage();
}

QString RankSummariesView::emptyText() const
{
    if (!m_report)
        return tr("Finding the rank that the others waited for\u2026");
    if (!m_report->reason.empty())
        return tr("This run has no map of late ranks. %1").arg(toText(m_report->reason));
    if (!m_canvas->lateness())
        return tr("Computing arrival times\u2026");
    if (m_canvas->lateness()->ranks.empty())
        return tr("All ranks are hidden. Tick them in the Ranks panel.");
    return m_canvas->lateness()->steps().empty()
        ? tr("The traces mark no steps. The tab Stragglers compares the ranks over the whole run.")
        : QString();
}

void RankSummariesView::showPage()
{
    const QString empty = emptyText();
    if (empty.isEmpty())
        showVerdict(*m_report, *m_page);
    else
        m_page->showEmpty(empty);
    updateButtons();
}

void RankSummariesView::choose(std::int32_t rank)
{
    m_chosen = rank;
    m_canvas->showRank(rank);
    updateButtons();
}

void RankSummariesView::updateButtons()
{
    m_notice->setText(
        tr("These are summaries: sums of each step, without events. Double-click a rank to open its "
           "trace."));
    for (QPushButton* const button : {m_one, m_several, m_commands})
        button->setVisible(m_chosen.has_value());
    if (!m_chosen)
        return;
    const std::vector<std::int32_t> together = neighbours();
    m_one->setText(tr("Open rank %1").arg(*m_chosen));
    m_several->setText(tr("Open ranks %1").arg(rangesText(together)));
    m_several->setVisible(together.size() > 1);
}

void RankSummariesView::resizeEvent(QResizeEvent* event)
{
    constexpr int roomForOneLine = 900;
    QWidget::resizeEvent(event);
    m_detail->setDirection(width() < roomForOneLine ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    fitLegend();
}

/// A part of the legend would mislead.
void RankSummariesView::fitLegend()
{
    constexpr int margins = 20;
    m_legend->setVisible(width() >= m_legend->sizeHint().width() + margins);
}

void RankSummariesView::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_canvas->lateness())
        m_legend->setScale(LatenessScale(*m_canvas->lateness(), palette()), LatenessColumns::StepSum, true);
}

} // namespace collscope
