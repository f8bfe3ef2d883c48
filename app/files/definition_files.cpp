// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/files/definition_files.h"

#include "app/files/user_folders.h"
#include "app/files/user_metrics.h"

namespace collscope {

namespace {

std::vector<std::string> withConfigured(const std::vector<std::string>& files)
{
    std::vector<std::string> all = configuredDefinitionFiles();
    all.insert(all.end(), files.begin(), files.end());
    return all;
}

} // namespace

std::vector<std::string> configuredDefinitionFiles()
{
    std::vector<std::string> files;
    for (const char* name : {"metrics.toml", kernelRulesFile}) {
        if (std::string file = configuredFile(name); !file.empty())
            files.push_back(std::move(file));
    }
    return files;
}

Result<std::vector<KernelRule>> loadKernelRules(const std::vector<std::string>& files)
{
    std::vector<KernelRule> rules;
    for (const std::string& file : withConfigured(files)) {
        const auto more = readKernelRules(file);
        if (!more)
            return more.error();
        rules.insert(rules.end(), more->begin(), more->end());
    }
    return rules;
}

Result<MetricCatalog> loadMetricCatalog(const std::vector<std::string>& files)
{
    MetricCatalog catalog;
    for (const std::string& file : withConfigured(files)) {
        auto more = readUserMetrics(file, std::move(catalog));
        if (!more)
            return more;
        catalog = std::move(*more);
    }
    return catalog;
}

} // namespace collscope
