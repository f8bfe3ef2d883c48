// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineEdit>

namespace collscope {

class TimelineGeometry;

/// Edits the note of a mark, over the ruler of the timeline. Hidden while no note is edited.
class MarkNote : public QLineEdit
{
    Q_OBJECT

public:
    /// `geometry`: of a timeline that exists; the note is on its viewport.
    explicit MarkNote(const TimelineGeometry& geometry);

    /// Opens the editor for the current mark, and makes that mark permanent.
    void edit();

signals:
    void noticed(const QString& text); ///< no mark has been set

private:
    void finish(bool keep);

    const TimelineGeometry& m_geometry;
    std::int64_t m_time = 0; ///< of the mark whose note is edited
};

} // namespace collscope
