// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/welcome_page.h"

#include "views/common/format.h"
#include "views/common/theme.h"

#include <QDir>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

namespace collscope {

WelcomePage::WelcomePage(QWidget* parent)
    : QWidget(parent)
    , m_recent(new QVBoxLayout)
    , m_demo(new QPushButton(tr("Open demo run"), this))
{
    setObjectName(QStringLiteral("welcome"));
    auto* title = new QLabel(tr("Drop a trace directory here"), this);
    QFont large = title->font();
    large.setPointSizeF(large.pointSizeF() * 1.7);
    large.setWeight(QFont::DemiBold);
    title->setFont(large);
    title->setAlignment(Qt::AlignCenter);
    auto* hint = new QLabel(
        tr("PyTorch profiler traces, Nsight Systems .sqlite exports and NVLink samples of one run:\n"
           "all ranks appear on one time axis."),
        this);
    hint->setAlignment(Qt::AlignCenter);
    auto* open = new QPushButton(tr("Open run..."), this);
    open->setDefault(true);
    auto* buttons = new QHBoxLayout;
    buttons->addStretch();
    buttons->addWidget(open);
    buttons->addWidget(m_demo);
    auto* guide = new QPushButton(tr("First steps"), this);
    guide->setToolTip(tr("Open the guide's five-minute introduction"));
    buttons->addWidget(guide);
    buttons->addStretch();
    auto* layout = new QVBoxLayout(this);
    layout->addStretch(2);
    layout->addWidget(title);
    layout->addSpacing(8);
    layout->addWidget(hint);
    layout->addSpacing(18);
    layout->addLayout(buttons);
    layout->addSpacing(24);
    layout->addLayout(m_recent);
    layout->addStretch(3);
    connect(guide, &QPushButton::clicked, this, &WelcomePage::guideRequested);
    connect(open, &QPushButton::clicked, this, &WelcomePage::openRequested);
    connect(static_cast<QPushButton*>(m_demo), &QPushButton::clicked, this, &WelcomePage::demoRequested);
}

void WelcomePage::setRecent(const QStringList& paths)
{
    while (QLayoutItem* item = m_recent->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    if (paths.isEmpty())
        return;
    auto* heading = new QLabel(tr("RECENT RUNS"), this);
    heading->setObjectName(QStringLiteral("sectionTitle"));
    heading->setAlignment(Qt::AlignCenter);
    m_recent->addWidget(heading);
    for (const QString& path : paths.mid(0, 6)) {
        auto* button = new QPushButton(
            fontMetrics().elidedText(QDir::toNativeSeparators(path), Qt::ElideMiddle, 560), this);
        button->setFlat(true);
        button->setToolTip(plainToolTip(path));
        connect(button, &QPushButton::clicked, this, [this, path] { emit recentRequested(path); });
        m_recent->addWidget(button, 0, Qt::AlignHCenter);
    }
}

void WelcomePage::setDemoAvailable(bool available)
{
    m_demo->setVisible(available);
}

void WelcomePage::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Surfaces colors = surfaces(palette());
    painter.fillRect(rect(), colors.base);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(colors.line, 2, Qt::DashLine));
    painter.drawRoundedRect(QRectF(rect()).adjusted(24, 24, -24, -24), 12, 12);
}

} // namespace collscope
