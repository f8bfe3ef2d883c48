// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The Pipeline tab: stages stacked on the timeline's axis, with busy time and bubble of each stage and step.
// For a run without stages, a page explains why.

#include "metrics/analysis/pipeline_bubbles.h"
#include "views/state/view_state.h"

#include <QWidget>

#include <memory>

class QComboBox;
class QLabel;

namespace collscope {

class ContentStack;
class PipelineLanes;

class PipelineView : public QWidget
{
    Q_OBJECT

public:
    explicit PipelineView(ViewState* state, QWidget* parent = nullptr);

    PipelineLanes* lanes() const { return m_lanes; }
    /// True if the run is known to have more than one pipeline stage, and has events to show of them: not of
    /// summaries.
    bool hasStages() const;
    bool hasStreams() const; ///< any GPU work to show
    /// True if there are stages to show, or sends and receives of unknown stages to explain.
    bool isWanted() const { return m_isWanted; }
    /// True while the numbers are being computed.
    bool isComputing() const { return hasStages() && m_state->run().collectives() && !m_bubbles; }
    /// Sets the numbers of the current run.
    void setBubbles(BubbleTablePtr bubbles);
    /// All numbers as tab-separated text with a header: one row per stage and step, with ns and ratios in the
    /// C locale.
    QString numbersAsText() const;

signals:
    /// The run or its known mesh has changed, so the tab may have to appear or disappear.
    void wantedChanged();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void onModelChanged();
    void onMeshChanged();
    void fillChooser();
    void chooseRanks();
    void updateSummary();
    QString whyEmpty() const;
    void copy();

    ViewState* m_state;
    ContentStack* m_pages;
    QWidget* m_page; ///< page for a run with stages
    QLabel* m_summary;
    QLabel* m_chooserLabel;
    QComboBox* m_chooser;
    PipelineLanes* m_lanes;
    BubbleTablePtr m_bubbles;
    bool m_isWanted = false;
};

} // namespace collscope
