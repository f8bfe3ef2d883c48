// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineEdit>

namespace collscope {

class ViewState;

/// The line at the top left of the timeline that filters its rows by name (ViewPreferences::rowFilter).
class RowFilterLine : public QLineEdit
{
    Q_OBJECT

public:
    explicit RowFilterLine(ViewState* state, QWidget* parent = nullptr);

    /// Shows the filter of the state; hidden while the run has no rows.
    void refresh();

signals:
    void left(); ///< Enter or Escape was pressed
    void noticed(const QString& text); ///< the filter is invalid

private:
    void showFilter();

    ViewState* m_state;
};

} // namespace collscope
