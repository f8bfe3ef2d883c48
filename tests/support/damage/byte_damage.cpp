// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/damage/byte_damage.h"

#include <algorithm>
#include <filesystem>

namespace collscope {

namespace {

constexpr std::string_view structuralCharacters = "{}[],:\"";
static_assert(waysOfDamage == 3 + 8 + structuralCharacters.size());

Ledger ledgerOfFile(const std::string& path, bool isThorough)
{
    ReadContext context;
    context.isThorough = isThorough;
    return ledgerOf(readerOf(SourceKind::Kineto)
                        .read({path, std::filesystem::file_size(path), -1, std::nullopt}, context));
}

} // namespace

Ledger ledgerOf(const Result<TraceFragment>& fragment)
{
    if (!fragment)
        return {};
    const SourceInfo& source = fragment->source;
    Ledger ledger{static_cast<std::int64_t>(source.eventsInFile), static_cast<std::int64_t>(source.shown),
                  static_cast<std::int64_t>(source.excluded), 0};
    for (const Diagnostic& finding : fragment->problems.entries()) {
        if (finding.code.starts_with("unbalanced"))
            ledger.partners += static_cast<std::int64_t>(finding.excludedEvents);
    }
    return ledger;
}

Ledger loadedLedger(const std::string& path)
{
    return ledgerOfFile(path, false);
}

Ledger examinedLedger(const std::string& path)
{
    return ledgerOfFile(path, true);
}

std::string textOf(const Ledger& ledger)
{
    return std::to_string(ledger.events) + " = " + std::to_string(ledger.shown) + " + "
        + std::to_string(ledger.excluded);
}

std::vector<std::size_t> structuralBytes(std::string_view text)
{
    std::vector<std::size_t> places;
    bool inString = false;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (inString && c == '\\') {
            ++at;
        } else if (c == '"') {
            inString = !inString;
            places.push_back(at);
        } else if (!inString && structuralCharacters.find(c) != std::string_view::npos) {
            places.push_back(at);
        }
    }
    return places;
}

std::string damaged(std::string text, std::size_t at, int way)
{
    constexpr int firstBit = 3;
    constexpr int firstStructural = firstBit + 8;
    if (way == 0)
        text.erase(at, 1);
    else if (way == 1)
        text[at] = ' ';
    else if (way == 2)
        text[at] = 'x';
    else if (way < firstStructural)
        text[at] = static_cast<char>(static_cast<unsigned char>(text[at]) ^ (1u << (way - firstBit)));
    else
        text[at] = structuralCharacters[static_cast<std::size_t>(way - firstStructural)];
    return text;
}

std::string mistakeAfterDamage(const std::string& path, const Ledger& sound)
{
    const Ledger loaded = loadedLedger(path);
    const Ledger checked = examinedLedger(path);
    if (!(loaded == checked))
        return "the doctor says " + textOf(checked) + ", the load " + textOf(loaded);
    if (loaded.events != loaded.shown + loaded.excluded || loaded.events != sound.events)
        return textOf(loaded) + ", and " + std::to_string(sound.events) + " events are in the file";
    const std::int64_t allowed = 1 + std::clamp<std::int64_t>(loaded.partners - sound.partners, 0, 1);
    return loaded.shown + allowed < sound.shown
        ? textOf(loaded) + " of " + std::to_string(sound.shown) + " shown"
        : std::string();
}

} // namespace collscope
