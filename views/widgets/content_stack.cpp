// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/widgets/content_stack.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace collscope {

ContentStack::ContentStack(QWidget* parent)
    : QStackedWidget(parent)
    , m_page(new QWidget(this))
    , m_reason(new QLabel(m_page))
    , m_offer(new QPushButton(m_page))
{
    m_reason->setTextFormat(Qt::PlainText); // the text contains file names
    m_reason->setAlignment(Qt::AlignCenter);
    m_reason->setWordWrap(true);
    m_reason->setContentsMargins(24, 24, 24, 8);
    m_reason->setForegroundRole(QPalette::PlaceholderText);
    m_offer->setFlat(true);
    m_offer->hide();
    auto* layout = new QVBoxLayout(m_page);
    layout->setContentsMargins(0, 0, 0, 16);
    layout->setSpacing(0);
    layout->addStretch(1);
    layout->addWidget(m_reason);
    layout->addWidget(m_offer, 0, Qt::AlignHCenter);
    layout->addStretch(1);
    addWidget(m_page);
    connect(m_offer, &QPushButton::clicked, this, &ContentStack::offerTaken);
}

void ContentStack::present(QWidget* content, const QString& reason, const QString& offer)
{
    m_reason->setText(reason);
    m_offer->setText(offer);
    m_offer->setVisible(!offer.isEmpty());
    setCurrentWidget(reason.isEmpty() ? content : m_page);
}

} // namespace collscope
