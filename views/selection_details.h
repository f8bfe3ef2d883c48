// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Everything the model knows about the selected slice.

#include "views/view_state.h"

#include <QList>
#include <QTextBrowser>

#include <utility>

namespace collscope {

class SelectionDetails : public QTextBrowser
{
    Q_OBJECT

public:
    explicit SelectionDetails(ViewState* state, QWidget* parent = nullptr);

    /// All that the file says of the selected slice, which the model does not keep; names and values.
    void setArgs(const QList<std::pair<QString, QString>>& args);
    /// Why it cannot be shown.
    void setArgsProblem(const QString& problem);

protected:
    void changeEvent(QEvent* event) override;

private:
    /// Another slice, or another run: its args are still to come.
    void forgetArgs();
    void update();
    QString describe(SliceRef slice) const;

    ViewState* m_state;
    QList<std::pair<QString, QString>> m_args;
    QString m_argsProblem;
};

} // namespace collscope
