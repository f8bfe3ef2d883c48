// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/comparison/comparison_view.h"

#include "views/common/format.h"
#include "views/comparison/delta_table.h"
#include "views/comparison/rank_changes.h"
#include "views/comparison/waterfall_view.h"
#include "views/timeline/timeline_view.h"
#include "views/widgets/answer_page.h"

#include <QEvent>
#include <QScrollBar>
#include <QSplitter>
#include <QTabWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace collscope {

namespace {

/// Start of the first slice of any rank, on the axis. Counters may have been sampled earlier.
std::int64_t beginOf(const ComparedRun& run)
{
    std::int64_t begin = run.model->range.endNs;
    for (std::size_t i = 0; i < run.model->timelines.size(); ++i)
        begin = std::min(begin, run.clocks.toAxis(i, run.model->timelines[i].range.beginNs));
    return begin;
}

} // namespace

ComparisonView::ComparisonView(QWidget* parent)
    : QWidget(parent)
    , m_base(new RunPane(tr("Baseline"), this))
    , m_test(new RunPane(tr("Test"), this))
    , m_link(std::make_unique<AxisLink>(m_base->state(), m_test->state()))
    , m_panes(new QSplitter(Qt::Horizontal, this))
    , m_lower(new QSplitter(Qt::Horizontal, this))
    , m_page(new AnswerPage(m_lower, this))
    , m_waterfall(new WaterfallView(this))
    , m_tabs(new QTabWidget(this))
{
    setObjectName(QStringLiteral("comparison"));
    m_page->setBackgroundRole(QPalette::Base);
    m_page->setAutoFillBackground(true);
    m_panes->setChildrenCollapsible(false);
    m_panes->addWidget(m_base);
    m_panes->addWidget(m_test);
    buildTabs();
    m_lower->setChildrenCollapsible(false);
    m_lower->addWidget(m_waterfall);
    m_lower->addWidget(m_tabs);
    m_lower->setStretchFactor(1, 1);
    m_lower->setSizes({480, 1000});
    auto* both = new QSplitter(Qt::Vertical, this);
    both->setChildrenCollapsible(false);
    both->addWidget(m_panes);
    both->addWidget(m_page);
    both->setStretchFactor(0, 1);
    both->setSizes({560, 360});
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(both);
    linkRows();
    connect(m_waterfall, &WaterfallView::partChosen, this, &ComparisonView::choosePart);
    connect(m_rankChanges, &RankChanges::rankChosen, this, &ComparisonView::chooseRank);
    connect(m_tabs, &QTabWidget::currentChanged, this, &ComparisonView::fillShownTables);
}

void ComparisonView::buildTabs()
{
    m_tabs->setDocumentMode(true);
    const auto add
        = [this](ComparisonKind kind, const char* objectName, const QString& title, const QString& name) {
              auto* table = new DeltaTable(name, m_tabs);
              table->setObjectName(QLatin1String(objectName));
              connect(table, &DeltaTable::subjectChosen, this, &ComparisonView::chooseSubject);
              m_tables.emplace_back(kind, table);
              if (!title.isEmpty())
                  m_tabs->addTab(table, title);
              return table;
          };
    add(ComparisonKind::GpuTimes, "GPU_Summary_Cmp", tr("GPU time"), tr("GPU times of both runs"));
    auto* ranks = new QSplitter(Qt::Vertical, m_tabs);
    ranks->setChildrenCollapsible(false);
    m_rankChanges = new RankChanges(ranks);
    ranks->addWidget(m_rankChanges);
    ranks->addWidget(
        add(ComparisonKind::RankGpuTimes, "GPU_ByRank_Cmp", {}, tr("GPU times of both runs, rank by rank")));
    ranks->setSizes({150, 150});
    m_tabs->addTab(ranks, tr("Ranks"));
    add(ComparisonKind::UnitTimes, "Unit_Summary_Cmp", tr("GPU time per unit"),
        tr("GPU times of both runs per unit of work"));
    add(ComparisonKind::Waterfall, "Step_Waterfall", tr("Step"), tr("Parts of the step in both runs"));
    add(ComparisonKind::Steps, "Step_Cmp", tr("Steps"), tr("Steps of both runs"));
    add(ComparisonKind::RankSteps, "Step_ByRank_Cmp", tr("Steps by rank"),
        tr("Mean steps of both runs, rank by rank"));
    add(ComparisonKind::Collectives, "NCCL_ImplSync_Cmp", tr("Collectives"),
        tr("Kinds of collectives in both runs"));
    add(ComparisonKind::Calls, "NCCL_Long_Cmp", tr("Calls"),
        tr("Communication calls of both runs, rank by rank"));
    add(ComparisonKind::KernelClasses, "Kernel_Class_Cmp", tr("Kernel classes"),
        tr("Kernel classes in both runs"));
    add(ComparisonKind::Kernels, "Kernel_Cmp", tr("Kernels"), tr("Kernels of both runs"));
    add(ComparisonKind::Operators, "Operator_Cmp", tr("Operators"), tr("CPU operators of both runs"));
}

/// Keeps the rows of a rank side by side if both runs have the same rows.
void ComparisonView::linkRows()
{
    const auto follow = [](const RunPane* from, const RunPane* to) {
        QScrollBar* const source = from->timeline()->verticalScrollBar();
        QScrollBar* const target = to->timeline()->verticalScrollBar();
        connect(source, &QScrollBar::valueChanged, target, [source, target](int value) {
            if (source->maximum() == target->maximum())
                target->setValue(value);
        });
    };
    follow(m_base, m_test);
    follow(m_test, m_base);
}

DeltaTable* ComparisonView::table(const QString& name)
{
    for (const auto& [kind, own] : m_tables) {
        if (own->objectName() == name)
            return table(kind);
    }
    return nullptr;
}

DeltaTable* ComparisonView::table(ComparisonKind kind)
{
    const auto found = std::find_if(m_tables.begin(), m_tables.end(),
                                    [kind](const auto& own) { return own.first == kind; });
    if (found == m_tables.end())
        return nullptr;
    fill(kind, *found->second);
    return found->second;
}

bool ComparisonView::isOfWholeTraces() const
{
    return !m_shared.base.empty() && m_shared.base.front().isWholeTrace;
}

ComparedTimes ComparisonView::times() const
{
    if (!m_shared.work.isOfCaptures)
        return ComparedTimes::Step;
    return m_shared.work.isTold ? ComparedTimes::Unit : ComparedTimes::Capture;
}

void ComparisonView::setStacked(bool stacked)
{
    m_panes->setOrientation(stacked ? Qt::Vertical : Qt::Horizontal);
}

void ComparisonView::setRuns(const ComparedRunPtr& base, const ComparedRunPtr& test,
                             std::shared_ptr<const ComparisonReport> report, double thresholdPercent,
                             const QString& waiting)
{
    const bool others = base != m_base->run() || test != m_test->run();
    if (base != m_base->run())
        m_base->setRun(base);
    if (test != m_test->run())
        m_test->setRun(test);
    m_report = std::move(report);
    m_thresholdPercent = thresholdPercent;
    if (!m_report || !base || !test) {
        m_shownSteps.reset();
        m_page->showEmpty(waiting);
        return;
    }
    m_shared = sharedSteps(base->sheets, test->sheets);
    m_steps.clear();
    for (std::size_t i = 0; i < m_shared.base.size(); ++i) {
        const StepPair pair{m_shared.base[i].step, m_shared.test[i].step};
        if (std::find(m_steps.begin(), m_steps.end(), pair) == m_steps.end())
            m_steps.push_back(pair);
    }
    std::sort(m_steps.begin(), m_steps.end(),
              [](const StepPair& a, const StepPair& b) { return a.base < b.base; });
    forgetTables();
    if (others && times() == ComparedTimes::Unit)
        m_tabs->setCurrentWidget(table(ComparisonKind::UnitTimes));
    fillRanks(); // determines the selectable ranks
    fillWaterfall(); // determines the selectable parts
    fillRanks();
    showVerdict();
    if (others || !m_shownSteps) {
        m_shownSteps.reset();
        if (!m_steps.empty())
            showSteps(m_steps.front());
        else
            m_link->align(beginOf(*base), beginOf(*test));
    }
}

/// Tables are filled when they become visible, because tables of many ranks have a hundred thousand rows.
void ComparisonView::forgetTables()
{
    const auto titleOf = [](ComparedTimes times) {
        switch (times) {
        case ComparedTimes::Step:
            return tr("Step");
        case ComparedTimes::Unit:
            return tr("Unit of work");
        case ComparedTimes::Capture:
            break;
        }
        return tr("Capture");
    };
    m_filled.clear();
    for (const auto& [kind, table] : m_tables) {
        const ComparedSheet* const sheet = m_report->sheet(kind);
        const int tab = m_tabs->indexOf(table);
        if (tab >= 0)
            m_tabs->setTabVisible(tab, sheet && !sheet->isEmpty());
        if (kind == ComparisonKind::GpuTimes)
            m_tabs->setTabText(tab,
                               times() == ComparedTimes::Step ? tr("GPU time") : tr("GPU time of captures"));
        if (kind == ComparisonKind::Waterfall)
            m_tabs->setTabText(tab, titleOf(times()));
    }
    fillShownTables();
}

void ComparisonView::fillShownTables()
{
    const QWidget* const page = m_tabs->currentWidget();
    for (const auto& [kind, table] : m_tables) {
        if (page && (page == table || page->isAncestorOf(table)))
            fill(kind, *table);
    }
}

void ComparisonView::fill(ComparisonKind kind, DeltaTable& table)
{
    if (!m_report || !m_base->run() || !m_test->run() || !m_filled.insert(kind).second)
        return;
    const ComparedSheet* const sheet = m_report->sheet(kind);
    table.setSheet(sheet ? asRead(*sheet) : ComparedSheet(), m_base->run()->sheets.label,
                   m_test->run()->sheets.label, m_thresholdPercent);
}

void ComparisonView::chooseSubject(const ComparedSubject& subject)
{
    m_subject = subject;
    if (subject.rank)
        chooseRank(subject.rank);
    if (subject.part && m_waterfall->chosenPart() != subject.part) {
        m_waterfall->choosePart(subject.part);
        fillRanks();
    }
    emit subjectChosen(subject);
}

void ComparisonView::choosePart(std::optional<StepPart> part)
{
    m_waterfall->choosePart(part);
    fillRanks();
    ComparedSubject subject;
    subject.part = part;
    subject.kinds = part ? kindsOf(*part) : 0;
    subject.rank = m_rankChanges->chosenRank();
    chooseSubject(subject);
}

void ComparisonView::clearChoice()
{
    m_waterfall->choosePart(std::nullopt);
    if (m_base->run() && m_test->run()) {
        fillRanks();
        chooseRank(std::nullopt);
    }
    for (RunPane* pane : {m_base, m_test})
        pane->state()->clearSelection();
}

void ComparisonView::chooseRank(std::optional<std::int32_t> rank)
{
    // A rank that exists in one run only does not have a step to compare; its rows are shown in that run.
    const bool isShared = rank && !m_rankChanges->barOf(*rank).isEmpty();
    m_rankChanges->chooseRank(isShared ? rank : std::nullopt);
    fillWaterfall();
    if (rank) {
        m_base->showRank(*rank);
        m_test->showRank(*rank);
    }
}

void ComparisonView::showAround(TimeRange range)
{
    const std::int64_t margin = std::max<std::int64_t>(range.lengthNs() / 10, 1);
    m_base->state()->viewport().setVisibleRange({range.beginNs - margin, range.endNs + margin});
}

void ComparisonView::showSteps(const StepPair& steps)
{
    const auto base = steps.base ? m_base->run()->stepOnAxis(*steps.base) : std::nullopt;
    const auto test = steps.test ? m_test->run()->stepOnAxis(*steps.test) : std::nullopt;
    if (!base || !test) {
        if (base || test) // in one of the runs only
            (base ? m_base : m_test)->state()->viewport().showRange(base ? *base : *test);
        return;
    }
    m_link->align(base->beginNs, test->beginNs);
    showAround({base->beginNs, base->beginNs + std::max(base->lengthNs(), test->lengthNs())});
    const bool others = m_shownSteps != steps;
    m_shownSteps = steps;
    if (others)
        emit stepsShown();
}

Status ComparisonView::alignAtSelection()
{
    const auto notFound = [](const QString& message) {
        return Error{Error::Kind::NotFound, message.toStdString()};
    };
    if (!m_base->run() || !m_test->run())
        return notFound(tr("Two runs are needed."));
    std::optional<std::uint32_t> base = m_base->selectedCollective();
    std::optional<std::uint32_t> test = m_test->selectedCollective();
    if (!base && !test)
        return notFound(tr("Select a collective on one of the timelines first."));
    if (!test)
        test = counterpartOf(*m_base->run(), *base, *m_test->run());
    else if (!base)
        base = counterpartOf(*m_test->run(), *test, *m_base->run());
    if (!base || !test)
        return notFound(tr("The other run has no corresponding collective at this position."));
    const std::int64_t baseNs = m_base->beginOfTransfer(*base);
    m_link->align(baseNs, m_test->beginOfTransfer(*test));
    const TimeRange visible = m_base->state()->viewport().visibleRange();
    m_base->state()->viewport().setVisibleRange(
        {baseNs - visible.lengthNs() / 2, baseNs + visible.lengthNs() / 2});
    const auto select = [](RunPane* pane, std::uint32_t instance) {
        const RunCollectives& run = *pane->run()->options.collectives;
        const auto members = run.matching.membersOf(run.matching.instances[instance]);
        if (pane->selectedCollective() != instance)
            pane->state()->revealSlice(run.callOf(members.front()).slice, true);
    };
    select(m_base, *base);
    select(m_test, *test);
    m_shownSteps.reset();
    emit stepsShown();
    return {};
}

void ComparisonView::showPlaces(const ComparedLocations& places)
{
    if (m_subject && m_subject->steps) {
        showSteps(*m_subject->steps);
    } else if (places.base.gap || places.test.gap) {
        showGap(places);
    } else if (places.base.range && places.test.range) {
        const TimeRange base = *places.base.range;
        const TimeRange test = *places.test.range;
        if (m_subject && m_subject->call) { // align the calls, wherever they are
            m_shownSteps.reset();
            emit stepsShown();
            m_link->align(base.beginNs, test.beginNs);
            const std::int64_t length = std::max(base.lengthNs(), test.lengthNs());
            showAround({base.beginNs - 2 * length, base.beginNs + 3 * length});
        } else if (m_shownSteps) {
            showSteps(*m_shownSteps);
        } else if (!m_steps.empty()) {
            showSteps(m_steps.front());
        }
    } else if (places.base.range || places.test.range) { // in one of the runs only
        RunPane* const pane = places.base.range ? m_base : m_test;
        pane->state()->viewport().showRange(places.base.range ? *places.base.range : *places.test.range);
    }
    m_base->showLocation(places.base);
    m_test->showLocation(places.test);
}

/// Keeps the alignment of the timelines and shows the longer gap with its surroundings.
void ComparisonView::showGap(const ComparedLocations& places)
{
    const auto lengthOf = [](const ComparedLocation& place) { return place.gap ? place.gap->lengthNs() : 0; };
    const bool inTest = lengthOf(places.test) >= lengthOf(places.base);
    const ComparedLocation& place = inTest ? places.test : places.base;
    (inTest ? m_test : m_base)->state()->viewport().showRange(*place.gap);
    m_base->showRank(place.gapRank);
    m_test->showRank(place.gapRank);
}

void ComparisonView::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_report)
        forgetTables(); // the rows contain colours
}

} // namespace collscope
