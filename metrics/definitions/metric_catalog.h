// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The available metrics: the built-in ones, then the user-defined ones.

#include "metrics/definitions/user_metric.h"
#include "model/result.h"

namespace collscope {

class MetricCatalog
{
public:
    /// Adds a definition. Returns "" or the reason why it cannot be added (its id is taken), as a sentence.
    std::string add(UserMetric metric);

    /// One request per metric, by id, in the order on screen.
    std::vector<MetricRequest> all() const;
    /// Those that are computed if no metric is asked for: without MetricDescriptor::onRequest.
    std::vector<MetricRequest> usual() const;
    /// Finds an id or alias like findMetric(), then a user-defined id. nullopt if unknown.
    std::optional<MetricRequest> find(std::string_view name) const;
    /// The three names nearest to a misspelled one.
    std::vector<std::string> nearest(std::string_view name) const;
    /// Like find(); an unknown name is an Error of kind Usage, which names the nearest ones.
    Result<MetricRequest> request(const std::string& name) const;
    std::size_t userMetricCount() const { return m_own.size(); }

private:
    struct Entry;
    static MetricRequest requestOf(const std::shared_ptr<const Entry>& entry);

    std::vector<std::shared_ptr<const Entry>> m_own;
};

} // namespace collscope
