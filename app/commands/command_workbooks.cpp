// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/commands/command_workbooks.h"

#include <algorithm>

namespace collscope {

void WorkbookOptions::declare(CommandOptions& options)
{
    options.output("-o,--output", folder, OptionSpec::Place::OutputFolder, "DIR",
                   "Folder that the files are written to");
    options.list("--report-format", formats, "FORMAT,...",
                 "xlsx (default), csv (a folder with one file per sheet), json, or several of these");
    options.flag("--geo-mean", choices.geometricMean, "Geometric instead of arithmetic means over the ranks");
    options.flag("--gib-compat", choices.gibCompat, "Bandwidths in GiB/s, as in older tools");
    options.flag("--what-if", choices.scenarios, "Replay the run, for a sheet of what would help");
    options.flag("--full", choices.isFull, "One column per rank even above 64 ranks");
}

Status WorkbookOptions::check()
{
    const auto has
        = [&](const char* name) { return std::find(formats.begin(), formats.end(), name) != formats.end(); };
    choices.asXlsx = formats.empty() || has("xlsx");
    choices.asCsv = has("csv");
    choices.asJson = has("json");
    const auto unknown = std::find_if(formats.begin(), formats.end(), [](const std::string& format) {
        return format != "xlsx" && format != "csv" && format != "json";
    });
    if (unknown != formats.end())
        return usageError("--report-format takes xlsx, csv and json, not '" + *unknown + "'.");
    return {};
}

} // namespace collscope
