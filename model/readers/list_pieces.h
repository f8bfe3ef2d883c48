// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Finds the elements of an event list whose text is damaged: what holds together, where the next event
// begins, what is no event at all. Looks at brackets, quotes and keys only; what an element means is for its
// parser.

#include "model/readers/event_starts.h"

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

namespace collscope {

/// A piece of an event list, in bytes of the text that was asked about.
struct ListPiece
{
    enum class Kind
    {
        Event, ///< an object whose brackets and strings match
        Broken, ///< an object that does not hold together before the next one begins
        Open, ///< an object whose end is not in the text yet
        Other, ///< an element that is no object
        Text, ///< no element: a log line, the rest of something; may hold what is left of events
        Head, ///< another document begins, up to the bracket of its event list
        ListEnd, ///< the closing bracket of the list
        Nothing ///< only blanks and commas are left
    };
    Kind kind = Kind::Nothing;
    std::size_t begin = 0, end = 0;
    std::size_t next = 0; ///< where the list goes on: behind the piece and what separates it from the next
    std::size_t commas = 0; ///< before it
};

/// The pieces of one text. Takes time in proportion to the text, whatever stands in it: what a walk over an
/// element has shown of those inside is kept.
class ListPieces
{
public:
    /// `isLast`: no text follows this one; then nothing is Open unless the text ends in it.
    ListPieces(std::string_view text, bool isLast)
        : m_text(text)
        , m_isLast(isLast)
    { }

    /// The piece at `from`, which lies between two elements.
    ListPiece next(std::size_t from);

private:
    /// A walk that found no end, and the brackets that were open there: what begins at one of them has no end
    /// either.
    struct Walked
    {
        std::size_t end = 0;
        bool isOpen = false; ///< the text ended first
        std::vector<std::size_t> open;
    };
    /// Whether the object at a brace ends, and where it does or breaks.
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
    std::array<Walked, 2> m_walked; ///< inside and outside of strings can be taken for each other
};

/// The piece at `from` of a text that is asked about once.
ListPiece nextPiece(std::string_view text, std::size_t from, bool isLast);
/// The same broken event up to the next place where it may end: what looked like the next event can be a part
/// of it. Its kind is Nothing if there is none.
ListPiece longerPiece(std::string_view text, const ListPiece& broken);

/// Behind the bracket of the first `"traceEvents": [` (or another key, in its quotes) that begins in
/// text[from, end); npos if there is none.
std::size_t afterListBegin(std::string_view text, std::size_t from, std::size_t end = std::string_view::npos,
                           std::string_view key = "\"traceEvents\"");

} // namespace collscope
