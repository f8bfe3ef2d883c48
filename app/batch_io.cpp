// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/batch_io.h"

#include <QSaveFile>
#include <QString>

#include <cstdio>
#include <filesystem>

namespace collscope {

void say(const std::string& text)
{
    std::fputs(("collscope: " + text + "\n").c_str(), stderr);
}

bool print(const std::string& text)
{
    if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0)
        return true;
    say("cannot write to standard output.");
    return false;
}

bool makeFolder(const std::string& path)
{
    std::error_code error;
    std::filesystem::create_directories(path, error);
    if (std::filesystem::is_directory(path))
        return true;
    say("cannot make the folder " + path + ": " + (error ? error.message() : "a file has that name") + ".");
    return false;
}

bool writeFile(const std::string& path, const std::string& content, bool executable)
{
    QSaveFile file(QString::fromStdString(path));
    const auto size = static_cast<qint64>(content.size());
    if (file.open(QIODevice::WriteOnly) && file.write(content.data(), size) == size) {
        if (executable)
            file.setPermissions(file.permissions() | QFileDevice::ExeOwner | QFileDevice::ExeGroup
                                | QFileDevice::ExeOther);
        if (file.commit())
            return true;
    }
    say("cannot write " + path + ": " + file.errorString().toStdString() + ".");
    return false;
}

std::string pathIn(const std::string& folder, const std::string& name)
{
    return (std::filesystem::path(folder) / name).string();
}

} // namespace collscope
