// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Shows what the readers repaired, assumed or excluded, with file, offset and count, and a summary that
// accounts for all events.

#include "views/state/view_state.h"

#include <QWidget>

class QLabel;
class QTreeWidget;

namespace collscope {

class ProblemsView : public QWidget
{
    Q_OBJECT

public:
    explicit ProblemsView(ViewState* state, QWidget* parent = nullptr);
    /// Number of problems that need attention, excluding informational ones.
    int count() const { return m_count; }
    QString conservationText() const;

signals:
    void countChanged(int count);

private:
    void update();

    ViewState* m_state;
    QLabel* m_conservation;
    QTreeWidget* m_table;
    int m_count = 0;
};

} // namespace collscope
