// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Finds the elements of an event list whose text is damaged: what holds together, where the next event
// begins, what is no event at all. Looks at brackets, quotes and keys only; what an element means is for its
// parser.

#include <cstddef>
#include <string_view>

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
        Text, ///< no element: a log line, the rest of something
        Head, ///< another document begins, up to the bracket of its event list
        ListEnd, ///< the closing bracket of the list
        Nothing ///< only blanks and commas are left
    };
    Kind kind = Kind::Nothing;
    std::size_t begin = 0, end = 0;
    std::size_t next = 0; ///< where the list goes on: behind the piece and what separates it from the next
    std::size_t commas = 0; ///< before it
};

/// The piece at `from`, which lies between two elements. `isLast`: no text follows this one; then nothing is
/// Open unless the text ends in it. O(piece), plus the text up to the next event where it is damaged.
ListPiece nextPiece(std::string_view text, std::size_t from, bool isLast);
/// The same broken event up to the next place where it may end: what looked like the next event can be a part
/// of it. Its kind is Nothing if there is none.
ListPiece longerPiece(std::string_view text, const ListPiece& broken);

/// Behind the bracket of the first `"traceEvents": [` that begins in text[from, end); npos if there is none.
std::size_t afterListBegin(std::string_view text, std::size_t from, std::size_t end = std::string_view::npos);
/// Whether an event certainly begins at a brace: `{"ph":`, which no Kineto event has inside.
bool isEventStart(std::string_view text, std::size_t brace);

enum class Begins
{
    No,
    Yes,
    Unknown ///< the text ends too early
};
/// Whether the object at a brace is an event, where other objects are to be expected: one of its first keys
/// is "ph". O(1).
Begins eventBegins(std::string_view text, std::size_t brace);
/// Whether a document begins at a bracket or brace, and not text that a program logged. O(1).
Begins documentBegins(std::string_view text, std::size_t bracket);

} // namespace collscope
