// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Finds the elements of an event list in damaged text: intact objects, the start of the next event, and text
// that is not an event. Looks at brackets, quotes and keys only; parsers interpret the elements.

#include "model/readers/text/event_starts.h"

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

namespace collscope {

/// A piece of an event list; positions are bytes of the given text.
struct ListPiece
{
    enum class Kind
    {
        Event, ///< an object whose brackets and strings match
        Broken, ///< an object that breaks before the next one starts
        Open, ///< an object whose end is not in the text yet
        Other, ///< an element that is not an object
        Text, ///< not an element: a log line, the rest of an element; may contain remains of events
        Head, ///< the start of another document, up to the bracket of its event list
        ListEnd, ///< the closing bracket of the list
        Nothing ///< only blanks and commas remain
    };
    Kind kind = Kind::Nothing;
    std::size_t begin = 0, end = 0;
    std::size_t next = 0; ///< where the list continues, after the piece and its separator from the next one
    std::size_t commas = 0; ///< before the piece
};

/// The pieces of one text. The time is linear in the text, whatever it contains: the result of a walk over an
/// element is kept for the objects inside it.
class ListPieces
{
public:
    /// `isLast`: no text follows this one; a piece is then Open only if the text ends inside it.
    ListPieces(std::string_view text, bool isLast)
        : m_text(text)
        , m_isLast(isLast)
    { }

    /// The piece at `from`, which is between two elements.
    ListPiece next(std::size_t from);

private:
    /// A walk that found no end, and the brackets that were open there: an object that starts at one of them
    /// has no end either.
    struct Walked
    {
        std::size_t end = 0;
        bool isOpen = false; ///< the text ended first
        std::vector<std::size_t> open;
    };
    /// Whether the object at a brace is closed; `end` is where it ends or breaks.
    enum class Verdict
    {
        Closed,
        Open,
        Broken
    };

    ListPiece pieceAt(std::size_t begin);
    ListPiece objectPiece(std::size_t begin);
    Verdict walk(std::size_t begin, std::size_t& end);

    std::string_view m_text;
    bool m_isLast;
    std::array<Walked, 2> m_walked; ///< two, because the inside and the outside of strings may be confused
};

/// The piece at `from` of a text that is queried only once.
ListPiece nextPiece(std::string_view text, std::size_t from, bool isLast);
/// Extends a broken event to the next place where it may end: the apparent next event may be part of it. Its
/// kind is Nothing if no such place is found.
ListPiece longerPiece(std::string_view text, const ListPiece& broken);

/// Index after the bracket of the first `"traceEvents": [` (or another key, given with its quotes) that
/// starts in text[from, end); npos if not found.
std::size_t afterListBegin(std::string_view text, std::size_t from, std::size_t end = std::string_view::npos,
                           std::string_view key = "\"traceEvents\"");

} // namespace collscope
