// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/text/measurement_text.h"

#include "model/readers/text/json_blanks.h"
#include "model/readers/text/json_repair.h"
#include "model/readers/text/nesting.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace collscope {

TraceFragment fragmentOf(const SourceFile& file, SourceKind kind)
{
    TraceFragment fragment;
    fragment.source.path = file.path;
    fragment.source.kind = kind;
    fragment.source.bytes = file.bytes;
    fragment.source.iteration = file.iteration;
    return fragment;
}

Result<std::string> readText(const SourceFile& file, const ReadContext& context, Diagnostics& problems,
                             std::size_t mostBytes)
{
    auto source = ByteSource::open(file.path);
    if (!source)
        return source.error();
    std::string text;
    for (std::size_t got = 1; got > 0;) {
        constexpr std::uint64_t most = std::uint64_t{1} << 20;
        // What a file claims to have is enough for it, if it is not compressed: thousands of them are small.
        const std::size_t chunk = std::clamp<std::uint64_t>(file.bytes + 1, 4096, most);
        const std::size_t filled = text.size();
        if (filled > mostBytes)
            return Error{Error::Kind::TooLarge,
                         "The file is too large for its format (over " + std::to_string(mostBytes >> 20)
                             + " MiB).",
                         file.path, 0};
        if (context.mustStop())
            return Error{Error::Kind::Cancelled, "Loading was cancelled.", file.path, 0};
        text.resize(filled + chunk);
        got = (*source)->read(std::span<char>(text).subspan(filled));
        text.resize(filled + got);
        context.progress((*source)->diskBytesRead());
    }
    noteDamage(**source, file.path, text.size(), problems);
    return text;
}

void noteDamage(const ByteSource& source, const std::string& path, std::uint64_t offset,
                Diagnostics& problems)
{
    if (const auto damage = source.damage())
        problems.add(Severity::DataLoss, damage->code, path, offset, damage->explanation);
}

std::optional<std::string> strictJson(std::string_view text, const std::string& path, std::uint64_t offset,
                                      Diagnostics& problems)
{
    if (isOutsizeJson(text)) {
        problems.add(Severity::DataLoss, "outsize_json", path, offset,
                     "The JSON nests lists or objects deeper, or contains more of them, than any "
                     "measurement; it was not read.");
        return std::nullopt;
    }
    if (nlohmann::json::accept(text))
        return std::string(text);
    RepairedJson repaired = repairJson(text);
    if (!repaired.changed() || !nlohmann::json::accept(repaired.text))
        return std::nullopt;
    problems.add(Severity::Notice, "repaired_json", path, offset,
                 "The text contains values that JSON does not allow (NaN, a trailing comma, bytes that are "
                 "not UTF-8); it was read nevertheless, with NaN as \"not stated\".");
    return std::move(repaired.text);
}

bool holdsMember(std::string_view text, std::string_view key, std::string_view first)
{
    const std::string quoted = '"' + std::string(key) + '"';
    for (std::size_t at = text.find(quoted); at != std::string_view::npos;
         at = text.find(quoted, at + quoted.size())) {
        const std::size_t colon = text.find_first_not_of(jsonBlanks, at + quoted.size());
        if (colon == std::string_view::npos || text[colon] != ':')
            continue;
        const std::size_t value = text.find_first_not_of(jsonBlanks, colon + 1);
        if (value != std::string_view::npos && first.find(text[value]) != std::string_view::npos)
            return true;
    }
    return false;
}

std::string_view withoutLeadingBlanks(std::string_view text)
{
    if (text.starts_with("\xEF\xBB\xBF"))
        text.remove_prefix(3);
    const std::size_t start = text.find_first_not_of(jsonBlanks);
    return start == std::string_view::npos ? std::string_view() : text.substr(start);
}

} // namespace collscope
