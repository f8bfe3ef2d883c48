// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The metrics that can be asked for: the built-in ones, then those that the user defined.

#include "metrics/user_metric.h"

namespace collscope {

class MetricCatalog
{
public:
    /// Adds a definition. "" or why it cannot be added (its id is taken), as a sentence.
    std::string add(UserMetric metric);

    /// One request per metric, by id, in the order on screen.
    std::vector<MetricRequest> all() const;
    /// Finds an id or alias as findMetric() does, then a user's id. nullopt if unknown.
    std::optional<MetricRequest> find(std::string_view name) const;
    /// The three names nearest to a misspelt one.
    std::vector<std::string> nearest(std::string_view name) const;
    std::size_t userMetricCount() const { return m_own.size(); }

private:
    struct Entry;
    static MetricRequest requestOf(const std::shared_ptr<const Entry>& entry);

    std::vector<std::shared_ptr<const Entry>> m_own;
};

} // namespace collscope
