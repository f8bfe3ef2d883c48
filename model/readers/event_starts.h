// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Where the objects of an event list begin, by their text alone. An event is known by its "ph", whatever key
// it begins with: in damaged text, brackets and quotes do not say where the next event is.

#include <cstddef>
#include <string_view>

namespace collscope {

enum class Begins
{
    No,
    Perhaps, ///< an object begins, but is damaged (or too long) before that is seen
    Yes,
    Unknown ///< the text ends too early
};

/// One of the keys that the events of most programs begin with.
bool isEventKey(std::string_view key);
/// One of the keys that a document has beside its event list.
bool isHeadKey(std::string_view key);
/// The key that the object at a brace begins with; "" if it begins with none.
std::string_view firstKey(std::string_view text, std::size_t brace);

/// Whether an event certainly begins at a brace: `{"ph":`, which no Kineto event has inside.
bool isEventStart(std::string_view text, std::size_t brace);
/// Whether a document certainly begins at a brace: it begins with one of the keys of a head.
bool isDocumentStart(std::string_view text, std::size_t brace);
/// Whether the object at a brace is an element of a list and has a key of its own (given in its quotes).
/// Looks at no more than 64 KiB, and calling it for every brace of a text costs a fixed number of passes over
/// it.
Begins hasKey(std::string_view text, std::size_t brace, std::string_view quotedKey);
/// The same for "ph".
Begins eventBegins(std::string_view text, std::size_t brace);
/// Whether a document begins at a bracket or brace, and not text that a program logged.
Begins documentBegins(std::string_view text, std::size_t bracket);

/// Whether an object that ended and a comma stand before a brace.
bool standsBehindObject(std::string_view text, std::size_t brace);
/// Whether an event seems to begin at a brace behind another: the last `{` of `}, {"ph"`. May be wrong for
/// lists of objects inside an event.
bool isEventBoundary(std::string_view text, std::size_t brace);

/// The first `"ph": "` from there on: each event has one. npos if there is none.
std::size_t nextPhase(std::string_view text, std::size_t from);
/// How many there are.
std::size_t countPhases(std::string_view text);

} // namespace collscope
