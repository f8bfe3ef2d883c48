// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What a person types to keep some of many names.

#include <QRegularExpression>
#include <QString>

namespace collscope {

/// A part of a name in any case, or /a regular expression/ in any case. A number at either end is meant as a
/// whole: "rank 1" does not fit rank 12.
class NameFilter
{
public:
    NameFilter() = default;
    explicit NameFilter(const QString& text);

    bool isEmpty() const { return m_pattern.pattern().isEmpty(); }
    /// Why it cannot be used, for people; empty if it can. A filter with an error lets everything through.
    QString error() const;
    bool matches(const QString& name) const;

private:
    QRegularExpression m_pattern;
};

} // namespace collscope
