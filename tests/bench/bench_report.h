// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The figures of a run: a table on stdout as they come, JSON at the end.

#include <QString>

#include <optional>
#include <vector>

namespace collscope::bench {

/// One figure. Goals are ratios to something measured beside it, or bounds of the machine's own frame budget.
struct Figure
{
    QString suite, name;
    double value = 0;
    QString unit;
    QString reference = {}; ///< what it is compared with, in words
    std::optional<double> ratio = std::nullopt; ///< to the reference
    QString goal = {}; ///< "required / wanted"
    std::optional<bool> met = std::nullopt; ///< the required goal
};

class Report
{
public:
    /// Prints one line of the table.
    void add(const Figure& figure);
    /// A result that must not be, whatever the speed (two digests that differ).
    void fail(const QString& what);
    bool hasFailures() const { return m_failures > 0; }
    bool writeJson(const QString& path) const;

private:
    std::vector<Figure> m_figures;
    int m_failures = 0;
};

} // namespace collscope::bench
