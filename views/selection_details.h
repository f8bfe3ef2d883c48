// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Shows everything that the model contains about the selected slice.

#include "model/result.h"
#include "views/state/view_state.h"

#include <QList>
#include <QTextBrowser>

#include <utility>

namespace collscope {

/// A slice's args in the trace file, which the model does not store.
struct SliceArgs
{
    QList<std::pair<QString, QString>> values; ///< name and value, in file order
    Status status; ///< an error: why no values can be shown
};

class SelectionDetails : public QTextBrowser
{
    Q_OBJECT

public:
    explicit SelectionDetails(ViewState* state, QWidget* parent = nullptr);

    void setArgs(const collscope::SliceArgs& args); ///< args of the selected slice

protected:
    void changeEvent(QEvent* event) override;

private:
    /// Clears the args after another slice or run was selected; the new ones arrive later.
    void forgetArgs();
    void update();
    QString describe(SliceRef slice) const;

    ViewState* m_state;
    SliceArgs m_args;
};

} // namespace collscope
