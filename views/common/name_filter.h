// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A typed filter that keeps some of many names.

#include "model/result.h"

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
    /// Whether the filter is valid; the error is a message for the user. An invalid filter accepts every
    /// name.
    Status check() const;
    bool matches(const QString& name) const;

private:
    QRegularExpression m_pattern;
};

} // namespace collscope
