// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A typed filter that keeps some of many names.

#include <QRegularExpression>
#include <QString>

namespace collscope {

/// Part of a name, or /a regular expression/; both ignore case. A number at either end must match as a whole
/// number: "rank 1" does not match rank 12.
class NameFilter
{
public:
    NameFilter() = default;
    explicit NameFilter(const QString& text);

    bool isEmpty() const { return m_pattern.pattern().isEmpty(); }
    /// Error message for the user; empty if the filter is valid. An invalid filter accepts every name.
    QString error() const;
    bool matches(const QString& name) const;

private:
    QRegularExpression m_pattern;
};

} // namespace collscope
