// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/texts/network_export.h"

#include <QtGlobal>

#include <sqlite3.h>

#include <filesystem>

namespace collscope {

void NetworkExport::write(const std::string& path) const
{
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    std::filesystem::remove(path);
    sqlite3* database = nullptr;
    sqlite3_open(path.c_str(), &database);
    char* message = nullptr;
    const std::string sql = "BEGIN;" + m_sql + "COMMIT;";
    if (sqlite3_exec(database, sql.c_str(), nullptr, nullptr, &message) != SQLITE_OK)
        qFatal("%s", message);
    sqlite3_close(database);
}

} // namespace collscope
