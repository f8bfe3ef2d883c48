// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// The left column: ranks to show or hide, what the workload is, and what the colours mean.

#include "views/view_state.h"

#include <QWidget>

class QFormLayout;
class QTreeWidget;

namespace collscope {

class Legend;
class RankTree;

class RanksPanel : public QWidget
{
    Q_OBJECT

public:
    explicit RanksPanel(ViewState* state, QWidget* parent = nullptr);
    QTreeWidget* tree() const;

private:
    void onModelChanged();
    void fillWorkload(const TraceModel& model);

    ViewState* m_state;
    RankTree* m_ranks;
    QWidget* m_workload;
    QFormLayout* m_facts;
    Legend* m_legend;
};

/// Colour swatches and names of all kernel classes, in two columns; of passes where a server was traced.
class Legend : public QWidget
{
    Q_OBJECT

public:
    explicit Legend(QWidget* parent = nullptr);
    void setHasPasses(bool hasPasses);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    bool m_hasPasses = false;
};

} // namespace collscope
