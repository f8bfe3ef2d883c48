// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/damage/mutator.h"

#include <algorithm>
#include <array>

namespace collscope {

namespace {

/// What finds its way into files; each is put in as it is.
const std::array<std::string, 14> strays{"\"",
                                         "\\",
                                         std::string("\x01"),
                                         "\xff\xfe",
                                         std::string("\0", 1),
                                         ",",
                                         "]",
                                         "}",
                                         "{",
                                         "NaN",
                                         "\n[rank1]: W1114 12:00:00 \"timeout\" {3}\n",
                                         "WARNING: it's late\n",
                                         "{\"schemaVersion\": 1, \"traceEvents\": [",
                                         "], \"traceName\": \"x\"}"};

} // namespace

std::size_t Mutator::number(std::size_t below)
{
    return static_cast<std::size_t>(m_random() % std::max<std::size_t>(below, 1));
}

std::string Mutator::damaged(std::string text, int most)
{
    const std::size_t wounds = 1 + number(static_cast<std::size_t>(most));
    for (std::size_t i = 0; i < wounds && !text.empty(); ++i)
        wound(text);
    return text;
}

void Mutator::wound(std::string& text)
{
    const std::size_t at = number(text.size());
    switch (number(6)) {
    case 0: // a bit flips
        text[at] = static_cast<char>(static_cast<unsigned char>(text[at]) ^ (1u << number(8)));
        break;
    case 1: // bytes are lost
        text.erase(at, 1 + number(60));
        break;
    case 2: // bytes are written twice
        text.insert(at, text.substr(at, 1 + number(300)));
        break;
    case 3: // a block was never written
        std::fill_n(text.begin() + static_cast<std::ptrdiff_t>(at),
                    std::min<std::size_t>(text.size() - at, number(200)), '\0');
        break;
    case 4: // the end is missing
        if (number(4) == 0)
            text.resize(at);
        break;
    default:
        text.insert(at, strays[number(strays.size())]);
        break;
    }
}

std::string Mutator::interleaved(std::string_view a, std::string_view b, std::size_t buffer)
{
    std::string text;
    while (!a.empty() || !b.empty()) {
        std::string_view& from = b.empty() || (!a.empty() && number(2) == 0) ? a : b;
        const std::size_t bytes = std::min(from.size(), 1 + number(2 * buffer));
        text += from.substr(0, bytes);
        from.remove_prefix(bytes);
    }
    return text;
}

} // namespace collscope
