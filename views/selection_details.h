// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Everything the model knows about the selected slice.

#include "views/view_state.h"

#include <QList>
#include <QTextBrowser>

#include <utility>

namespace collscope {

/// All that the file says of a slice, which the model does not keep.
struct SliceArgs
{
    QList<std::pair<QString, QString>> values; ///< by name, in the order of the file
    QString problem; ///< why there are none
};

class SelectionDetails : public QTextBrowser
{
    Q_OBJECT

public:
    explicit SelectionDetails(ViewState* state, QWidget* parent = nullptr);

    void setArgs(const collscope::SliceArgs& args); ///< of the selected slice

protected:
    void changeEvent(QEvent* event) override;

private:
    /// Another slice, or another run: its args are still to come.
    void forgetArgs();
    void update();
    QString describe(SliceRef slice) const;

    ViewState* m_state;
    SliceArgs m_args;
};

} // namespace collscope
