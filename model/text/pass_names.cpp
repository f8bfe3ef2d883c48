// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/text/pass_names.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace collscope {

namespace {

/// Removes the digits at the front of `text` and returns their value; 0 without digits.
std::int64_t takeNumber(std::string_view& text)
{
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || number < 0)
        return 0;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return number;
}

bool takePrefix(std::string_view& text, std::string_view prefix)
{
    if (!text.starts_with(prefix))
        return false;
    text.remove_prefix(prefix.size());
    return true;
}

/// Parses "EXTEND bs=15 toks=15360" from "step[EXTEND bs=15 toks=15360]".
PassName ofBracket(std::string_view inside)
{
    constexpr std::array<std::pair<std::string_view, PassKind>, 3> modes{
        {{"EXTEND", PassKind::Prefill}, {"DECODE", PassKind::Decode}, {"MIXED", PassKind::Mixed}}};
    PassName pass;
    pass.isExecute = false;
    const std::string_view mode = inside.substr(0, inside.find_first_of(" ]"));
    for (const auto& [word, kind] : modes) {
        if (mode == word)
            pass.kind = kind;
    }
    constexpr std::string_view tokens = " toks=";
    const std::size_t at = inside.find(tokens);
    if (pass.kind == PassKind::Prefill && at != std::string_view::npos) {
        inside.remove_prefix(at + tokens.size());
        pass.contextTokens = takeNumber(inside);
    }
    return pass;
}

} // namespace

std::optional<PassName> passNameOf(std::string_view name)
{
    if (takePrefix(name, "step["))
        return ofBracket(name);
    if (!takePrefix(name, "execute_"))
        return std::nullopt;
    const std::string_view behind = name;
    if (!takePrefix(name, "context_")) {
        takeNumber(name); // requests or tokens of the complete batch
        if (name.size() == behind.size() || !takePrefix(name, "_context_"))
            return std::nullopt;
    }
    PassName pass;
    const std::int64_t reading = takeNumber(name);
    if (takePrefix(name, "(")) {
        takePrefix(name, "sq"); // length of the queries, which precedes the length of the keys
        pass.contextTokens = takeNumber(name);
    }
    constexpr std::string_view part = "_generation_";
    std::int64_t generating = 0;
    if (const std::size_t at = name.find(part); at != std::string_view::npos) {
        name.remove_prefix(at + part.size());
        generating = takeNumber(name);
    }
    if (reading > 0)
        pass.kind = generating > 0 ? PassKind::Mixed : PassKind::Prefill;
    else if (generating > 0)
        pass.kind = PassKind::Decode;
    return pass;
}

} // namespace collscope
