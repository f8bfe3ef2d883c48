// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/hang/witness_text.h"

#include "model/text/valid_text.h"

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

} // namespace collscope
