// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What a person adds to a run: marks with notes. Everything here can be undone; what is merely looked at
// (range, zoom) belongs to ViewState.

#include <QObject>
#include <QString>
#include <QUndoStack>

#include <cstdint>
#include <optional>
#include <vector>

namespace collscope {

/// A moment of the axis that somebody wants to find again.
struct Mark
{
    std::int64_t timeNs = 0;
    QString note; ///< may be empty
    friend bool operator==(const Mark&, const Mark&) = default;
};

/// A row of the timeline by what it is called, so that the same run finds it again when it is loaded again.
struct RowKey
{
    std::int32_t rank = -1; ///< -1: a process group
    QString name; ///< of the track, or of the group and its ranks
    friend bool operator==(const RowKey&, const RowKey&) = default;
};

/// All of a run's edits as one value: what a session keeps and what undo goes back to.
struct Annotations
{
    std::vector<Mark> marks; ///< by time, no two at the same
    std::vector<RowKey> pins; ///< rows that stay at the top of the timeline, in this order
    friend bool operator==(const Annotations&, const Annotations&) = default;
};

class RunEdits : public QObject
{
    Q_OBJECT

public:
    explicit RunEdits(QObject* parent = nullptr);
    ~RunEdits() override;

    const Annotations& annotations() const { return m_now; }
    /// Of another run, or the same one loaded again: nothing that can be undone.
    void reset(const Annotations& annotations);

    const std::vector<Mark>& marks() const { return m_now.marks; }
    /// One at a time, gone with the next: a look, not an edit.
    std::optional<std::int64_t> temporaryMark() const { return m_temporary; }
    void setTemporaryMark(std::optional<std::int64_t> timeNs);
    /// The mark, kept or temporary, that was set or walked to last; nullopt if there is none.
    std::optional<std::int64_t> currentMark() const { return m_current; }
    /// Ignored where there is no mark.
    void setCurrentMark(std::int64_t timeNs);
    /// Becomes the current one. The temporary mark at the same time is kept by this.
    void keepMark(std::int64_t timeNs);
    /// The kept one at that time, or the temporary one.
    void removeMark(std::int64_t timeNs);
    /// Of a kept mark.
    void setNote(std::int64_t timeNs, const QString& note);
    QString noteOf(std::int64_t timeNs) const;
    const std::vector<RowKey>& pins() const { return m_now.pins; }
    bool isPinned(const RowKey& row) const;
    void setPinned(const RowKey& row, bool pinned);
    /// The next (1) or previous (-1) mark, kept or temporary; nullopt at the end.
    std::optional<std::int64_t> neighbour(std::int64_t timeNs, int direction) const;

    QUndoStack* undoStack() { return &m_undo; }

signals:
    void changed();

private:
    class Edit;
    bool isMark(std::int64_t timeNs) const;
    void apply(const Annotations& annotations);
    void push(const QString& text, Annotations after);

    Annotations m_now;
    std::optional<std::int64_t> m_temporary, m_current;
    QUndoStack m_undo;
};

} // namespace collscope
