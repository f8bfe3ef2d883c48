// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cluster/part_folder.h"

#include "app/files/batch_io.h"

#include <fstream>
#include <iterator>
#include <optional>

namespace collscope {

namespace {

/// Returns the content of a file; nullopt if it does not exist.
std::optional<std::string> contentOfPlan(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    if (!file)
        return std::nullopt;
    return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

} // namespace

Result<PlanText> readPlan(const std::string& file)
{
    const auto error = [&](const std::string& why) { return Error{Error::Kind::Usage, file + why, file}; };
    auto text = contentOfPlan(file);
    if (!text)
        return error(": cannot be read.");
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
    const auto known = contentOfPlan(path);
    if (known && *known != text) {
        say(path + " is a different plan: use another folder for the parts.");
        return false;
    }
    return known || writeFile(path, text);
}

} // namespace collscope
