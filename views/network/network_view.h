// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The tab "Network": how the GPUs of a job are connected, by the logs of NCCL, and what nccl-tests measured.

#include "metrics/network/network_case.h"
#include "views/state/view_state.h"

#include <QWidget>

class QPlainTextEdit;

namespace collscope {

class AnswerPage;
class NetworkCanvas;

class NetworkView : public QWidget
{
    Q_OBJECT

public:
    explicit NetworkView(ViewState* state, QWidget* parent = nullptr);

    /// Whether the run has logs of NCCL or output of nccl-tests.
    bool isWanted() const;
    /// nullptr: it is being examined.
    void setCase(const NetworkCasePtr& own);
    bool isAnswered() const { return m_isAnswered; }
    NetworkCanvas* canvas() const { return m_canvas; }
    QPlainTextEdit* text() const { return m_text; }

signals:
    void wantedChanged();

private:
    ViewState* m_state;
    NetworkCanvas* m_canvas;
    QPlainTextEdit* m_text;
    AnswerPage* m_page;
    bool m_isAnswered = false;
};

} // namespace collscope
