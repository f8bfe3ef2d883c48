// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Everything the model knows about the selected slice.

#include "views/view_state.h"

#include <QTextBrowser>

namespace collscope {

class SelectionDetails : public QTextBrowser
{
    Q_OBJECT

public:
    explicit SelectionDetails(ViewState* state, QWidget* parent = nullptr);

protected:
    void changeEvent(QEvent* event) override;

private:
    void update();
    QString describe(SliceRef slice) const;

    ViewState* m_state;
};

} // namespace collscope
