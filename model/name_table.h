// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A value for each name that a rank uses.

#include "model/ids.h"

#include <utility>
#include <vector>

namespace collscope {

/// Looks up in constant time, without a hash. It is as large as the largest name that was asked for: names
/// that all ranks use have small numbers, while a table of all strings would take ranks x strings.
template<typename T>
class NameTable
{
public:
    explicit NameTable(T unset = T())
        : m_unset(std::move(unset))
    { }

    /// `unset` until it is written.
    T& operator[](StringId name)
    {
        if (name.value >= m_values.size())
            m_values.resize(std::size_t{name.value} + 1, m_unset);
        return m_values[name.value];
    }

private:
    T m_unset;
    std::vector<T> m_values;
};

} // namespace collscope
