// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/measurement_text.h"

#include "model/readers/byte_source.h"
#include "model/readers/json_repair.h"

#include <nlohmann/json.hpp>

namespace collscope {

namespace {

constexpr std::size_t largestText = std::size_t{256} << 20; ///< with every token's time; most are a few KiB
constexpr std::string_view blanks = " \t\r\n";

} // namespace

TraceFragment fragmentOf(const SourceFile& file, SourceKind kind)
{
    TraceFragment fragment;
    fragment.source.path = file.path;
    fragment.source.kind = kind;
    fragment.source.bytes = file.bytes;
    fragment.source.iteration = file.iteration;
    return fragment;
}

Result<std::string> readText(const SourceFile& file, const ReadContext& context, Diagnostics& problems)
{
    auto source = ByteSource::open(file.path);
    if (!source)
        return source.error();
    std::string text;
    for (std::size_t got = 1; got > 0;) {
        constexpr std::size_t chunk = std::size_t{1} << 20;
        const std::size_t filled = text.size();
        if (filled > largestText)
            return Error{Error::Kind::TooLarge, "The file is too large for a measurement (over 256 MiB).",
                         file.path, 0};
        if (context.cancelled())
            return Error{Error::Kind::Cancelled, "Loading was cancelled.", file.path, 0};
        text.resize(filled + chunk);
        got = (*source)->read(std::span<char>(text).subspan(filled));
        text.resize(filled + got);
        context.progress((*source)->diskBytesRead());
    }
    if (const std::string damage = (*source)->damage(); !damage.empty())
        problems.add(Severity::DataLoss, "damaged_gzip", file.path, text.size(), damage);
    return text;
}

std::optional<std::string> strictJson(std::string_view text, const std::string& path, std::uint64_t offset,
                                      Diagnostics& problems)
{
    if (nlohmann::json::accept(text))
        return std::string(text);
    RepairedJson repaired = repairJson(text);
    if (!repaired.changed() || !nlohmann::json::accept(repaired.text))
        return std::nullopt;
    problems.add(Severity::Notice, "repaired_json", path, offset,
                 "The text holds something that JSON does not allow (NaN, a trailing comma, bytes that are "
                 "not UTF-8); it was read all the same, NaN as \"not stated\".");
    return std::move(repaired.text);
}

bool holdsMember(std::string_view text, std::string_view key, std::string_view first)
{
    const std::string quoted = '"' + std::string(key) + '"';
    for (std::size_t at = text.find(quoted); at != std::string_view::npos;
         at = text.find(quoted, at + quoted.size())) {
        const std::size_t colon = text.find_first_not_of(blanks, at + quoted.size());
        if (colon == std::string_view::npos || text[colon] != ':')
            continue;
        const std::size_t value = text.find_first_not_of(blanks, colon + 1);
        if (value != std::string_view::npos && first.find(text[value]) != std::string_view::npos)
            return true;
    }
    return false;
}

std::string_view withoutLeadingBlanks(std::string_view text)
{
    if (text.starts_with("\xEF\xBB\xBF"))
        text.remove_prefix(3);
    const std::size_t start = text.find_first_not_of(blanks);
    return start == std::string_view::npos ? std::string_view() : text.substr(start);
}

} // namespace collscope
