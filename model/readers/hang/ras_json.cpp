// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/hang/ras_json.h"

#include "model/readers/hang/witness_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <vector>

namespace collscope {

namespace {

using nlohmann::json;

/// What a list or an object is, by its place.
enum class Place : std::uint8_t
{
    Root,
    Communicators,
    Communicator,
    Members,
    Member,
    MemberStatus,
    Counts,
    MissingRanks,
    Missing,
    MissingStatus,
    Other
};

struct CollectionStep
{
    Place parent;
    std::string_view key; ///< empty in a list
    bool isObject;
    Place child;
};

constexpr CollectionStep steps[] = {
    {Place::Root, "communicators", false, Place::Communicators},
    {Place::Communicators, "", true, Place::Communicator},
    {Place::Communicator, "ranks", false, Place::Members},
    {Place::Communicator, "missing_ranks", false, Place::MissingRanks},
    {Place::Members, "", true, Place::Member},
    {Place::Member, "status", true, Place::MemberStatus},
    {Place::Member, "collective_counts", true, Place::Counts},
    {Place::MissingRanks, "", true, Place::Missing},
    {Place::Missing, "status", true, Place::MissingStatus},
};

/// Sorts by rank, and keeps one of each; ranks outside the communicator are left out.
template<typename Entry>
void keepRanks(std::vector<Entry>& entries, std::int32_t size)
{
    std::erase_if(entries, [&](const Entry& entry) { return entry.rank >= size; });
    std::stable_sort(entries.begin(), entries.end(),
                     [](const Entry& a, const Entry& b) { return a.rank < b.rank; });
    const auto isSame = [](const Entry& a, const Entry& b) { return a.rank == b.rank; };
    entries.erase(std::unique(entries.begin(), entries.end(), isSame), entries.end());
}

/// Takes the snapshot out of the parser's events: a tree of all ranks would need a hundred times the memory.
class RasEvents : public nlohmann::json_sax<json>
{
public:
    enum class Trouble : std::uint8_t
    {
        None,
        Damaged,
        TooDeep,
        TooMany
    };

    RasSnapshot snapshot;
    Trouble trouble = Trouble::None;
    bool isRas = false;

    bool null() override { return true; }
    bool boolean(bool value) override;
    bool number_integer(number_integer_t value) override { return number(value); }
    bool number_unsigned(number_unsigned_t value) override
    {
        return value > std::numeric_limits<std::int64_t>::max() || number(static_cast<std::int64_t>(value));
    }
    bool number_float(number_float_t, const string_t&) override { return true; }
    bool string(string_t& value) override;
    bool binary(binary_t&) override { return true; }
    bool key(string_t& name) override
    {
        m_key.swap(name);
        return true;
    }
    bool start_object(std::size_t) override { return begin(true); }
    bool start_array(std::size_t) override { return begin(false); }
    bool end_object() override;
    bool end_array() override
    {
        m_places.pop_back();
        return true;
    }
    bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override
    {
        trouble = Trouble::Damaged;
        return false;
    }

private:
    bool begin(bool isObject);
    bool number(std::int64_t value);
    Place place() const { return m_places.empty() ? Place::Other : m_places.back(); }
    bool stop(Trouble why)
    {
        trouble = why;
        return false;
    }
    void endCommunicator();
    template<typename Entry>
    bool keep(Entry& entry, std::vector<Entry>& entries);

    std::vector<Place> m_places;
    std::string m_key; ///< the last one; that of the value that comes next, if it is in an object
    RasCommunicator m_communicator;
    RasCommunicator::Member m_member;
    RasCommunicator::Missing m_missing;
    std::size_t m_entries = 0;
};

bool RasEvents::begin(bool isObject)
{
    constexpr std::size_t deepest = 64;
    if (m_places.size() >= deepest)
        return stop(Trouble::TooDeep);
    Place child = m_places.empty() && isObject ? Place::Root : Place::Other;
    for (const CollectionStep& step : steps) {
        if (step.parent == place() && step.isObject == isObject && (step.key.empty() || step.key == m_key))
            child = step.child;
    }
    if (child == Place::Communicator)
        m_communicator = {};
    else if (child == Place::Member)
        m_member = {.rank = -1, .counts = {}, .asyncError = 0};
    else if (child == Place::Missing)
        m_missing = {.rank = -1};
    isRas = isRas || child == Place::Counts || child == Place::Missing;
    m_places.push_back(child);
    return true;
}

bool RasEvents::boolean(bool value)
{
    if (place() == Place::MissingStatus && m_key == "considered_dead")
        m_missing.isDead = value;
    else if (place() == Place::MissingStatus && m_key == "unresponsive")
        m_missing.isUnresponsive = value;
    return true;
}

bool RasEvents::number(std::int64_t value)
{
    constexpr std::size_t mostOperations = 256; // NCCL has about ten
    const auto rank = witnessRank(value);
    if (place() == Place::Root)
        isRas = isRas || m_key == "communicators_count";
    else if (place() == Place::Communicator && m_key == "size")
        m_communicator.size = value > 0 && value <= largestRank ? static_cast<std::int32_t>(value) : 0;
    else if (place() == Place::Member && m_key == "rank")
        m_member.rank = rank.value_or(-1);
    else if (place() == Place::Missing && m_key == "rank")
        m_missing.rank = rank.value_or(-1);
    else if (place() == Place::MemberStatus && m_key == "async_error")
        m_member.asyncError = value;
    else if (place() == Place::Counts && value >= 0 && m_member.counts.size() < mostOperations)
        m_member.counts.push_back({witnessText(m_key), value});
    return true;
}

bool RasEvents::string(string_t& value)
{
    if (place() == Place::Root && m_key == "timestamp")
        snapshot.time = witnessText(value);
    else if (place() == Place::Communicator && m_key == "hash")
        m_communicator.hash = witnessText(value);
    return true;
}

template<typename Entry>
bool RasEvents::keep(Entry& entry, std::vector<Entry>& entries)
{
    constexpr std::size_t most = 1'000'000;
    if (entry.rank < 0)
        return true;
    if (m_entries == most)
        return stop(Trouble::TooMany);
    ++m_entries;
    entries.push_back(std::move(entry));
    return true;
}

void RasEvents::endCommunicator()
{
    auto& [hash, size, members, missing] = m_communicator;
    keepRanks(members, size);
    keepRanks(missing, size);
    // Whoever answered is not missing, whatever else is said.
    const auto answered = [&known = members](const RasCommunicator::Missing& entry) {
        const auto isBefore
            = [](const RasCommunicator::Member& member, std::int32_t rank) { return member.rank < rank; };
        const auto at = std::lower_bound(known.begin(), known.end(), entry.rank, isBefore);
        return at != known.end() && at->rank == entry.rank;
    };
    std::erase_if(missing, answered);
    if (size > 0)
        snapshot.communicators.push_back(std::move(m_communicator));
}

bool RasEvents::end_object()
{
    const Place ended = place();
    m_places.pop_back();
    if (ended == Place::Member)
        return keep(m_member, m_communicator.members);
    if (ended == Place::Missing)
        return keep(m_missing, m_communicator.missing);
    if (ended == Place::Communicator)
        endCommunicator();
    return true;
}

/// Where the string that begins at `at` ends: at its quote, or at the end of the text.
std::size_t stringEnd(std::string_view text, std::size_t at)
{
    for (++at; at < text.size() && text[at] != '"'; ++at)
        at += text[at] == '\\' ? 1u : 0u;
    return at;
}

/// NCCL 2.28.9 forgets the comma in front of the "status" of a missing rank. Returns the text with a comma
/// wherever a name follows a value without one; nullopt if that is nowhere.
std::optional<std::string> withForgottenCommas(std::string_view text)
{
    std::string repaired;
    std::size_t copied = 0;
    char before = ','; // the last character that is not a blank
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == ' ' || c == '\n' || c == '\r' || c == '\t')
            continue;
        if (c == '"' && std::string_view(",:[{").find(before) == std::string_view::npos) {
            repaired.append(text, copied, i - copied);
            repaired += ',';
            copied = i;
        }
        before = c;
        if (c == '"')
            i = stringEnd(text, i);
    }
    if (copied == 0)
        return std::nullopt;
    repaired.append(text.substr(copied));
    return repaired;
}

RasEvents eventsOf(std::string_view text)
{
    RasEvents events;
    json::sax_parse(text.begin(), text.end(), &events);
    return events;
}

} // namespace

std::optional<RasSnapshot> rasSnapshotOf(std::string_view text, std::string& reason)
{
    using Trouble = RasEvents::Trouble;
    reason.clear();
    RasEvents events = eventsOf(text);
    if (events.trouble == Trouble::Damaged) {
        if (const auto repaired = withForgottenCommas(text))
            events = eventsOf(*repaired);
    }
    if (events.trouble == Trouble::TooDeep)
        reason = "The snapshot of NCCL's RAS is nested too deeply to be genuine.";
    else if (!events.isRas)
        reason = "This is not a snapshot of NCCL's RAS: it does not list communicators with their ranks.";
    if (!reason.empty())
        return std::nullopt;
    if (events.trouble == Trouble::TooMany)
        reason
            = "The snapshot of NCCL's RAS lists more than a million ranks; the communicators from there on "
              "are left out.";
    else if (events.trouble == Trouble::Damaged)
        reason = "The snapshot of NCCL's RAS is damaged or cut off; only the communicators before that place "
                 "are read.";
    return std::move(events.snapshot);
}

} // namespace collscope
