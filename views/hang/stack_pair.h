// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Two call stacks beside each other, outermost first: equal frames are grey, the first that differs is
// marked.

#include "metrics/hang/reported_finding.h"

#include <QWidget>

class QLabel;

namespace collscope {

class CellTable;

class StackPair : public QWidget
{
    Q_OBJECT

public:
    explicit StackPair(QWidget* parent = nullptr);

    void setFinding(const ReportedFinding* finding);
    CellTable* table() const { return m_table; }

private:
    CellTable* m_table;
    QLabel* m_empty;
};

} // namespace collscope
