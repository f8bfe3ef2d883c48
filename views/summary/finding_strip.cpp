// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/summary/finding_strip.h"

#include "views/common/format.h"
#include "views/common/theme.h"
#include "views/summary/finding_label.h"
#include "views/summary/show_place.h"

#include <QAbstractButton>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPainter>
#include <QPushButton>

#include <cmath>

namespace collscope {

namespace {

constexpr int stripPadding = 8;
constexpr int stripeHeight = 3;

/// One finding in a line: its label, its share of the step, and the share as a bar below them.
class FindingCard : public QAbstractButton
{
public:
    FindingCard(const Finding& finding, double share, QWidget* parent)
        : QAbstractButton(parent)
        , m_share(share)
    {
        setText(findingLabel(finding));
        setToolTip(sentenceText(finding.title));
        setAccessibleName(QStringLiteral("%1, %2").arg(text(), shareText()));
        setCursor(Qt::PointingHandCursor);
        setFocusPolicy(Qt::TabFocus);
        setAttribute(Qt::WA_Hover);
        setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    }
    QSize sizeHint() const override { return {240, fontMetrics().height() + 2 * stripPadding}; }
    QSize minimumSizeHint() const override { return {80, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent*) override
    {
        const Surfaces colors = surfaces(palette());
        QPainter painter(this);
        painter.fillRect(rect(), underMouse() || hasFocus() ? colors.selection : colors.base);
        const int length = static_cast<int>(std::lround(m_share * width()));
        painter.fillRect(0, height() - stripeHeight, width(), stripeHeight, colors.grid);
        painter.fillRect(0, height() - stripeHeight, length, stripeHeight, severityColor(m_share, palette()));
        const QRect box = rect().adjusted(stripPadding, 0, -stripPadding, -stripeHeight);
        const QString share = shareText();
        QFont bold = font();
        bold.setWeight(QFont::DemiBold);
        const int shareWidth = QFontMetrics(bold).horizontalAdvance(share);
        painter.setPen(colors.text);
        const int room = box.width() - shareWidth - stripPadding;
        painter.drawText(box, Qt::AlignVCenter | Qt::AlignLeft,
                         fontMetrics().elidedText(text(), Qt::ElideRight, room));
        painter.setFont(bold);
        painter.drawText(box, Qt::AlignVCenter | Qt::AlignRight, share);
    }

private:
    QString shareText() const { return QLocale().toString(100 * m_share, 'f', 1) + QStringLiteral(" %"); }

    double m_share;
};

} // namespace

FindingStrip::FindingStrip(ViewState* state, QWidget* parent)
    : QFrame(parent)
    , m_state(state)
    , m_layout(new QHBoxLayout(this))
    , m_note(new QLabel(this))
{
    setObjectName(QStringLiteral("findingStrip"));
    m_note->setObjectName(QStringLiteral("findingNote"));
    m_note->setTextFormat(Qt::PlainText);
    m_note->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed); // never widens the window
    m_note->setContentsMargins(stripPadding, 0, stripPadding, 0);
    auto* const all = new QPushButton(tr("All"), this);
    auto* const close = new QPushButton(QStringLiteral("\u2715"), this);
    for (QPushButton* button : {all, close})
        button->setFlat(true);
    all->setObjectName(QStringLiteral("allFindings"));
    all->setToolTip(tr("Show all findings in the tab Summary"));
    close->setObjectName(QStringLiteral("closeFindings"));
    close->setAccessibleName(tr("Close the worst findings"));
    close->setToolTip(tr("Close; View > What costs time shows them again"));
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(2);
    m_layout->addWidget(m_note, 1);
    m_layout->addWidget(all);
    m_layout->addWidget(close);
    connect(all, &QAbstractButton::clicked, this, &FindingStrip::allWanted);
    connect(close, &QAbstractButton::clicked, this, &FindingStrip::closed);
    connect(&state->run(), &RunContext::modelChanged, this, [this] { setFindings(nullptr); });
    setFindings(nullptr);
}

void FindingStrip::clearCards()
{
    for (QAbstractButton* card : m_cards)
        delete card;
    m_cards.clear();
}

void FindingStrip::setFindings(FindingsPtr findings)
{
    m_findings = std::move(findings);
    clearCards();
    updateVisibility();
    if (!m_findings) {
        m_note->setText(tr("Finding out what costs time\u2026"));
    } else if (*m_findings) {
        const Findings& all = **m_findings;
        m_note->setText(sentenceText(all.headline()));
        for (const Finding& finding : all.all) {
            const double share = shareOf(all, finding);
            if (m_cards.size() < most && share >= smallShare)
                addCard(finding, share);
        }
    }
    m_note->setVisible(m_cards.empty());
}

void FindingStrip::addCard(const Finding& finding, double share)
{
    auto* const card = new FindingCard(finding, share, this);
    m_layout->insertWidget(static_cast<int>(m_cards.size()), card, 1);
    m_cards.push_back(card);
    card->show();
    connect(card, &QAbstractButton::clicked, this, [this, &finding] {
        const auto& places = finding.places.all();
        if (const auto rank = worstRankOf(finding); rank && m_state->run().model()->isSummarized())
            emit rankChosen(*rank);
        else if (!places.empty())
            showPlace(*m_state, places.front());
    });
}

void FindingStrip::setWanted(bool wanted)
{
    m_isWanted = wanted;
    updateVisibility();
}

void FindingStrip::updateVisibility()
{
    const bool hasAnswer = m_state->run().model() && (!m_findings || *m_findings);
    setVisible(m_isWanted && hasAnswer);
}

} // namespace collscope
