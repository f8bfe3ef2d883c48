// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/bench/nsys_generator.h"

#include <sqlite3.h>

#include <random>
#include <stdexcept>
#include <string>

namespace collscope::bench {

namespace {

constexpr const char* schema = R"sql(
PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;
CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcEpochNs INTEGER, utcTime TEXT, localTime TEXT);
INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (1700000000000000000, '', '');
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL,
  contextId INTEGER NOT NULL, greenContextId INTEGER, streamId INTEGER NOT NULL, correlationId INTEGER,
  globalPid INTEGER, demangledName INTEGER NOT NULL, shortName INTEGER NOT NULL, mangledName INTEGER,
  launchType INTEGER, cacheConfig INTEGER, registersPerThread INTEGER NOT NULL, gridX INTEGER NOT NULL,
  gridY INTEGER NOT NULL, gridZ INTEGER NOT NULL, blockX INTEGER NOT NULL, blockY INTEGER NOT NULL,
  blockZ INTEGER NOT NULL, staticSharedMemory INTEGER NOT NULL, dynamicSharedMemory INTEGER NOT NULL,
  localMemoryPerThread INTEGER NOT NULL, localMemoryTotal INTEGER NOT NULL, gridId INTEGER NOT NULL,
  sharedMemoryExecuted INTEGER, graphNodeId INTEGER, sharedMemoryLimitConfig INTEGER);
BEGIN;
)sql";

void run(sqlite3* database, const char* sql)
{
    if (sqlite3_exec(database, sql, nullptr, nullptr, nullptr) != SQLITE_OK)
        throw std::runtime_error(sqlite3_errmsg(database));
}

} // namespace

void writeNsysExport(const std::filesystem::path& file, std::uint64_t kernels)
{
    constexpr int names = 400;
    sqlite3* database = nullptr;
    sqlite3_open(file.c_str(), &database);
    run(database, schema);
    for (int id = 1; id <= names; ++id) {
        const std::string name = id % 8 == 0
            ? "ncclDevKernel_AllReduce_Sum_bf16_RING_LL_" + std::to_string(id)
            : "void cutlass::Kernel2<gemm_" + std::to_string(id) + ">(Params)";
        run(database, ("INSERT INTO StringIds VALUES (" + std::to_string(id) + ", '" + name + "')").c_str());
    }
    sqlite3_stmt* insert = nullptr;
    sqlite3_prepare_v2(
        database,
        "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (?1, ?2, 0, 1, NULL, ?3, ?4, 281592000000000, ?5, "
        "?5, ?5, 0, 0, ?6, ?7, 1, 1, 128, 1, 1, 0, ?8, 0, 96075776, ?4, ?8, NULL, 0)",
        -1, &insert, nullptr);
    std::mt19937_64 random(1);
    std::int64_t start = 12'345'678'901;
    for (std::uint64_t i = 0; i < kernels; ++i) {
        const auto duration = static_cast<std::int64_t>(2'000 + random() % 200'000);
        sqlite3_bind_int64(insert, 1, start);
        sqlite3_bind_int64(insert, 2, start + duration);
        sqlite3_bind_int64(insert, 3, static_cast<std::int64_t>(7 + i % 5 * 4));
        sqlite3_bind_int64(insert, 4, static_cast<std::int64_t>(1'000 + i));
        // A kernel keeps its registers and shared memory; its grid has a few sizes.
        const auto name = static_cast<std::int64_t>(1 + random() % names);
        sqlite3_bind_int64(insert, 5, name);
        sqlite3_bind_int64(insert, 6, 32 + name % 12 * 16);
        sqlite3_bind_int64(insert, 7, name * static_cast<std::int64_t>(1 + random() % 3));
        sqlite3_bind_int64(insert, 8, name % 4 * 16'384);
        sqlite3_step(insert);
        sqlite3_reset(insert);
        start += 50'000; // five streams take turns, so that their kernels do not overlap
    }
    sqlite3_finalize(insert);
    run(database, "COMMIT");
    sqlite3_close(database);
}

} // namespace collscope::bench
