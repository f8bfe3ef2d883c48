// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Two runs beside each other: their timelines on one axis, the step's difference part by part, the change of
// each rank, and the tables of the comparison.

#include "metrics/reports/compared_locations.h"
#include "views/axis_link.h"
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

    /// `report`: finalReport() of the two; nullptr while it is made. Without runs or report a sentence stands
    /// in its place: `waiting`.
    void setRuns(const ComparedRunPtr& base, const ComparedRunPtr& test,
                 std::shared_ptr<const Workbook> report, double thresholdPercent, const QString& waiting);
    RunPane* basePane() const { return m_base; }
    RunPane* testPane() const { return m_test; }
    WaterfallView* waterfall() const { return m_waterfall; }
    RankChanges* rankChanges() const { return m_rankChanges; }
    /// By the name of its sheet in the report; nullptr if there is none.
    DeltaTable* table(const QString& sheet);
    QTabWidget* tabs() const { return m_tabs; }
    /// Beside each other, or one below the other.
    void setStacked(bool stacked);

    /// Steps that both runs have; the first of them is shown.
    const std::vector<StepPair>& steps() const { return m_steps; }
    /// Without step markers, whole captures are compared.
    bool isOfWholeTraces() const;
    /// What waterfall and chart of ranks show times of.
    ComparedTimes times() const;
    std::optional<StepPair> shownSteps() const { return m_shownSteps; }
    /// Lays the begins of two steps over each other and fits them.
    void showSteps(const StepPair& steps);
    /// Lays the selected collective of one run over its counterpart in the other. Answers with a sentence
    /// that says why it could not; empty: done.
    QString alignAtSelection();
    /// What findLocations() found for the subject that was chosen last.
    void showPlaces(const ComparedLocations& places);
    /// A part of the step, as if its bar had been clicked; nullopt: the step as a whole.
    void choosePart(std::optional<StepPart> part);
    /// Neither part nor rank nor slices are chosen.
    void clearChoice();
    /// Of which rank the waterfall is; nullopt: the mean of all.
    void chooseRank(std::optional<std::int32_t> rank);

signals:
    void subjectChosen(const collscope::ComparedSubject& subject);
    void stepsShown(); ///< others than before

protected:
    void changeEvent(QEvent* event) override;

private:
    void buildTabs();
    void linkRows();
    void forgetTables();
    void fillShownTables();
    void fill(const QString& name, DeltaTable& table);
    QString whyNoSteps() const;
    void fillWaterfall();
    void fillRanks();
    void showVerdict();
    /// The sentence, without its verdict, and what it is based on.
    std::pair<QString, QStringList> stepAnswer(const StepWaterfall& all) const;
    /// What is similar on each rank.
    std::optional<double> rankThreshold() const;
    void chooseSubject(const ComparedSubject& subject);
    void showGap(const ComparedLocations& places);
    /// Shows that range of the baseline's axis, and some of what is around it.
    void showAround(TimeRange range);

    RunPane* m_base;
    RunPane* m_test;
    std::unique_ptr<AxisLink> m_link; ///< gone before the states of the panes are
    QSplitter* m_panes;
    QSplitter* m_lower;
    AnswerPage* m_page;
    WaterfallView* m_waterfall;
    QTabWidget* m_tabs;
    RankChanges* m_rankChanges = nullptr;
    std::vector<std::pair<QString, DeltaTable*>> m_tables; ///< by the name of the sheet
    std::shared_ptr<const Workbook> m_report;
    std::set<QString> m_filled; ///< sheets whose tables show the report
    SharedSteps m_shared;
    std::vector<StepPair> m_steps;
    std::optional<StepPair> m_shownSteps;
    std::optional<ComparedSubject> m_subject; ///< chosen last
    double m_thresholdPercent = 1.0;
};

} // namespace collscope
