// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/history/inspector_template.h"

#include "model/text/lower_case.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace collscope {

namespace {

/// A number without an exponent. Of at most 15 digits, so that the value is exact or rounded once.
struct PlainNumber
{
    std::uint64_t digits = 0; ///< without the point
    int decimals = 0;
    bool isNegative = false;
    const char* end = nullptr; ///< nullptr: it is none

    double value() const
    {
        static constexpr double powers[]
            = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
        const double whole = static_cast<double>(digits) / powers[decimals];
        return isNegative ? -whole : whole;
    }
};

PlainNumber plainNumber(const char* at, const char* end)
{
    constexpr int mostDigits = 18;
    PlainNumber number;
    number.isNegative = at != end && *at == '-';
    at += number.isNegative ? 1 : 0;
    const char* const first = at;
    while (at != end && isDigit(*at) && at - first < mostDigits)
        number.digits = number.digits * 10 + static_cast<std::uint64_t>(*at++ - '0');
    const auto whole = at - first;
    if (whole == 0 || (whole > 1 && *first == '0'))
        return {};
    if (at != end && *at == '.') {
        const char* const point = at++;
        while (at != end && isDigit(*at) && whole + (at - point) <= 15)
            number.digits = number.digits * 10 + static_cast<std::uint64_t>(*at++ - '0');
        number.decimals = static_cast<int>(at - point - 1);
        if (number.decimals == 0)
            return {};
    }
    const bool goesOn = at != end && (isDigit(*at) || *at == '.' || *at == 'e' || *at == 'E');
    number.end = goesOn ? nullptr : at;
    return number;
}

} // namespace

/// nullopt: the number is part of the text. Numbers without a use may differ.
std::optional<InspectorTemplate::Figure> InspectorTemplate::figureOf(std::string_view key)
{
    constexpr std::pair<std::string_view, Figure> figures[] = {{"dump_timestamp_us", Figure::DumpTime},
                                                               {"coll_sn", Figure::Number},
                                                               {"p2p_sn", Figure::Number},
                                                               {"coll_msg_size_bytes", Figure::Bytes},
                                                               {"p2p_msg_size_bytes", Figure::Bytes},
                                                               {"coll_exec_time_us", Figure::Duration},
                                                               {"p2p_exec_time_us", Figure::Duration},
                                                               {"coll_busbw_gbs", Figure::BusBandwidth},
                                                               {"p2p_busbw_gbs", Figure::BusBandwidth},
                                                               {"coll_start_ts", Figure::HostStart},
                                                               {"p2p_start_ts", Figure::HostStart},
                                                               {"kernel_start_ts", Figure::KernelStart},
                                                               {"coll_algobw_gbs", Figure::Unused},
                                                               {"p2p_algobw_gbs", Figure::Unused},
                                                               {"coll_stop_ts", Figure::Unused},
                                                               {"p2p_stop_ts", Figure::Unused},
                                                               {"kernel_stop_ts", Figure::Unused},
                                                               {"kernel_record_ts", Figure::Unused},
                                                               {"kernel_start_sn", Figure::Unused},
                                                               {"kernel_stop_sn", Figure::Unused},
                                                               {"kernel_record_sn", Figure::Unused}};
    const auto at = std::find_if(std::begin(figures), std::end(figures),
                                 [key](const auto& own) { return own.first == key; });
    return at == std::end(figures) ? std::nullopt : std::optional(at->second);
}

std::optional<InspectorTemplate> InspectorTemplate::of(std::string_view record)
{
    constexpr std::size_t longest = std::size_t{64} * 1024, mostPieces = 4096;
    InspectorTemplate own;
    std::string_view key;
    std::size_t begin = 0, found[8] = {};
    if (record.size() > longest)
        return std::nullopt;
    for (std::size_t at = 0; at < record.size(); ++at) {
        if (record[at] == '"') {
            const std::size_t first = at + 1;
            for (++at; at < record.size() && record[at] != '"'; ++at)
                at += record[at] == '\\' ? 1u : 0u;
            if (at >= record.size())
                return std::nullopt;
            if (at + 1 < record.size() && record[at + 1] == ':')
                key = record.substr(first, at - first);
            continue;
        }
        if (!isDigit(record[at]) && record[at] != '-')
            continue;
        const PlainNumber number = plainNumber(record.data() + at, record.data() + record.size());
        const auto figure = figureOf(key);
        if (number.end == nullptr)
            return std::nullopt;
        const auto end = static_cast<std::size_t>(number.end - record.data());
        if (figure) {
            ++found[static_cast<std::size_t>(*figure)];
            own.m_pieces.push_back(
                {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at - begin), *figure});
            begin = end;
            if (own.m_pieces.size() > mostPieces)
                return std::nullopt;
        }
        at = end - 1;
    }
    for (const Figure figure : {Figure::Number, Figure::Bytes, Figure::Duration}) {
        if (found[static_cast<std::size_t>(figure)] != 1)
            return std::nullopt;
    }
    for (const Figure figure : {Figure::DumpTime, Figure::BusBandwidth, Figure::HostStart}) {
        if (found[static_cast<std::size_t>(figure)] > 1)
            return std::nullopt;
    }
    own.m_tail = static_cast<std::uint32_t>(begin);
    own.m_text = record;
    return own;
}

bool InspectorTemplate::read(std::string_view record, InspectorFigures& figures) const
{
    const char* at = record.data();
    const char* const end = at + record.size();
    figures = {};
    for (const Piece& piece : m_pieces) {
        if (static_cast<std::size_t>(end - at) < piece.length
            || std::memcmp(at, m_text.data() + piece.begin, piece.length) != 0)
            return false;
        const PlainNumber number = plainNumber(at + piece.length, end);
        at = number.end;
        if (at == nullptr)
            return false;
        const bool isReal = piece.figure == Figure::Duration || piece.figure == Figure::BusBandwidth;
        if (piece.figure != Figure::Unused && !isReal && (number.isNegative || number.decimals > 0))
            return false;
        const auto whole = static_cast<std::int64_t>(number.digits);
        switch (piece.figure) {
        case Figure::Unused:
            break;
        case Figure::DumpTime:
            figures.dumpUs = whole;
            break;
        case Figure::Number:
            figures.number = number.digits;
            break;
        case Figure::Bytes:
            figures.bytes = number.digits;
            break;
        case Figure::Duration:
            figures.durationUs = number.value();
            break;
        case Figure::BusBandwidth:
            figures.busGbPerSecond = number.value();
            break;
        case Figure::HostStart:
            figures.hostStartUs = whole;
            break;
        case Figure::KernelStart:
            figures.kernelStartUs
                = figures.kernelStartUs == 0 ? whole : std::min(figures.kernelStartUs, whole);
            break;
        }
    }
    return static_cast<std::size_t>(end - at) == m_text.size() - m_tail
        && std::memcmp(at, m_text.data() + m_tail, m_text.size() - m_tail) == 0;
}

} // namespace collscope
