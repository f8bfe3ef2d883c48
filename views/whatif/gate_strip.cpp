// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/whatif/gate_strip.h"

#include "metrics/whatif/what_if_text.h"
#include "views/common/format.h"
#include "views/common/theme.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace collscope {

namespace {

constexpr int stripMargin = 10;
constexpr int dotSize = 8;
constexpr int afterDot = 6;
constexpr int afterItem = 18;

QString itemText(const Gate& gate)
{
    return toText(std::string(gate.text) + " " + gateValueText(gate));
}

QString verdictText(GateVerdict verdict)
{
    switch (verdict) {
    case GateVerdict::Good:
        return GateStrip::tr("good");
    case GateVerdict::Rough:
        return GateStrip::tr("rough: answers may be off by more than their range");
    case GateVerdict::Refused:
        return GateStrip::tr("too far off to answer");
    }
    return {};
}

} // namespace

GateStrip::GateStrip(QWidget* parent)
    : QWidget(parent)
{
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setAccessibleName(tr("How far the replay can be trusted"));
}

/// What is not good comes first; what is good shares one item.
void GateStrip::setGates(std::vector<Gate> gates)
{
    std::stable_sort(gates.begin(), gates.end(),
                     [](const Gate& a, const Gate& b) { return a.verdict > b.verdict; });
    m_gates = std::move(gates);
    QStringList all;
    for (const Gate& gate : m_gates)
        all << itemText(gate) + QStringLiteral(": ") + verdictText(gate.verdict);
    setAccessibleDescription(all.join(QStringLiteral("; ")));
    setVisible(!m_gates.empty());
    updateGeometry();
    update();
}

std::vector<GateStrip::Item> GateStrip::itemsIn(int width) const
{
    std::vector<Item> items;
    const int height = fontMetrics().height() + 2;
    int x = stripMargin;
    int y = 0;
    const auto add = [&](std::size_t gate, const QString& text) {
        const int itemWidth = dotSize + afterDot + fontMetrics().horizontalAdvance(text);
        if (x > stripMargin && x + itemWidth > width - stripMargin) {
            x = stripMargin;
            y += height;
        }
        items.push_back({QRect(x, y, itemWidth, height), text, gate});
        x += itemWidth + afterItem;
    };
    std::size_t first = 0; // of those that are good
    while (first < m_gates.size() && m_gates[first].verdict != GateVerdict::Good)
        add(first, itemText(m_gates[first])), ++first;
    const auto good = static_cast<int>(m_gates.size() - first);
    if (good > 0)
        add(first,
            first > 0 ? tr("%n more measures of trust are good", nullptr, good)
                      : tr("All %n measures of trust are good", nullptr, good));
    return items;
}

int GateStrip::heightForWidth(int width) const
{
    const std::vector<Item> items = itemsIn(width);
    return items.empty() ? 0 : items.back().rect.bottom() + 5;
}

QSize GateStrip::sizeHint() const
{
    constexpr int usualWidth = 600;
    return {usualWidth, heightForWidth(usualWidth)};
}

void GateStrip::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Surfaces colors = surfaces(palette());
    const std::vector<Item> items = itemsIn(width());
    for (std::size_t i = 0; i < items.size(); ++i) {
        const QRect rect = items[i].rect;
        const GateVerdict verdict = m_gates[items[i].gate].verdict;
        painter.setPen(Qt::NoPen);
        painter.setBrush(verdict == GateVerdict::Good        ? colors.better
                             : verdict == GateVerdict::Rough ? colors.warning
                                                             : colors.worse);
        painter.drawEllipse(QRectF(rect.left(), rect.center().y() - dotSize / 2.0 + 1, dotSize, dotSize));
        painter.setPen(verdict == GateVerdict::Good ? colors.dimText : colors.text);
        painter.drawText(rect.adjusted(dotSize + afterDot, 0, 2, 0), Qt::AlignVCenter | Qt::AlignLeft,
                         items[i].text);
    }
}

bool GateStrip::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* const help = static_cast<QHelpEvent*>(event);
    const std::vector<Item> items = itemsIn(width());
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (!items[i].rect.contains(help->pos()))
            continue;
        QStringList lines;
        for (std::size_t gate = items[i].gate; gate < m_gates.size(); ++gate) {
            const QString reason = toText(m_gates[gate].reason);
            lines << itemText(m_gates[gate]) + QStringLiteral(": ")
                    + (reason.isEmpty() ? verdictText(m_gates[gate].verdict) : reason);
            if (m_gates[gate].verdict != GateVerdict::Good)
                break;
        }
        QToolTip::showText(help->globalPos(), lines.join(QLatin1Char('\n')), this);
        return true;
    }
    QToolTip::hideText();
    return true;
}

} // namespace collscope
