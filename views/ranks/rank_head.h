// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The line above the list of ranks: how many there are, and buttons that order and fold them in all views.

#include "views/state/view_state.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace collscope {

class RankHead : public QWidget
{
    Q_OBJECT

public:
    explicit RankHead(ViewState* state, QWidget* parent = nullptr);

    void setCount(const QString& count);
    /// What the buttons do. `worst`: ranks that stand out, the worst first. A button without an effect is
    /// hidden.
    void offer(std::vector<std::int32_t> worst, RankFolds folds);

private:
    QPushButton* addButton(const QString& name, const QString& text, const QString& toolTip);
    void apply();

    ViewState* m_state;
    QPushButton* m_foldAlike;
    QPushButton* m_worstFirst;
    QLabel* m_count;
    std::vector<std::int32_t> m_worst;
    RankFolds m_folds;
};

} // namespace collscope
