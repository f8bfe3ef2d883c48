// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Sources of user-defined metrics and kernel rules: metrics.toml and communication.toml of the configuration
// folder, then files named by the user.

#include "metrics/definitions/metric_catalog.h"
#include "model/building/kernel_rules.h"
#include "model/result.h"

#include <string>
#include <vector>

namespace collscope {

/// File of the configuration folder that contains the rules that the window adds.
inline constexpr const char* kernelRulesFile = "communication.toml";
/// Returns the files of the configuration folder that exist.
std::vector<std::string> configuredDefinitionFiles();
/// Loads the built-in metrics, those of the configuration folder, then those of `files`. Errors contain file
/// and line.
Result<MetricCatalog> loadMetricCatalog(const std::vector<std::string>& files);
/// Loads the kernel rules of the same files in the same order; later rules take precedence over earlier ones.
Result<std::vector<KernelRule>> loadKernelRules(const std::vector<std::string>& files);

} // namespace collscope
