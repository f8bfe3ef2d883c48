// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/state/run_edits.h"

#include <QUndoCommand>

#include <algorithm>
#include <utility>

namespace collscope {

namespace {

/// The first mark at or after a time.
template<typename Marks>
auto markFrom(Marks& marks, std::int64_t timeNs)
{
    return std::lower_bound(marks.begin(), marks.end(), timeNs,
                            [](const Mark& mark, std::int64_t t) { return mark.timeNs < t; });
}

} // namespace

/// Replaces all annotations with another state; there are few, so that copying is cheap.
class RunEdits::Edit : public QUndoCommand
{
public:
    Edit(RunEdits& edits, const QString& text, Annotations after)
        : QUndoCommand(text)
        , m_edits(edits)
        , m_before(edits.m_now)
        , m_after(std::move(after))
    { }

    void undo() override { m_edits.apply(m_before); }
    void redo() override { m_edits.apply(m_after); }

private:
    RunEdits& m_edits;
    Annotations m_before, m_after;
};

RunEdits::RunEdits(QObject* parent)
    : QObject(parent)
{ }

RunEdits::~RunEdits()
{
    m_undo.disconnect(); // its signal about being empty would reach listeners too late
}

void RunEdits::reset(const Annotations& annotations)
{
    m_undo.clear();
    m_temporary.reset();
    m_current.reset();
    apply(annotations);
}

void RunEdits::apply(const Annotations& annotations)
{
    m_now = annotations;
    if (m_current && !isMark(*m_current))
        m_current.reset();
    emit changed();
}

void RunEdits::push(const QString& text, Annotations after)
{
    if (after != m_now)
        m_undo.push(new Edit(*this, text, std::move(after)));
}

bool RunEdits::isMark(std::int64_t timeNs) const
{
    const auto found = markFrom(m_now.marks, timeNs);
    return m_temporary == timeNs || (found != m_now.marks.end() && found->timeNs == timeNs);
}

void RunEdits::setTemporaryMark(std::optional<std::int64_t> timeNs)
{
    if (timeNs == m_temporary)
        return;
    m_temporary = timeNs;
    if (timeNs || (m_current && !isMark(*m_current)))
        m_current = timeNs;
    emit changed();
}

void RunEdits::setCurrentMark(std::int64_t timeNs)
{
    if (!isMark(timeNs) || m_current == timeNs)
        return;
    m_current = timeNs;
    emit changed();
}

void RunEdits::keepMark(std::int64_t timeNs)
{
    Annotations after = m_now;
    const auto at = markFrom(after.marks, timeNs);
    if (at == after.marks.end() || at->timeNs != timeNs)
        after.marks.insert(at, {timeNs, {}});
    if (m_temporary == timeNs)
        m_temporary.reset();
    push(tr("mark"), std::move(after));
    setCurrentMark(timeNs);
}

void RunEdits::removeMark(std::int64_t timeNs)
{
    if (m_temporary == timeNs) {
        setTemporaryMark(std::nullopt);
        return;
    }
    Annotations after = m_now;
    std::erase_if(after.marks, [&](const Mark& mark) { return mark.timeNs == timeNs; });
    push(tr("mark removal"), std::move(after));
}

void RunEdits::setNote(std::int64_t timeNs, const QString& note)
{
    Annotations after = m_now;
    const auto at = markFrom(after.marks, timeNs);
    if (at == after.marks.end() || at->timeNs != timeNs)
        return;
    at->note = note.simplified();
    push(tr("note"), std::move(after));
}

bool RunEdits::isPinned(const RowKey& row) const
{
    return std::find(m_now.pins.begin(), m_now.pins.end(), row) != m_now.pins.end();
}

void RunEdits::setPinned(const RowKey& row, bool pinned)
{
    if (pinned == isPinned(row))
        return;
    Annotations after = m_now;
    if (pinned)
        after.pins.push_back(row);
    else
        std::erase(after.pins, row);
    push(pinned ? tr("pin") : tr("unpin"), std::move(after));
}

QString RunEdits::noteOf(std::int64_t timeNs) const
{
    const auto found = markFrom(m_now.marks, timeNs);
    return found != m_now.marks.end() && found->timeNs == timeNs ? found->note : QString();
}

std::optional<std::int64_t> RunEdits::neighbour(std::int64_t timeNs, int direction) const
{
    std::optional<std::int64_t> best;
    const auto consider = [&](std::int64_t candidate) {
        const bool isBeyond = direction > 0 ? candidate > timeNs : candidate < timeNs;
        const bool isCloser = !best || (direction > 0 ? candidate < *best : candidate > *best);
        if (isBeyond && isCloser)
            best = candidate;
    };
    for (const Mark& mark : m_now.marks)
        consider(mark.timeNs);
    if (m_temporary)
        consider(*m_temporary);
    return best;
}

} // namespace collscope
