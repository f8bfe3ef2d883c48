// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A limit for the memory that SQLite asks for at once. SQLite allocates what the header of a record claims
// before it looks at the file, and SQLITE_LIMIT_LENGTH does not hold for records of the schema: with SQLite
// 3.40, a damaged file of 5 kB makes it ask for 59 MB.

struct sqlite3;

namespace collscope {

/// Refuses from now on, in the whole process, to give SQLite more than 32 MiB in one piece. Call it before a
/// database is opened.
void limitSqliteRequests();

/// Throws the reason why SQLite failed with `code`: std::runtime_error where a request was too large,
/// std::bad_alloc where memory is exhausted, else SQLite::Exception.
[[noreturn]] void throwSqliteFailure(sqlite3* handle, int code);

} // namespace collscope
