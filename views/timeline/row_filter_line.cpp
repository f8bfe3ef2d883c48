// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/timeline/row_filter_line.h"

#include "views/common/format.h"
#include "views/common/name_filter.h"
#include "views/common/theme.h"
#include "views/state/view_state.h"

#include <QShortcut>

namespace collscope {

RowFilterLine::RowFilterLine(ViewState* state, QWidget* parent)
    : QLineEdit(parent)
    , m_state(state)
{
    setObjectName(QStringLiteral("rowFilter"));
    setPlaceholderText(tr("Filter rows"));
    setAccessibleName(tr("Row filter"));
    setToolTip(tr("Part of a row name, such as rank 3, comm or stream 7, or a /regular expression/"));
    setClearButtonEnabled(true);
    hide();
    connect(this, &QLineEdit::textChanged, &state->preferences(), &ViewPreferences::setRowFilter);
    connect(&state->preferences(), &ViewPreferences::rowFilterChanged, this, &RowFilterLine::showFilter);
    connect(this, &QLineEdit::returnPressed, this, &RowFilterLine::left);
    const auto* leave = new QShortcut(Qt::Key_Escape, this, nullptr, nullptr, Qt::WidgetShortcut);
    connect(leave, &QShortcut::activated, this, [this] {
        clear();
        emit left();
    });
}

void RowFilterLine::refresh()
{
    showFilter();
    setVisible(m_state->run().model() && !m_state->run().model()->timelines.empty());
}

void RowFilterLine::showFilter()
{
    if (text() != m_state->preferences().rowFilter())
        setText(m_state->preferences().rowFilter());
    QPalette colors;
    if (const Status filter = NameFilter(m_state->preferences().rowFilter()).check(); !filter) {
        colors.setColor(QPalette::Text, surfaces(parentWidget()->palette()).worse);
        emit noticed(toText(filter.error().message));
    }
    setPalette(colors);
}

} // namespace collscope
