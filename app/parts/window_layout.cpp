// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/parts/window_layout.h"

#include <QDockWidget>
#include <QEvent>
#include <QMainWindow>
#include <QScreen>
#include <QSettings>

#include <algorithm>
#include <iterator>
#include <utility>

namespace collscope {

namespace {

constexpr int layoutVersion = 1; ///< increase when docks change, so that an old layout is not restored

} // namespace

WindowLayout::WindowLayout(QMainWindow& window, UserSettings settings)
    : m_window(window)
    , m_settings(settings)
{
    m_window.setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    m_window.setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    m_window.installEventFilter(this);
}

bool WindowLayout::eventFilter(QObject* watched, QEvent* event)
{
    // Clicks into a dock may arrive here, too: only one that moved an edge counts.
    if (event->type() == QEvent::MouseButtonPress)
        m_heightAtPress = bottomHeight();
    if (event->type() == QEvent::MouseButtonRelease && bottomHeight() != m_heightAtPress)
        m_isSizedByUser = true;
    if (event->type() == QEvent::Resize)
        fitBottom();
    return QObject::eventFilter(watched, event);
}

/// The tabs get at most about a quarter of the window: in a small one, the timeline needs the room.
void WindowLayout::fitBottom()
{
    constexpr int percentOfWindow = 26;
    QDockWidget* const dock = bottomDock();
    const int height = m_window.height();
    if (dock && m_areTabsAlone)
        m_window.resizeDocks({dock}, {height}, Qt::Vertical);
    else if (dock && !m_isSizedByUser)
        m_window.resizeDocks({dock}, {std::min(tabsHeight, height * percentOfWindow / 100)}, Qt::Vertical);
}

void WindowLayout::setTabsAlone(bool areAlone)
{
    if (m_areTabsAlone == areAlone)
        return;
    m_areTabsAlone = areAlone;
    if (areAlone) {
        m_heightBefore = bottomHeight();
        const QDockWidget* const bottom = bottomDock();
        std::copy_if(m_docks.cbegin(), m_docks.cend(), std::back_inserter(m_setAside),
                     [&](const QDockWidget* dock) { return dock != bottom && !dock->isHidden(); });
    }
    for (QDockWidget* dock : std::as_const(m_setAside))
        dock->setVisible(!areAlone);
    if (!areAlone)
        m_setAside.clear();
    fitBottom();
    if (QDockWidget* const dock = bottomDock(); dock && !areAlone && m_isSizedByUser)
        m_window.resizeDocks({dock}, {m_heightBefore}, Qt::Vertical);
}

/// nullptr: it is hidden.
QDockWidget* WindowLayout::bottomDock() const
{
    const auto isShown = [this](QDockWidget* dock) {
        return m_window.dockWidgetArea(dock) == Qt::BottomDockWidgetArea && !dock->isHidden();
    };
    const auto found = std::find_if(m_docks.cbegin(), m_docks.cend(), isShown);
    return found != m_docks.cend() ? *found : nullptr;
}

int WindowLayout::bottomHeight() const
{
    const QDockWidget* const dock = bottomDock();
    return dock ? dock->height() : 0;
}

QDockWidget* WindowLayout::addDock(const QString& name, const QString& title, QWidget* content,
                                   Qt::DockWidgetArea area)
{
    auto* dock = new QDockWidget(title, &m_window);
    dock->setObjectName(name);
    dock->setWidget(content);
    // The content has its own heading; docks are toggled in the View menu.
    dock->setTitleBarWidget(new QWidget(dock));
    dock->setFeatures(QDockWidget::DockWidgetClosable);
    dock->toggleViewAction()->setObjectName(name + QStringLiteral("Toggle"));
    m_window.addDockWidget(area, dock);
    m_docks << dock;
    return dock;
}

void WindowLayout::begin()
{
    m_window.resize(1680, 1010);
    m_default = m_window.saveState(layoutVersion);
    if (m_settings == UserSettings::Use) {
        m_window.resize(m_window.size().boundedTo(m_window.screen()->availableSize()));
        restore();
    }
    hideDocks();
}

void WindowLayout::restore()
{
    const QSettings settings;
    m_window.restoreGeometry(settings.value(QStringLiteral("geometry")).toByteArray());
    if (!m_window.restoreState(settings.value(QStringLiteral("layout")).toByteArray(), layoutVersion))
        return;
    m_isSizedByUser = true; // in an earlier session
    std::copy_if(m_docks.cbegin(), m_docks.cend(), std::back_inserter(m_closedDocks),
                 [](const QDockWidget* dock) { return dock->isHidden(); });
}

void WindowLayout::showDocks()
{
    for (QDockWidget* dock : std::as_const(m_docks)) {
        if (!m_closedDocks.contains(dock))
            dock->setVisible(true);
    }
    fitBottom();
}

void WindowLayout::hideDocks()
{
    setTabsAlone(false);
    for (QDockWidget* dock : std::as_const(m_docks))
        dock->setVisible(false);
}

void WindowLayout::reset(bool hasRun)
{
    const bool areAlone = m_areTabsAlone;
    setTabsAlone(false);
    m_window.restoreState(m_default, layoutVersion);
    m_isSizedByUser = false;
    m_closedDocks.clear();
    for (QDockWidget* dock : std::as_const(m_docks))
        dock->setVisible(hasRun);
    fitBottom();
    setTabsAlone(areAlone);
}

void WindowLayout::store(bool hasRun)
{
    if (m_settings == UserSettings::Ignore)
        return;
    setTabsAlone(false); // the next run may have a timeline
    QSettings settings;
    settings.setValue(QStringLiteral("geometry"), m_window.saveGeometry());
    if (hasRun)
        settings.setValue(QStringLiteral("layout"), m_window.saveState(layoutVersion));
}

} // namespace collscope
