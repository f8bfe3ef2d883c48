// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Values logged by the training program: loss, gradient norm, tokens/s, memory and MFU over steps.

#include "metrics/counters/logged_run.h"
#include "views/state/view_state.h"

#include <QWidget>

class QHBoxLayout;

namespace collscope {

class SmallChart;

class TrainingView : public QWidget
{
    Q_OBJECT

public:
    explicit TrainingView(ViewState* state, QWidget* parent = nullptr);

    /// True for a run with a training log.
    bool isWanted() const { return !m_run.steps.empty(); }
    const std::vector<SmallChart*>& charts() const { return m_charts; }

signals:
    void wantedChanged();

protected:
    void changeEvent(QEvent* event) override;

private:
    void onModelChanged();
    void showRun();

    ViewState* m_state;
    LoggedRun m_run;
    QHBoxLayout* m_row;
    std::vector<SmallChart*> m_charts; ///< one per figure that is logged
};

} // namespace collscope
