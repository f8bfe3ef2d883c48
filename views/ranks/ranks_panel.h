// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// The left column: ranks to show or hide, facts about the workload, and the colour legend.

#include "views/state/view_state.h"

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
    RankTree* ranks() const { return m_ranks; }

private:
    void onModelChanged();
    void fillWorkload(const TraceModel& model);

    ViewState* m_state;
    RankTree* m_ranks;
    QWidget* m_workload;
    QFormLayout* m_facts;
    QWidget* m_legendPart; ///< with its title
    Legend* m_legend;
};

/// Colour swatches and names of all kernel classes, in two columns; also of passes, for traces of a server.
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
