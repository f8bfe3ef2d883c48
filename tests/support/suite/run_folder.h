// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A folder of its own for files that a test writes, and what the program makes of them.
#pragma once

#include "tests/support/texts/fragment_text.h"
#include "tests/support/workloads/run_writer.h"

#include <QTemporaryDir>

namespace collscope {

/// Gone with all that is in it when the test is.
class RunFolder
{
public:
    std::string path(const std::string& name) const { return m_folder.path().toStdString() + "/" + name; }

    /// Folders in the name are made. Returns the path.
    std::string write(const std::string& name, std::string_view bytes) const
    {
        const std::filesystem::path whole = path(name);
        std::filesystem::create_directories(whole.parent_path());
        writeFile(whole, bytes);
        return whole.string();
    }

    /// The run in a file or folder; nullptr where there is none.
    TraceModelPtr load(const std::string& name) const
    {
        auto loaded = loadPath(path(name));
        return loaded ? *loaded : nullptr;
    }

    TraceModelPtr writeAndLoad(const std::string& name, std::string_view bytes) const
    {
        write(name, bytes);
        return load(name);
    }

private:
    QTemporaryDir m_folder;
};

} // namespace collscope
