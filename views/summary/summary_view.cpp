// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/summary/summary_view.h"

#include "metrics/whatif/finding_scenario.h"
#include "views/common/format.h"
#include "views/common/theme.h"
#include "views/summary/finding_label.h"
#include "views/summary/parts_bar.h"
#include "views/summary/show_place.h"
#include "views/tables/cell_table.h"
#include "views/whatif/gain_button.h"
#include "views/widgets/answer_page.h"

#include <QHeaderView>
#include <QLabel>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace collscope {

namespace {

enum Column
{
    Number,
    Title,
    Cost,
    Share,
    Where,
    ColumnCount
};

/// The tool tip of "Why?"; empty where there is nothing more to say.
QString whyText(const Finding& finding)
{
    switch (whyPlaceOf(finding)) {
    case WhyPlace::Gaps:
        return SummaryView::tr("List the gaps with this cause");
    case WhyPlace::CauseChain:
        return SummaryView::tr("Explain why the last rank arrived late at the selected collective");
    case WhyPlace::Collectives:
        return SummaryView::tr("List the collectives");
    case WhyPlace::Job:
        return SummaryView::tr("Show the whole job");
    case WhyPlace::Network:
        return SummaryView::tr("Show how the nodes are connected");
    case WhyPlace::None:
        break;
    }
    return {};
}

QLabel* wrappedLabel(const char* name, QWidget* parent)
{
    auto* const label = new QLabel(parent);
    label->setObjectName(QLatin1String(name));
    label->setTextFormat(Qt::PlainText); // the text contains names from files
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

} // namespace

WhyPlace whyPlaceOf(const Finding& finding)
{
    if (finding.idleCause)
        return WhyPlace::Gaps;
    switch (finding.kind) {
    case FindingKind::LateRank:
    case FindingKind::UnbalancedWork:
    case FindingKind::UnbalancedExperts:
        return WhyPlace::CauseChain;
    case FindingKind::ExposedCommunication:
    case FindingKind::SlowCollectives:
        return WhyPlace::Collectives;
    case FindingKind::JobSlowed:
        return WhyPlace::Job;
    case FindingKind::NetworkTrouble:
        return WhyPlace::Network;
    default:
        return WhyPlace::None;
    }
}

SummaryView::SummaryView(ViewState* state, QWidget* parent)
    : QWidget(parent)
    , m_state(state)
    , m_stepTime(new QLabel(this))
    , m_parts(new PartsBar(this))
    , m_table(new CellTable(tr("What costs time"), this))
    , m_advice(wrappedLabel("findingAdvice", this))
    , m_why(new QToolButton(this))
    , m_whatIf(new GainButton(this))
{
    setObjectName(QStringLiteral("summary"));
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    m_table->setObjectName(QStringLiteral("findings"));
    m_table->setTextElideMode(Qt::ElideRight);
    QFont large = m_stepTime->font();
    large.setPointSizeF(large.pointSizeF() * 1.6);
    large.setWeight(QFont::DemiBold);
    m_stepTime->setFont(large);
    m_stepTime->setObjectName(QStringLiteral("stepTime"));
    auto* const left = new QWidget(this);
    auto* const leftLayout = new QVBoxLayout(left);
    leftLayout->setContentsMargins(10, 2, 16, 2);
    leftLayout->addWidget(m_parts);
    leftLayout->addStretch(1);
    m_advice->setContentsMargins(8, 4, 8, 6);
    m_why->setObjectName(QStringLiteral("findingWhy"));
    m_why->setText(tr("Why?"));
    auto* const right = new QVBoxLayout;
    right->setSpacing(0);
    right->addWidget(m_table, 1);
    auto* const below = new QHBoxLayout;
    below->setContentsMargins(0, 0, 8, 0);
    below->setSpacing(6);
    below->addWidget(m_advice, 1);
    below->addWidget(m_whatIf, 0, Qt::AlignVCenter);
    below->addWidget(m_why, 0, Qt::AlignVCenter);
    right->addLayout(below);
    auto* const content = new QWidget(this);
    auto* const contentLayout = new QHBoxLayout(content);
    contentLayout->setContentsMargins(0, 0, 0, 0);
    contentLayout->setSpacing(0);
    // In a small window the list of parts scrolls, like the table.
    auto* const leftArea = new QScrollArea(content);
    leftArea->setFrameShape(QFrame::NoFrame);
    leftArea->setWidgetResizable(true);
    leftArea->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    leftArea->setWidget(left);
    leftArea->setFixedWidth(left->sizeHint().width()); // a scroll bar takes the margin
    contentLayout->addWidget(leftArea);
    contentLayout->addLayout(right, 1);
    m_page = new AnswerPage(content, this);
    m_page->setLead(m_stepTime);
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_page);

    connect(m_table, &CellTable::rowChosen, this, &SummaryView::choose);
    connect(m_why, &QToolButton::clicked, this, [this] {
        if (m_chosen)
            emit whyWanted(*m_chosen);
    });
    connect(m_table, &CellTable::rowActivated, this, &SummaryView::activate);
    connect(&state->run(), &RunContext::modelChanged, this, [this] { setFindings(nullptr); });
    setFindings(nullptr);
}

QString SummaryView::emptyText() const
{
    if (!m_state->run().model())
        return tr("Open a run to see what costs time in it.");
    if (!m_findings)
        return tr("Finding out what costs time\u2026");
    if (*m_findings)
        return {};
    const RunCollectivesPtr& run = m_state->run().collectives();
    const QString reason = toText(m_findings->error().message);
    return run && !run->matching.instances.empty()
        ? tr("%1 The tabs Stragglers, Lateness and Why slow? compare its ranks.").arg(reason)
        : reason;
}

void SummaryView::setFindings(FindingsPtr findings)
{
    m_findings = std::move(findings);
    m_shown.clear();
    m_advice->clear();
    m_advice->hide();
    m_chosen = nullptr;
    m_why->hide();
    m_whatIf->setScenario({});
    if (const QString empty = emptyText(); !empty.isEmpty()) {
        m_table->setTable({}, {});
        m_parts->setParts({});
        m_page->showEmpty(empty);
        return;
    }
    const Findings& all = **m_findings;
    std::int64_t small = 0;
    for (const Finding& finding : all.all) {
        if (isAboutTime(finding.kind) && shareOf(all, finding) < smallShare)
            ++small;
        else
            m_shown.push_back(&finding);
    }
    QStringList basis{
        (all.isPerStep ? tr("Per step, %1, %2.") : tr("%1, %2.")).arg(toText(all.scope), toText(all.window))};
    if (small > 0)
        basis << tr("%n more cost(s) less than 1 % each.", nullptr, static_cast<int>(small));
    if (!all.clocks.empty())
        basis << toText(all.clocks);
    const QString line = basis.join(QLatin1Char(' '));
    for (const std::string& warning : all.warnings)
        basis << toText(warning);
    m_page->showAnswer(sentenceText(all.headline()), line, basis.join(QLatin1Char('\n')));
    fillParts();
    fillTable();
}

void SummaryView::fillParts()
{
    const Findings& all = **m_findings;
    m_stepTime->setText(formatDuration(all.stepNs));
    m_stepTime->setToolTip(all.isPerStep ? tr("Time of a step, mean of all ranks")
                                         : tr("Length of the window, mean of all ranks"));
    m_parts->setParts(all.parts, unknownParts(all));
    QString note = tr("Mean of all ranks. The parts add up to the step exactly.");
    if (all.unsplit > 0)
        note += QLatin1Char('\n')
            + (all.isSummarized
                   ? tr("%n call(s) may contain waits that count as communication: the sums of a rank do not "
                        "show when the others arrived.",
                        nullptr, static_cast<int>(all.unsplit))
                   : tr(
                       "%n call(s) may contain waits that count as communication: the files do not show when "
                       "all ranks arrived.",
                       nullptr, static_cast<int>(all.unsplit)));
    m_parts->setToolTip(note);
}

void SummaryView::fillTable()
{
    const Findings& all = **m_findings;
    const ColumnUnit unit = columnUnit(all.stepNs);
    double largest = 0;
    for (const Finding* finding : m_shown)
        largest = std::max(largest, shareOf(all, *finding));
    std::vector<TableColumn> columns(ColumnCount);
    columns[Number]
        = {tr("#"), tr("by cost; findings that are not about time come first"), QStringLiteral("number")};
    columns[Title] = {tr("what costs time"), {}, QStringLiteral("finding"), false};
    columns[Cost]
        = {tr("cost %1").arg(unit.name),
           all.isPerStep ? tr("time per step, mean of all ranks; no two findings count the same time")
                         : tr("mean of all ranks; no two findings count the same time"),
           QStringLiteral("cost_ns_per_step")};
    columns[Share] = {tr("share %"), tr("of the step"), QStringLiteral("share_percent")};
    columns[Where] = {tr("where it is worst"),
                      hasEvents() ? tr("Enter or a double click shows it on the timeline")
                                  : tr("Enter or a double click opens the trace of the rank"),
                      QStringLiteral("where"), false};
    std::vector<std::vector<TableCell>> rows;
    for (const Finding* finding : m_shown) {
        std::vector<TableCell> row(ColumnCount);
        row[Number].raw = static_cast<int>(rows.size()) + 1;
        row[Number].text = row[Number].raw.toString();
        row[Title].text = findingLabel(*finding);
        row[Title].toolTip = sentenceText(finding->title);
        if (isAboutTime(finding->kind)) {
            const double share = shareOf(all, *finding);
            row[Title].chip = severityColor(share, palette());
            row[Cost].text = formatIn(unit, static_cast<double>(finding->costNs));
            row[Cost].raw = static_cast<qlonglong>(finding->costNs);
            row[Cost].toolTip = tr("%1 on the ranks that pay: %2")
                                    .arg(formatDurationExact(finding->costOnRanksNs))
                                    .arg(finding->nsByRank.size());
            row[Share].raw = 100 * share;
            row[Share].text = QLocale().toString(100 * share, 'f', 1);
            row[Share].bar = largest > 0 ? share / largest : 0;
            row[Share].barColor = severityColor(share, palette());
        }
        if (!finding->places.all().empty()) {
            const FindingPlace& worst = finding->places.all().front();
            row[Where].text = tr("rank %1, %2").arg(worst.rank).arg(formatDuration(worst.range.lengthNs()));
        } else if (const auto rank = worstRankOf(*finding)) {
            row[Where].text = tr("rank %1").arg(*rank);
        }
        rows.push_back(std::move(row));
    }
    const bool isFirst = m_table->model()->columnCount() == 0;
    m_table->setTable(std::move(columns), std::move(rows));
    if (isFirst)
        m_table->sortByColumn(Number, Qt::AscendingOrder);
    m_table->horizontalHeader()->setSectionResizeMode(Title, QHeaderView::Stretch);
    fitColumns();
}

void SummaryView::fitColumns()
{
    constexpr int roomForPlaces = 900;
    constexpr int roomForCosts = 760;
    constexpr int roomForNumbers = 700;
    if (m_table->model()->columnCount() == 0)
        return;
    m_table->setColumnHidden(Where, width() < roomForPlaces);
    m_table->setColumnHidden(Cost, width() < roomForCosts);
    m_table->setColumnHidden(Number, width() < roomForNumbers);
}

void SummaryView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fitColumns();
}

bool SummaryView::hasEvents() const
{
    return !m_state->run().model()->isSummarized();
}

void SummaryView::choose(int row)
{
    const Finding& finding = *m_shown[static_cast<std::size_t>(row)];
    const QString advice = toText(adviceFor(finding));
    m_advice->setText(advice);
    m_advice->setVisible(!advice.isEmpty());
    m_chosen = &finding;
    // What says why, and what replays the run, needs events.
    const QString why = hasEvents() ? whyText(finding) : QString();
    m_why->setToolTip(why);
    m_why->setVisible(!why.isEmpty());
    m_whatIf->setScenario(hasEvents() ? scenarioOf(finding) : std::nullopt);
    if (hasEvents())
        showWorst(finding);
    else if (const auto rank = worstRankOf(finding))
        emit rankChosen(*rank);
}

void SummaryView::activate(int row)
{
    const Finding& finding = *m_shown[static_cast<std::size_t>(row)];
    if (hasEvents())
        showWorst(finding);
    else if (const auto rank = worstRankOf(finding))
        emit rankActivated(*rank);
}

void SummaryView::showWorst(const Finding& finding)
{
    if (!finding.places.all().empty())
        showPlace(*m_state, finding.places.all().front());
}

} // namespace collscope
