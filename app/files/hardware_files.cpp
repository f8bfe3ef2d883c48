// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/files/hardware_files.h"

#include "app/files/resources.h"
#include "app/files/user_folders.h"
#include "model/readers/measurements/hardware_toml.h"

#include <filesystem>
#include <vector>

namespace collscope {

Result<std::shared_ptr<const HardwareDatabase>> loadHardwareDatabase(const std::string& ownFile)
{
    std::vector<std::string> files;
    // The built-in tables may be missing next to an unpacked binary; the peaks are then unknown and metrics
    // report that. A file named by the user must exist.
    for (const char* name : {"/devices.toml", "/models.toml"}) {
        std::error_code error;
        const std::string shipped = resourceFolder("knowledge") + name;
        if (std::filesystem::exists(shipped, error))
            files.push_back(shipped);
    }
    for (const std::string& own : {configuredFile("devices.toml"), ownFile}) {
        if (!own.empty())
            files.push_back(own);
    }
    HardwareDatabase hardware;
    for (const std::string& file : files) {
        auto more = readHardwareDatabase(file, std::move(hardware));
        if (!more)
            return more.error();
        hardware = std::move(*more);
    }
    return std::make_shared<const HardwareDatabase>(std::move(hardware));
}

} // namespace collscope
