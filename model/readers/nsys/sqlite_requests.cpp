// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/nsys/sqlite_requests.h"

#include <SQLiteCpp/Exception.h>
#include <sqlite3.h>

#include <new>
#include <stdexcept>
#include <string>

namespace collscope {

namespace {

constexpr int mebibyte = 1 << 20;
constexpr int mostAtOnce = 32 * mebibyte; ///< twice the longest value that a query may return

sqlite3_mem_methods original{};
thread_local bool isExhausted = false;

/// The memory, or nullptr if it was not there, which is noted.
void* noted(void* memory)
{
    isExhausted = isExhausted || !memory;
    return memory;
}

void* allocate(int bytes)
{
    return bytes > mostAtOnce ? nullptr : noted(original.xMalloc(bytes));
}

void* reallocate(void* memory, int bytes)
{
    return bytes > mostAtOnce ? nullptr : noted(original.xRealloc(memory, bytes));
}

bool setLimit()
{
    if (sqlite3_config(SQLITE_CONFIG_GETMALLOC, &original) != SQLITE_OK)
        return false;
    sqlite3_mem_methods limited = original;
    limited.xMalloc = allocate;
    limited.xRealloc = reallocate;
    return sqlite3_config(SQLITE_CONFIG_MALLOC, &limited) == SQLITE_OK;
}

} // namespace

void limitSqliteRequests()
{
    static const bool isSet = setLimit(); // false if SQLite was used before
    isExhausted = !isSet; // without the limit, nothing else is known to fail
}

void throwSqliteFailure(sqlite3* handle, int code)
{
    if (code != SQLITE_NOMEM)
        throw SQLite::Exception(handle, code);
    if (isExhausted)
        throw std::bad_alloc();
    // Refused here, or by SQLite itself, which asks nobody for more than 2 GB.
    throw std::runtime_error("SQLite asked for more than " + std::to_string(mostAtOnce / mebibyte)
                             + " MiB in one piece");
}

} // namespace collscope
