// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Finds where the objects of an event list start, from the text alone. An event is recognised by its "ph"
// key, whatever its first key is: in damaged text, brackets and quotes do not show where the next event is.

#include <cstddef>
#include <string_view>

namespace collscope {

enum class Begins
{
    No,
    Perhaps, ///< an object starts, but is damaged (or too long) before "ph" is reached
    Yes,
    Unknown ///< the text ends too early
};

/// Whether the events of most programs start with this key.
bool isEventKey(std::string_view key);
/// Whether this is a key of a document, next to its event list.
bool isHeadKey(std::string_view key);
/// The first key of the object at a brace; "" if the object does not start with a key.
std::string_view firstKey(std::string_view text, std::size_t brace);

/// Whether an event certainly starts at a brace: `{"ph":`, which no Kineto event contains inside.
bool isEventStart(std::string_view text, std::size_t brace);
/// Whether a document certainly starts at a brace: its first key is one of a document.
bool isDocumentStart(std::string_view text, std::size_t brace);
/// Whether the object at a brace is an element of a list and has this key itself (given with its quotes).
/// Looks at no more than 64 KiB; calling it for every brace of a text costs a fixed number of passes over the
/// text.
Begins hasKey(std::string_view text, std::size_t brace, std::string_view quotedKey);
/// Whether the object at a brace is an element of a list and has the key "ph".
Begins eventBegins(std::string_view text, std::size_t brace);
/// Whether a document starts at a bracket or brace, as opposed to text that a program logged.
Begins documentBegins(std::string_view text, std::size_t bracket);

/// Whether a closed object and a comma precede the brace.
bool standsBehindObject(std::string_view text, std::size_t brace);
/// Whether an event seems to start at a brace after another event: the last `{` of `}, {"ph"`. May be wrong
/// for lists of objects inside an event.
bool isEventBoundary(std::string_view text, std::size_t brace);

/// Position of the first `"ph": "` at or after `from`; each event has one. npos if not found.
std::size_t nextPhase(std::string_view text, std::size_t from);
/// The number of `"ph": "` in the text.
std::size_t countPhases(std::string_view text);

} // namespace collscope
