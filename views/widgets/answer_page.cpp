// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/widgets/answer_page.h"

#include "views/common/format.h"
#include "views/widgets/content_stack.h"

#include <QLabel>
#include <QVBoxLayout>

namespace collscope {

AnswerPage::AnswerPage(QWidget* content, QWidget* parent)
    : QWidget(parent)
    , m_header(new QWidget(this))
    , m_verdict(new QLabel(m_header))
    , m_basis(new QLabel(m_header))
    , m_pages(new ContentStack(this))
    , m_content(content)
{
    QFont bold = m_verdict->font();
    bold.setWeight(QFont::DemiBold);
    m_verdict->setFont(bold);
    for (QLabel* label : {m_verdict, m_basis}) {
        label->setTextFormat(Qt::PlainText); // the text contains names from files
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    m_verdict->setContentsMargins(10, 4, 10, 0);
    m_basis->setContentsMargins(10, 2, 10, 4);
    m_basis->setForegroundRole(QPalette::PlaceholderText);
    m_pages->addWidget(m_content);
    auto* header = new QHBoxLayout(m_header);
    header->setContentsMargins(0, 0, 0, 0);
    header->setSpacing(0);
    auto* texts = new QVBoxLayout;
    texts->setSpacing(0);
    texts->addWidget(m_verdict);
    texts->addWidget(m_basis);
    header->addLayout(texts, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_header);
    layout->addWidget(m_pages, 1);
}

void AnswerPage::setLead(QWidget* lead)
{
    lead->setContentsMargins(10, 0, 0, 0);
    static_cast<QHBoxLayout*>(m_header->layout())->insertWidget(0, lead);
}

void AnswerPage::showAnswer(const QString& verdict, const QString& basis, const QString& basisToolTip)
{
    m_verdict->setText(verdict);
    m_basis->setText(basis);
    m_basis->setToolTip(plainToolTip(basisToolTip));
    m_header->show();
    m_pages->present(m_content, {});
}

void AnswerPage::showEmpty(const QString& sentence)
{
    m_header->hide();
    m_pages->present(m_content, sentence);
}

} // namespace collscope
