// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the user adds to a run: marks with notes, and pinned rows. Everything here can be undone; mere view
// state (range, zoom) belongs to ViewState.

#include <QObject>
#include <QString>
#include <QUndoStack>

#include <cstdint>
#include <optional>
#include <vector>

namespace collscope {

/// A time on the axis that the user marked.
struct Mark
{
    std::int64_t timeNs = 0;
    QString note; ///< may be empty
    friend bool operator==(const Mark&, const Mark&) = default;
};

/// A timeline row identified by name, so that it is found again when the run is reloaded.
struct RowKey
{
    std::int32_t rank = -1; ///< -1: a process group
    QString name; ///< name of the track, or of the group and its ranks
    friend bool operator==(const RowKey&, const RowKey&) = default;
};

/// All of a run's edits as one value: saved in sessions and restored by undo.
struct Annotations
{
    std::vector<Mark> marks; ///< sorted by time, which is unique
    std::vector<RowKey> pins; ///< rows pinned to the top of the timeline, in this order
    friend bool operator==(const Annotations&, const Annotations&) = default;
};

class RunEdits : public QObject
{
    Q_OBJECT

public:
    explicit RunEdits(QObject* parent = nullptr);
    ~RunEdits() override;

    const Annotations& annotations() const { return m_now; }
    /// Sets the annotations of another or reloaded run and clears the undo stack.
    void reset(const Annotations& annotations);

    const std::vector<Mark>& marks() const { return m_now.marks; }
    /// The temporary mark; setting a new one replaces it. It is view state, not an edit.
    std::optional<std::int64_t> temporaryMark() const { return m_temporary; }
    void setTemporaryMark(std::optional<std::int64_t> timeNs);
    /// The mark, kept or temporary, that was last set or navigated to; nullopt if there is none.
    std::optional<std::int64_t> currentMark() const { return m_current; }
    /// Ignored if no mark is at that time.
    void setCurrentMark(std::int64_t timeNs);
    /// Adds a mark, which becomes the current one. Turns a temporary mark at that time into a kept one.
    void keepMark(std::int64_t timeNs);
    /// Removes the kept mark at that time, or the temporary one.
    void removeMark(std::int64_t timeNs);
    /// Sets the note of a kept mark.
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
