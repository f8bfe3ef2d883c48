// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cluster/part_folder.h"

#include "app/files/batch_io.h"

#include <filesystem>
#include <system_error>

namespace collscope {

Result<PlanText> readPlan(const std::string& file)
{
    const auto error = [&](const std::string& why) { return Error{Error::Kind::Usage, file + why, file}; };
    auto text = readPlanText(file);
    if (!text)
        return error(" " + text.error().message + ".");
    auto plan = parsePlan(*text);
    if (!plan)
        return error(": " + plan.error().message);
    if (plan->version != COLLSCOPE_VERSION)
        return error(" was written by version " + plan->version
                     + " but this is version " COLLSCOPE_VERSION
                       ": create a new plan so that all parts come from one version.");
    return PlanText{std::move(*text), std::move(*plan)};
}

Status checkTask(const ReducePlan& plan, std::uint32_t task)
{
    if (task < plan.tasks)
        return {};
    return Error{Error::Kind::Usage,
                 "The plan has tasks 0 to " + std::to_string(plan.tasks - 1) + ", not " + std::to_string(task)
                     + "."};
}

bool settlePlan(const std::string& folder, const std::string& text)
{
    if (!makeFolder(folder))
        return false;
    const std::string path = pathIn(folder, std::string(planName));
    if (std::error_code error; !std::filesystem::exists(path, error) && !error)
        return writeFile(path, text);
    const auto known = readPlanText(path);
    if (known && *known == text)
        return true;
    say(path + (known ? std::string(" is a different plan") : " " + known.error().message)
        + ": use another folder for the parts.");
    return false;
}

} // namespace collscope
