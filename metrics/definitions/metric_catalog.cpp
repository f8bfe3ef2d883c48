// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/definitions/metric_catalog.h"

#include <utility>

namespace collscope {

/// A definition with the descriptor that represents it elsewhere.
struct MetricCatalog::Entry
{
    explicit Entry(UserMetric m)
        : metric(std::move(m))
        , needs(needsOf(metric))
        , definition(metric.formula() + " (" + metric.definedIn() + ")")
        , descriptor{.id = metric.id,
                     .title = metric.title,
                     .group = "User-defined",
                     .unit = metric.unit,
                     .direction = metric.direction,
                     .needs = needs,
                     .meaning = metric.meaning,
                     .definition = definition}
    { }
    Entry(const Entry&) = delete;
    Entry& operator=(const Entry&) = delete;

    static std::string needsOf(const UserMetric& metric)
    {
        std::string needs = metric.needsTimeline() ? "a timeline (Kineto or nsys)" : "";
        for (const auto* terms : {&metric.numerator, &metric.denominator}) {
            for (const UserTerm& term : *terms) {
                if (term.kind != UserTerm::Kind::Metric)
                    continue;
                const std::string more(term.metric.metric->needs);
                if (needs.find(more) == std::string::npos)
                    needs += (needs.empty() ? "" : "; ") + more;
            }
        }
        return needs.empty() ? "nothing" : needs;
    }

    const UserMetric metric;
    const std::string needs, definition;
    const MetricDescriptor descriptor; ///< its views point to the strings above
};

MetricRequest MetricCatalog::requestOf(const std::shared_ptr<const Entry>& entry)
{
    return {entry->metric.id, &entry->descriptor, entry->metric.unit, 1.0,
            std::shared_ptr<const UserMetric>(entry, &entry->metric)};
}

std::string MetricCatalog::add(UserMetric metric)
{
    if (metric.id == "all" || metric.id == "auto")
        return "the id '" + metric.id + "' stands for all metrics.";
    if (const auto taken = find(metric.id))
        return "the id '" + metric.id + "' is taken: "
            + (taken->user ? "it is defined in " + taken->user->definedIn()
                           : "it names the built-in metric " + std::string(taken->metric->id))
            + ".";
    m_own.push_back(std::make_shared<const Entry>(std::move(metric)));
    return {};
}

std::vector<MetricRequest> MetricCatalog::all() const
{
    std::vector<MetricRequest> requests;
    for (const MetricDescriptor& metric : allMetrics())
        requests.push_back({std::string(metric.id), &metric, metric.unit, 1.0});
    for (const auto& entry : m_own)
        requests.push_back(requestOf(entry));
    return requests;
}

std::vector<MetricRequest> MetricCatalog::usual() const
{
    std::vector<MetricRequest> requests = all();
    std::erase_if(requests, [](const MetricRequest& request) { return request.metric->onRequest; });
    return requests;
}

std::optional<MetricRequest> MetricCatalog::find(std::string_view name) const
{
    if (auto found = findMetric(name))
        return found;
    for (const auto& entry : m_own) {
        if (entry->metric.id == name)
            return requestOf(entry);
    }
    return std::nullopt;
}

std::vector<std::string> MetricCatalog::nearest(std::string_view name) const
{
    std::vector<std::string> own;
    own.reserve(m_own.size());
    for (const auto& entry : m_own)
        own.push_back(entry->metric.id);
    return nearestMetrics(name, own);
}

Result<MetricRequest> MetricCatalog::request(const std::string& name) const
{
    if (auto found = find(name))
        return std::move(*found);
    std::string others;
    for (const std::string& other : nearest(name))
        others.append(others.empty() ? "" : ", ").append(other);
    return Error{Error::Kind::Usage,
                 "Unknown metric '" + name + "'. Nearest: " + others + ". --list-metrics lists all metrics."};
}

} // namespace collscope
