// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/sqlite_requests.h"

#include <SQLiteCpp/Exception.h>
#include <sqlite3.h>

#include <new>
#include <stdexcept>
#include <string>
#include <utility>

namespace collscope {

namespace {

constexpr int mebibyte = 1 << 20;
constexpr int mostAtOnce = 32 * mebibyte; ///< twice the longest value that a query may return

sqlite3_mem_methods original{};
thread_local int refusedBytes = 0;

bool isRefused(int bytes)
{
    if (bytes <= mostAtOnce)
        return false;
    refusedBytes = bytes;
    return true;
}

void* allocate(int bytes)
{
    return isRefused(bytes) ? nullptr : original.xMalloc(bytes);
}

void* reallocate(void* memory, int bytes)
{
    return isRefused(bytes) ? nullptr : original.xRealloc(memory, bytes);
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
    [[maybe_unused]] static const bool isSet = setLimit();
    refusedBytes = 0; // of the database before, on this thread
}

void throwSqliteFailure(sqlite3* handle, int code)
{
    if (code != SQLITE_NOMEM)
        throw SQLite::Exception(handle, code);
    const int refused = std::exchange(refusedBytes, 0);
    if (refused == 0)
        throw std::bad_alloc();
    throw std::runtime_error("SQLite asked for " + std::to_string(refused / mebibyte)
                             + " MiB in one piece, and " + std::to_string(mostAtOnce / mebibyte)
                             + " MiB are allowed");
}

} // namespace collscope
