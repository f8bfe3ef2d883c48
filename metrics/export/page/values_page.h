// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A table of values and plots of them as one HTML file: metrics over profiler iterations, or of several runs.

#include "metrics/export/page/sheet_parts.h"

namespace collscope {

struct ValuesPage
{
    std::string title;
    std::vector<Sheet> tables;
    std::vector<PagePicture> pictures;
    std::string version; ///< of the program that made it
};
std::string valuesPage(const ValuesPage& page);

} // namespace collscope
