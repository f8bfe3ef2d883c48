// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/text/natural_order.h"

#include "model/text/lower_case.h"

#include <algorithm>

namespace collscope {

bool naturallyBefore(std::string_view a, std::string_view b)
{
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < a.size() && j < b.size()) {
        if (isDigit(a[i]) && isDigit(b[j])) {
            const std::size_t firstA = std::min(a.find_first_not_of('0', i), a.size());
            const std::size_t firstB = std::min(b.find_first_not_of('0', j), b.size());
            std::size_t endA = firstA;
            std::size_t endB = firstB;
            while (endA < a.size() && isDigit(a[endA]))
                ++endA;
            while (endB < b.size() && isDigit(b[endB]))
                ++endB;
            const std::string_view numberA = a.substr(firstA, endA - firstA);
            const std::string_view numberB = b.substr(firstB, endB - firstB);
            if (numberA.size() != numberB.size())
                return numberA.size() < numberB.size();
            if (numberA != numberB)
                return numberA < numberB;
            i = endA;
            j = endB;
        } else if (a[i] != b[j]) {
            return a[i] < b[j];
        } else {
            ++i;
            ++j;
        }
    }
    return a.size() - i < b.size() - j;
}

} // namespace collscope
