// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/widgets/banner.h"

#include "views/common/theme.h"

#include <QAccessible>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPushButton>

namespace collscope {

namespace {

constexpr int edgeWidth = 4;
constexpr int iconSize = 16;
constexpr int iconLeft = 14;

QColor colorOf(BannerTone tone, const Surfaces& colors)
{
    switch (tone) {
    case BannerTone::Information:
        return colors.accent;
    case BannerTone::Warning:
        return colors.warning;
    case BannerTone::Error:
        return colors.worse;
    }
    return {};
}

QString nameOf(BannerTone tone)
{
    switch (tone) {
    case BannerTone::Information:
        return Banner::tr("Information");
    case BannerTone::Warning:
        return Banner::tr("Warning");
    case BannerTone::Error:
        return Banner::tr("Error");
    }
    return {};
}

/// Paints a disc with i or x, or a triangle with !: the shapes differ as well as the colours.
void paintIcon(QPainter& painter, const QRectF& box, BannerTone tone, const QColor& color, const QColor& sign)
{
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    if (tone == BannerTone::Warning)
        painter.drawPolygon(
            QPolygonF({QPointF(box.center().x(), box.top()), box.bottomRight(), box.bottomLeft()}));
    else
        painter.drawEllipse(box);
    painter.setPen(QPen(sign, 1.8, Qt::SolidLine, Qt::RoundCap));
    const QPointF middle = box.center();
    if (tone == BannerTone::Error) {
        constexpr double arm = 3;
        painter.drawLine(middle - QPointF(arm, arm), middle + QPointF(arm, arm));
        painter.drawLine(middle - QPointF(arm, -arm), middle + QPointF(arm, -arm));
        return;
    }
    const bool isWarning = tone == BannerTone::Warning;
    const double dot = isWarning ? 5 : -4;
    painter.drawLine(middle + QPointF(0, isWarning ? -2 : -0.5), middle + QPointF(0, isWarning ? 2 : 4));
    painter.drawPoint(middle + QPointF(0, dot));
}

} // namespace

Banner::Banner(QWidget* parent)
    : QFrame(parent)
    , m_text(new QLabel(this))
    , m_action(new QPushButton(this))
{
    m_text->setObjectName(QStringLiteral("bannerText"));
    m_text->setTextFormat(Qt::PlainText);
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_action->setObjectName(QStringLiteral("bannerAction"));
    m_action->setFlat(true);
    auto* close = new QPushButton(QStringLiteral("\u2715"), this);
    close->setObjectName(QStringLiteral("bannerClose"));
    close->setFlat(true);
    close->setAccessibleName(tr("Close the message"));
    close->setToolTip(tr("Close (Esc)"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(iconLeft + iconSize + 10, 5, 6, 5);
    layout->setSpacing(6);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_action, 0, Qt::AlignTop);
    layout->addWidget(close, 0, Qt::AlignTop);
    m_text->setMinimumHeight(
        close->sizeHint().height()); // a single line is vertically centred between its buttons
    connect(close, &QPushButton::clicked, this, &Banner::closeMessage);
    connect(m_action, &QPushButton::clicked, this, &Banner::runAction);
    hide();
}

void Banner::showMessage(const BannerMessage& message)
{
    std::erase_if(m_messages, [&](const BannerMessage& old) { return old.about == message.about; });
    m_messages.push_back(message);
    showLatest();
    QAccessibleEvent alert(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
}

void Banner::retract(const QString& about)
{
    if (std::erase_if(m_messages, [&](const BannerMessage& message) { return message.about == about; }) > 0)
        showLatest();
}

void Banner::showLatest()
{
    const BannerMessage* latest = message();
    setVisible(latest != nullptr);
    if (!latest)
        return;
    m_text->setText(latest->text);
    m_action->setText(latest->actionText);
    m_action->setVisible(!latest->actionText.isEmpty());
    setAccessibleName(tr("%1: %2").arg(nameOf(latest->tone), latest->text));
    update();
}

void Banner::closeMessage()
{
    if (m_messages.empty())
        return;
    m_messages.pop_back();
    showLatest();
    if (m_messages.empty())
        emit closed();
}

/// Removes the message first, because the action may show another one.
void Banner::runAction()
{
    if (m_messages.empty())
        return;
    const std::function<void()> action = m_messages.back().action;
    closeMessage();
    if (action)
        action();
}

void Banner::paintEvent(QPaintEvent*)
{
    const BannerMessage* latest = message();
    if (!latest)
        return;
    const Surfaces colors = surfaces(palette());
    const QColor color = colorOf(latest->tone, colors);
    QColor tint = color;
    tint.setAlphaF(0.12F);
    QPainter painter(this);
    painter.fillRect(rect(), colors.base);
    painter.fillRect(rect(), tint);
    painter.fillRect(0, height() - 1, width(), 1, colors.line);
    painter.fillRect(0, 0, edgeWidth, height(), color);
    const int top = m_text->y() + (m_text->minimumHeight() - iconSize) / 2;
    paintIcon(painter, QRectF(iconLeft, top, iconSize, iconSize), latest->tone, color, colors.base);
}

void Banner::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape)
        closeMessage();
    else
        QFrame::keyPressEvent(event);
}

} // namespace collscope
