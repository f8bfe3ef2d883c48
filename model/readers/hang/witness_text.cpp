// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/hang/witness_text.h"

#include "model/text/valid_text.h"

#include <algorithm>
#include <charconv>

namespace collscope {

WitnessNumber witnessNumber(std::string_view text)
{
    std::int64_t value = 0;
    const char* const last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, value);
    if (error != std::errc())
        return {std::nullopt, text};
    return {value, text.substr(static_cast<std::size_t>(end - text.data()))};
}

std::optional<std::int32_t> witnessRank(std::optional<std::int64_t> number)
{
    if (!number || *number < 0 || *number > largestRank)
        return std::nullopt;
    return static_cast<std::int32_t>(*number);
}

std::string witnessText(std::string_view text)
{
    constexpr std::size_t longest = 4096;
    return std::string(textFront(validText(textFront(text, longest)), longest));
}

std::string withoutTerminalColours(std::string_view text)
{
    std::string plain;
    plain.reserve(text.size());
    for (std::size_t i = 0; i < text.size();) {
        if (text[i] != '\x1b' || i + 1 >= text.size() || text[i + 1] != '[') {
            plain += text[i++];
            continue;
        }
        i += 2;
        while (i < text.size() && (text[i] < '@' || text[i] > '~'))
            ++i;
        i = std::min(i + 1, text.size());
    }
    return plain;
}

} // namespace collscope
