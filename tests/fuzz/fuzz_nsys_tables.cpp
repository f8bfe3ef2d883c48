// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A database that SQLite itself has written, so that changes reach tables, columns, defaults, views and
// triggers instead of page checks. The input is SQL, a statement a line; what SQLite refuses is left out.

#include "tests/fuzz/reader_target.h"
#include "tests/fuzz/temporary_folder.h"

#include <sqlite3.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace {

constexpr int mostStatements = 400;
constexpr int mostSteps = 50; ///< of a thousand instructions each, for all statements

int noOtherFiles(void*, int action, const char*, const char*, const char*, const char*)
{
    return action == SQLITE_ATTACH || action == SQLITE_PRAGMA ? SQLITE_DENY : SQLITE_OK;
}

/// False if there is no database in the end.
bool makeDatabase(const std::string& path, std::string_view statements)
{
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
    sqlite3* opened = nullptr;
    const int state = sqlite3_open(path.c_str(), &opened);
    const std::unique_ptr<sqlite3, int (*)(sqlite3*)> database(opened, sqlite3_close);
    if (state != SQLITE_OK)
        return false;
    const auto run = [&](const std::string& text) {
        return sqlite3_exec(opened, text.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK;
    };
    run("PRAGMA journal_mode=OFF");
    run("PRAGMA synchronous=OFF");
    run("PRAGMA page_size=1024");
    run("PRAGMA max_page_count=2048");
    sqlite3_limit(opened, SQLITE_LIMIT_LENGTH, 1 << 20);
    sqlite3_set_authorizer(opened, noOtherFiles, nullptr);
    int steps = 0;
    sqlite3_progress_handler(
        opened, 1000, [](void* taken) { return ++*static_cast<int*>(taken) > mostSteps ? 1 : 0; }, &steps);
    run("BEGIN");
    for (int i = 0; i < mostStatements && !statements.empty(); ++i) {
        const std::size_t end = std::min(statements.find('\n'), statements.size());
        run(std::string(statements.substr(0, end)));
        statements.remove_prefix(std::min(end + 1, statements.size()));
    }
    sqlite3_progress_handler(opened, 0, nullptr, nullptr);
    run("COMMIT");
    return std::filesystem::exists(path, ignored) && std::filesystem::file_size(path, ignored) > 0;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const collscope::TemporaryFolder folder;
    const std::string path = folder.file("nsys_0.sqlite");
    if (makeDatabase(path, {reinterpret_cast<const char*>(data), size}))
        collscope::readFileAt(collscope::readerOf(collscope::SourceKind::Nsys), path);
    return 0;
}
