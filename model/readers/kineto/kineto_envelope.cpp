// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/kineto/kineto_envelope.h"

#include "model/readers/text/decimal_time.h"
#include "model/readers/text/json_blanks.h"
#include "model/readers/text/json_repair.h"
#include "model/readers/text/list_pieces.h"
#include "model/readers/text/nesting.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>

namespace collscope {

namespace {

using nlohmann::json;

std::optional<std::int64_t> integer(const json& object, const char* key)
{
    const auto found = object.find(key);
    if (found == object.end())
        return std::nullopt;
    if (found->is_number_integer())
        return found->get<std::int64_t>();
    return found->is_string() ? integerFromText(found->get_ref<const std::string&>()) : std::nullopt;
}

/// A number that fits an int and is at least `least`; nullopt otherwise.
std::optional<std::int32_t> count(const json& object, const char* key, std::int32_t least)
{
    const auto number = integer(object, key);
    const bool fits = number && *number >= least && *number <= std::numeric_limits<std::int32_t>::max();
    return fits ? std::optional(static_cast<std::int32_t>(*number)) : std::nullopt;
}

KinetoEnvelope::Device deviceOf(const json& entry)
{
    KinetoEnvelope::Device device;
    device.id = integer(entry, "id");
    if (const auto name = entry.find("name"); name != entry.end() && name->is_string())
        device.name = name->get<std::string>();
    device.multiprocessors = count(entry, "numSms", 0);
    return device;
}

std::string textMember(const json& object, const char* key)
{
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// The host's name; "" for names that any computer may have.
std::string hostOf(const json& root)
{
    std::string host = textMember(root, "host_name");
    return host.starts_with("localhost") ? std::string() : host;
}

KinetoEnvelope::Group groupOf(const json& entry)
{
    KinetoEnvelope::Group group;
    group.name = textMember(entry, "pg_name");
    group.description = textMember(entry, "pg_desc");
    group.size = count(entry, "pg_size", 1);
    if (const auto ranks = entry.find("ranks"); ranks != entry.end() && ranks->is_array()) {
        for (const json& rank : *ranks) {
            const bool fits = rank.is_number_integer() && rank.get<std::int64_t>() >= 0
                && rank.get<std::int64_t>() <= std::numeric_limits<std::int32_t>::max();
            if (fits)
                group.ranks.push_back(rank.get<std::int32_t>());
        }
    }
    return group;
}

/// Extracts the needed members of a damaged document, each by its key.
json salvage(const std::string& text)
{
    json root = json::object();
    for (const char* key : {"distributedInfo", "deviceProperties", "baseTimeNanoseconds", "host_name"}) {
        const std::string quoted = '"' + std::string(key) + '"';
        const std::size_t at = text.find(quoted);
        const std::size_t value
            = at == std::string::npos ? at : text.find_first_not_of(" \t\r\n:", at + quoted.size());
        if (value == std::string::npos)
            continue;
        // A member's value ends like an element of a list.
        const ListPiece piece = nextPiece(text, value, true);
        if (piece.kind != ListPiece::Kind::Event && piece.kind != ListPiece::Kind::Other)
            continue;
        json found
            = json::parse(repairJson(text.substr(piece.begin, piece.end - piece.begin)).text, nullptr, false);
        if (!found.is_discarded())
            root[key] = std::move(found);
    }
    return root;
}

/// Describes where a text is cut off inside brackets, and how it can be completed.
struct CutText
{
    std::string closers; ///< closes the open brackets; "" if none are open
    std::size_t wholeEnd = 0; ///< after the last member that is certainly complete
    bool inString = false;
};

CutText cutOf(std::string_view text)
{
    CutText cut;
    bool isEscaped = false;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (cut.inString) {
            cut.inString = c != '"' || isEscaped;
            isEscaped = c == '\\' && !isEscaped;
        } else if (c == '"') {
            cut.inString = true;
        } else if (c == '{' || c == '[') {
            cut.closers += c == '{' ? '}' : ']';
            cut.wholeEnd = at + 1;
        } else if (c == '}' || c == ']') {
            if (cut.closers.empty() || cut.closers.back() != c)
                return {}; // not just cut off, but damaged
            cut.closers.pop_back();
            cut.wholeEnd = at + 1;
        } else if (c == ',') {
            cut.wholeEnd = at;
        }
    }
    std::reverse(cut.closers.begin(), cut.closers.end());
    return cut;
}

/// Index after the one-line string that starts at `quote`, or the text's size if it is cut off; npos if it is
/// not such a string.
std::size_t afterCutString(std::string_view text, std::size_t quote)
{
    for (std::size_t at = quote + 1; at < text.size(); ++at) {
        if (static_cast<unsigned char>(text[at]) < ' ')
            return std::string_view::npos;
        if (text[at] == '"')
            return at + 1;
        at += text[at] == '\\' ? 1u : 0u;
    }
    return text.size();
}

/// Whether text after the last complete member is the start of another member, and not a log line or text
/// inverted by a lost quote.
bool mayBeMember(std::string_view text)
{
    constexpr std::string_view scalars = "+-.0123456789eEtrufalsn";
    std::size_t at = text.find_first_not_of(jsonBlanks);
    if (at != std::string_view::npos && text[at] == ',')
        at = text.find_first_not_of(jsonBlanks, at + 1);
    for (const bool isValue : {false, true}) {
        if (at == std::string_view::npos)
            return true;
        const std::size_t end
            = text[at] == '"' ? afterCutString(text, at) : text.find_first_not_of(scalars, at);
        if (end == at || (end == std::string_view::npos && text[at] == '"'))
            return false;
        at = end >= text.size() ? std::string_view::npos : text.find_first_not_of(jsonBlanks, end);
        if (isValue || at == std::string_view::npos || text[at] != ':')
            break;
        at = text.find_first_not_of(jsonBlanks, at + 1);
    }
    return at == std::string_view::npos;
}

/// Completes a document whose end is missing; its last member is kept if complete. Discarded if that fails.
json closedDocument(const std::string& text)
{
    json none(json::value_t::discarded);
    const CutText cut = cutOf(text);
    if (cut.closers.empty())
        return none;
    // A number at the end of the text may be incomplete.
    const std::size_t last = text.find_last_not_of(" \t\r\n");
    const bool endsWhole = !cut.inString && last != std::string::npos
        && std::string_view("\"}]el").find(text[last]) != std::string_view::npos;
    if (endsWhole) {
        if (json root = json::parse(text + cut.closers, nullptr, false); !root.is_discarded())
            return root;
    }
    if (!mayBeMember(std::string_view(text).substr(cut.wholeEnd)))
        return none;
    const std::string whole = text.substr(0, cut.wholeEnd) + cut.closers;
    json root = json::parse(whole, nullptr, false);
    return root.is_discarded() ? json::parse(repairJson(whole).text, nullptr, false) : root;
}

struct ParsedEnvelope
{
    enum class Way
    {
        Sound,
        Repaired,
        Closed, ///< its end is missing
        Salvaged
    };
    json root;
    Way way = Way::Sound;
};

ParsedEnvelope parseEnvelope(const std::string& text)
{
    using Way = ParsedEnvelope::Way;
    if (isOutsizeJson(text)) // members that are looked up are copied recursively
        return {json::object(), Way::Salvaged};
    if (json root = json::parse(text, nullptr, false); !root.is_discarded())
        return {std::move(root), Way::Sound};
    if (json root = json::parse(repairJson(text).text, nullptr, false); !root.is_discarded())
        return {std::move(root), Way::Repaired};
    if (json root = closedDocument(text); !root.is_discarded())
        return {std::move(root), Way::Closed};
    return {salvage(text), Way::Salvaged};
}

void report(const ParsedEnvelope& parsed, const std::string& path, Diagnostics& problems)
{
    if (parsed.way == ParsedEnvelope::Way::Repaired)
        problems.add(Severity::Notice, "repaired_metadata", path, 0,
                     "The text around the event list contains values that JSON does not allow (NaN, a "
                     "trailing comma, bytes that are not UTF-8); it was read nevertheless.");
    if (parsed.way != ParsedEnvelope::Way::Salvaged)
        return;
    problems.add(Severity::Notice, "bad_metadata", path, 0,
                 parsed.root.contains("distributedInfo")
                     ? "The text around the event list is not valid JSON; rank and world size could be read, "
                       "other members may be missing."
                     : "The text around the event list is not valid JSON; the rank is unknown, and devices "
                       "and clock base may be unknown too.");
}

} // namespace

const KinetoEnvelope::Device* KinetoEnvelope::device(std::int32_t id) const
{
    if (devices.empty())
        return nullptr;
    const auto own = std::find_if(devices.begin(), devices.end(),
                                  [id](const Device& device) { return id < 0 || device.id == id; });
    if (own != devices.end())
        return &*own;
    // ROCm numbers a kernel's GPU by agent, but the list from 0: if all devices are alike, any of them will
    // do.
    const Device& first = devices.front();
    const bool alike = std::all_of(devices.begin(), devices.end(), [&](const Device& device) {
        return device.name == first.name && device.multiprocessors == first.multiprocessors;
    });
    return alike ? &first : nullptr;
}

KinetoEnvelope readKinetoEnvelope(const std::string& text, const std::string& path, Diagnostics& problems)
{
    KinetoEnvelope envelope;
    const ParsedEnvelope parsed = parseEnvelope(text);
    report(parsed, path, problems);
    envelope.isCut = parsed.way == ParsedEnvelope::Way::Closed;
    const json& root = parsed.root;
    if (!root.is_object())
        return envelope;
    envelope.baseTimeNs = integer(root, "baseTimeNanoseconds").value_or(0);
    if (envelope.baseTimeNs < 0 || envelope.baseTimeNs > std::numeric_limits<std::int64_t>::max() / 4)
        envelope.baseTimeNs = 0; // not used as a clock: sums with the events' times would overflow
    envelope.host = hostOf(root);
    if (const auto info = root.find("distributedInfo"); info != root.end() && info->is_object()) {
        envelope.rank = count(*info, "rank", 0);
        envelope.worldSize = count(*info, "world_size", 1);
        envelope.backend = textMember(*info, "backend");
        if (const auto groups = info->find("pg_config"); groups != info->end() && groups->is_array()) {
            for (const json& entry : *groups) {
                if (entry.is_object())
                    envelope.groups.push_back(groupOf(entry));
            }
        }
    }
    if (const auto devices = root.find("deviceProperties"); devices != root.end() && devices->is_array()) {
        envelope.listsDevices = true;
        for (const json& entry : *devices) {
            if (entry.is_object())
                envelope.devices.push_back(deviceOf(entry));
        }
    }
    return envelope;
}

std::string cleanEnvelopeMembers(const std::string& text)
{
    json root = parseEnvelope(text).root;
    if (!root.is_object())
        return {};
    root.erase("traceEvents");
    const std::string object = root.dump(1, '\t', false, json::error_handler_t::replace);
    return root.empty() ? std::string()
                        : object.substr(2, object.size() - 4); // without the lines of the braces
}

} // namespace collscope
