// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/ranks/rank_head.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include <utility>

namespace collscope {

RankHead::RankHead(ViewState* state, QWidget* parent)
    : QWidget(parent)
    , m_state(state)
    , m_count(new QLabel(this))
{
    auto* title = new QLabel(tr("RANKS"), this);
    title->setObjectName(QStringLiteral("sectionTitle"));
    m_count->setForegroundRole(QPalette::PlaceholderText);
    m_foldAlike = addButton(QStringLiteral("ranksFoldAlike"), tr("fold alike"),
                            tr("Here, in the timeline and in Lateness, one rank stands for all ranks whose "
                               "time is divided alike, to 1 % of it"));
    m_worstFirst = addButton(QStringLiteral("ranksWorstFirst"), tr("worst first"),
                             tr("Here, in the timeline and in Lateness, ranks that the others wait for come "
                                "first, then those that are idle longer"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 10, 12, 4);
    layout->setSpacing(4);
    layout->addWidget(title);
    layout->addStretch();
    layout->addWidget(m_foldAlike);
    layout->addWidget(m_worstFirst);
    layout->addSpacing(4);
    layout->addWidget(m_count);
}

QPushButton* RankHead::addButton(const QString& name, const QString& text, const QString& toolTip)
{
    auto* button = new QPushButton(text, this);
    button->setObjectName(name);
    button->setToolTip(toolTip);
    button->setCheckable(true);
    button->setFlat(true);
    button->hide();
    connect(button, &QPushButton::toggled, this, &RankHead::apply);
    return button;
}

void RankHead::setCount(const QString& count)
{
    m_count->setText(count);
}

void RankHead::offer(std::vector<std::int32_t> worst, RankFolds folds)
{
    m_worst = std::move(worst);
    m_folds = std::move(folds);
    m_worstFirst->setVisible(!m_worst.empty());
    m_foldAlike->setVisible(!m_folds.empty());
    apply();
}

void RankHead::apply()
{
    ViewPreferences& preferences = m_state->preferences();
    preferences.setFirstRanks(m_worstFirst->isChecked() ? m_worst : std::vector<std::int32_t>());
    preferences.setRankFolds(m_foldAlike->isChecked() ? m_folds : RankFolds());
}

} // namespace collscope
