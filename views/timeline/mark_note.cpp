// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/timeline/mark_note.h"

#include "views/state/view_state.h"
#include "views/timeline/timeline_geometry.h"
#include "views/timeline/timeline_ruler.h"

#include <QAbstractScrollArea>
#include <QShortcut>

#include <algorithm>

namespace collscope {

namespace {

constexpr int noteWidth = 220;

} // namespace

MarkNote::MarkNote(const TimelineGeometry& geometry)
    : QLineEdit(geometry.area().viewport())
    , m_geometry(geometry)
{
    hide();
    setPlaceholderText(tr("Note"));
    setObjectName(QStringLiteral("markNote"));
    setAccessibleName(tr("Mark note"));
    connect(this, &QLineEdit::editingFinished, this, [this] { finish(true); });
    const auto* cancel = new QShortcut(Qt::Key_Escape, this, nullptr, nullptr, Qt::WidgetShortcut);
    connect(cancel, &QShortcut::activated, this, [this] { finish(false); });
}

void MarkNote::edit()
{
    ViewState& state = m_geometry.state();
    const auto current = state.run().edits()->currentMark();
    if (!current) {
        emit noticed(tr("No marks yet. Press Shift+M to set one at the cursor"));
        return;
    }
    m_time = *current;
    state.run().edits()->keepMark(m_time);
    if (!state.viewport().visibleRange().contains(m_time))
        state.viewport().showRange({m_time, m_time}, true);
    const QRect lanes = m_geometry.lanesRect();
    const int x = lanes.left() + static_cast<int>(m_geometry.axis().xOf(m_time));
    setGeometry(std::clamp(x, lanes.left(), std::max(lanes.left(), lanes.right() - noteWidth)), 0, noteWidth,
                rulerHeight);
    setText(state.run().edits()->noteOf(m_time));
    selectAll();
    show();
    setFocus();
}

void MarkNote::finish(bool keep)
{
    if (isHidden())
        return;
    hide(); // hide before the focus moves, which would finish editing again
    if (keep)
        m_geometry.state().run().edits()->setNote(m_time, text());
    m_geometry.area().setFocus();
}

} // namespace collscope
