// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Who waits for whom in a pipeline: the stages above each other on the timeline's axis, with busy time and
// bubble of each stage and step. A run without stages gets a page that says why there is nothing to see.

#include "metrics/pipeline_bubbles.h"
#include "views/view_state.h"

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
    /// True if the run is known to have more than one pipeline stage.
    bool hasStages() const;
    bool hasStreams() const; ///< any GPU work to show
    /// True if there is something to show or to explain: stages, or sends and receives of unknown stages.
    bool isWanted() const { return m_isWanted; }
    /// True while the numbers are still to come.
    bool isComputing() const { return hasStages() && m_state->collectives() && !m_bubbles; }
    /// The numbers of the run on show.
    void setBubbles(BubbleTablePtr bubbles);
    /// Every number as tab-separated text with header: a row per stage and step, ns and shares in the C
    /// locale.
    QString numbersAsText() const;

signals:
    /// Another run, or its mesh is known now: the tab may have to come or go.
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
    void copy() const;

    ViewState* m_state;
    ContentStack* m_pages;
    QWidget* m_page; ///< what there is to see of a run with stages
    QLabel* m_summary;
    QLabel* m_chooserLabel;
    QComboBox* m_chooser;
    PipelineLanes* m_lanes;
    BubbleTablePtr m_bubbles;
    bool m_isWanted = false;
};

} // namespace collscope
