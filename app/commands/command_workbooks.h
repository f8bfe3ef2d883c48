// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Options of the commands that write workbooks: report and compare.

#include "app/cli/command_options.h"
#include "app/files/comparison_files.h"

namespace collscope {

struct WorkbookOptions
{
    ReportChoices choices;
    std::vector<std::string> formats;
    std::string folder; ///< --output

    void declare(CommandOptions& options);
    Status check();
    /// Whether an option changes what is in the workbooks.
    bool shapesWorkbooks() const
    {
        return choices.geometricMean || choices.gibCompat || choices.isFull || choices.scenarios
            || !formats.empty();
    }
};

} // namespace collscope
