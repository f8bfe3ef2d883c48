// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/parts/drop_overlay.h"

#include "app/parts/window_parts.h"
#include "views/common/theme.h"
#include "views/state/view_state.h"

#include <QDropEvent>

namespace collscope {

DropOverlay::DropOverlay(const ViewState& state, QWidget& window)
    : QLabel(tr("Open as run"), &window)
    , m_state(state)
    , m_window(window)
{
    setObjectName(QStringLiteral("dropOverlay"));
    setAlignment(Qt::AlignCenter);
    hide();
    m_window.setAcceptDrops(true);
    m_window.installEventFilter(this);
}

bool DropOverlay::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != &m_window)
        return QLabel::eventFilter(watched, event);
    switch (event->type()) {
    case QEvent::DragEnter:
        enter(static_cast<QDropEvent&>(*event));
        return true;
    case QEvent::DragMove:
        explain(static_cast<QDropEvent&>(*event));
        break;
    case QEvent::DragLeave:
        hide();
        return true;
    case QEvent::Drop:
        drop(static_cast<QDropEvent&>(*event));
        return true;
    case QEvent::Resize:
        cover();
        break;
    default:
        break;
    }
    return QLabel::eventFilter(watched, event);
}

bool DropOverlay::isComparing(const QDropEvent& event) const
{
    return event.modifiers().testFlag(Qt::ControlModifier) && m_state.run().model();
}

void DropOverlay::enter(QDropEvent& event)
{
    if (localPaths(event.mimeData()).isEmpty())
        return;
    const Surfaces colors = surfaces(palette());
    setStyleSheet(QStringLiteral("background: %1; color: %2; border: 3px dashed %2; font-size: 20pt;")
                      .arg(colors.selection.name(), colors.accent.name()));
    cover();
    raise();
    show();
    event.acceptProposedAction();
}

void DropOverlay::explain(const QDropEvent& event)
{
    setText(isComparing(event)          ? tr("Compare the current run with this one")
                : m_state.run().model() ? tr("Open as run\nCtrl: compare with the current run")
                                        : tr("Open as run"));
}

void DropOverlay::drop(QDropEvent& event)
{
    hide();
    const QStringList paths = localPaths(event.mimeData());
    if (paths.isEmpty())
        return;
    event.acceptProposedAction();
    if (isComparing(event))
        emit compared(paths);
    else
        emit opened(paths);
}

void DropOverlay::cover()
{
    setGeometry(m_window.rect().adjusted(20, 20, -20, -20));
}

} // namespace collscope
