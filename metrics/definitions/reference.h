// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The numbers that existing tools print for a metric, computed by their formulas, errors included, so that
// users of those tools can see where ours differ. Computed only on request.

#include "metrics/analysis/analysis.h"

namespace collscope {

/// One tool's number for one metric.
struct Reference
{
    std::string_view metric; ///< id in our catalog
    std::string_view forName; ///< that tool's alias of the metric; empty = the id itself
    std::string_view tool;
    std::string_view whyDifferent; ///< one sentence, without initial capital and full stop
    struct Number
    {
        /// In the unit of the metric's id, whatever the unit of `forName`: evaluate() converts it. No value:
        /// the tool prints an object, or "nan".
        std::optional<double> value;
        Value::Object details; ///< further output of the tool, under its own keys and in its own units
        std::string_view why = {}; ///< replaces whyDifferent if the reason depends on the run
        bool isSentinel = false; ///< the tool's sign for "nothing found": without a unit, so never converted

        /// For tools that print -1 if they find nothing.
        static Number nothing(std::string_view why = {}) { return {-1.0, {}, why, true}; }
    };
    /// nullopt if the tool prints nothing for this kind of run, or if the loaded trace no longer contains the
    /// tool's input.
    std::optional<Number> (*compute)(Analysis& analysis);
};

/// The numbers of one tool.
struct ReferenceSet
{
    std::span<const Reference> entries;
};

/// All tools. Generated from the list in metrics/CMakeLists.txt.
std::span<const ReferenceSet* const> allReferences();

/// Appends the numbers that the tools print for a metric. `result` is ours, in the metric's own unit. A
/// number equal to ours is omitted, unless the options request the reference in place of our value. The tools
/// do not support a selected range: with a range, nothing is appended.
void addReferences(Analysis& analysis, std::string_view metric, MetricResult& result);

} // namespace collscope
