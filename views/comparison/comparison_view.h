// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Two runs side by side: their timelines on one axis, the difference of the step by part, the change of each
// rank, and the tables of the comparison.

#include "metrics/comparison/compared_locations.h"
#include "metrics/comparison/comparison.h"
#include "model/result.h"
#include "views/common/axis_link.h"
#include "views/comparison/run_pane.h"
#include "views/comparison/waterfall_view.h"

#include <QWidget>

#include <memory>
#include <optional>
#include <set>

class QSplitter;
class QTabWidget;

namespace collscope {

class AnswerPage;
class DeltaTable;
class RankChanges;

class ComparisonView : public QWidget
{
    Q_OBJECT

public:
    explicit ComparisonView(QWidget* parent = nullptr);

    /// `report`: finalReport() of the two runs; nullptr while it is being computed. Without runs or report,
    /// the text `waiting` is shown instead.
    void setRuns(const ComparedRunPtr& base, const ComparedRunPtr& test,
                 std::shared_ptr<const ComparisonReport> report, double thresholdPercent,
                 const QString& waiting);
    RunPane* basePane() const { return m_base; }
    RunPane* testPane() const { return m_test; }
    WaterfallView* waterfall() const { return m_waterfall; }
    RankChanges* rankChanges() const { return m_rankChanges; }
    /// A table by its object name, with the rows of the report; nullptr if it does not exist.
    DeltaTable* table(const QString& name);
    DeltaTable* table(ComparisonKind kind);
    QTabWidget* tabs() const { return m_tabs; }
    /// Arranges the runs one below the other, or side by side.
    void setStacked(bool stacked);

    /// Steps that exist in both runs. The first one is shown initially.
    const std::vector<StepPair>& steps() const { return m_steps; }
    /// True if complete captures are compared because step markers are missing.
    bool isOfWholeTraces() const;
    /// The kind of times shown in the waterfall and the chart of ranks.
    ComparedTimes times() const;
    std::optional<StepPair> shownSteps() const { return m_shownSteps; }
    /// Aligns the starts of two steps and fits them.
    void showSteps(const StepPair& steps);
    /// Aligns the selected collective of one run with its counterpart in the other. Error NotFound, with a
    /// sentence for the user, if there is none.
    Status alignAtSelection();
    /// Shows the result of findLocations() for the subject that was chosen last.
    void showPlaces(const ComparedLocations& places);
    /// Chooses a part of the step as if its bar had been clicked; nullopt: the entire step.
    void choosePart(std::optional<StepPart> part);
    /// Clears the chosen part, rank and slices.
    void clearChoice();
    /// Shows the waterfall of a rank; nullopt: the mean of all ranks.
    void chooseRank(std::optional<std::int32_t> rank);

signals:
    void subjectChosen(const collscope::ComparedSubject& subject);
    void stepsShown(); ///< the shown steps have changed

protected:
    void changeEvent(QEvent* event) override;

private:
    void buildTabs();
    void linkRows();
    void forgetTables();
    void fillShownTables();
    void fill(ComparisonKind kind, DeltaTable& table);
    QString whyNoSteps() const;
    void fillWaterfall();
    void fillRanks();
    void showVerdict();
    /// The sentence without its verdict, and the facts it is based on.
    std::pair<QString, QStringList> stepAnswer(const StepWaterfall& all) const;
    /// Threshold in percent below which the change of a rank counts as similar.
    std::optional<double> rankThreshold() const;
    void chooseSubject(const ComparedSubject& subject);
    void showGap(const ComparedLocations& places);
    /// Shows a range of the baseline's axis with some of its surroundings.
    void showAround(TimeRange range);

    RunPane* m_base;
    RunPane* m_test;
    std::unique_ptr<AxisLink> m_link; ///< destroyed before the states of the panes
    QSplitter* m_panes;
    QSplitter* m_lower;
    AnswerPage* m_page;
    WaterfallView* m_waterfall;
    QTabWidget* m_tabs;
    RankChanges* m_rankChanges = nullptr;
    std::vector<std::pair<ComparisonKind, DeltaTable*>> m_tables;
    std::shared_ptr<const ComparisonReport> m_report;
    std::set<ComparisonKind> m_filled; ///< their tables show the report
    SharedSteps m_shared;
    std::vector<StepPair> m_steps;
    std::optional<StepPair> m_shownSteps;
    std::optional<ComparedSubject> m_subject; ///< chosen last
    double m_thresholdPercent = 1.0;
};

} // namespace collscope
