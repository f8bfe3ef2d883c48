// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/history/culprits.h"

#include "metrics/core/duration_text.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace collscope {

namespace {

/// A process takes part in several communicators: host and process id; the member itself where these are not
/// stated.
using JobProcess = std::tuple<std::string, std::int64_t, std::uint32_t>;

JobProcess jobProcessOf(const JobHistory& history, std::uint32_t member)
{
    const HistoryMember& own = history.members[member];
    const bool isKnown = !own.host.empty() && own.pid >= 0;
    return {own.host, own.pid, isKnown ? 0 : member + 1};
}

std::string joinedNames(const std::vector<std::string>& texts)
{
    constexpr std::size_t most = 4;
    std::string all;
    for (std::size_t i = 0; i < texts.size() && i < most; ++i)
        all += (i == 0 ? "" : i + 1 == texts.size() ? " and " : ", ") + texts[i];
    if (texts.size() > most)
        all += " and " + std::to_string(texts.size() - most) + " more";
    return all;
}

std::string communicatorName(const HistoryCommunicator& communicator)
{
    if (communicator.name.empty() && communicator.hash.empty())
        return "a communicator without a name";
    return quotedName(communicator.name.empty() ? communicator.hash : communicator.name);
}

class CulpritSearch
{
public:
    CulpritSearch(const JobHistory& history, const CommunicationHistory& all,
                  const std::vector<const CommunicationChange*>& changes);

    Culprit find();

private:
    bool findLate(Culprit& culprit);
    void findTransfer(Culprit& culprit);
    bool isVictim(std::uint32_t member, double riseUs) const;
    const std::set<std::string>& hostsOf(std::uint32_t communicator) const { return m_hosts[communicator]; }
    std::set<std::string> sharedHosts(const std::set<std::uint32_t>& slower) const;
    void nameHost(Culprit& culprit) const;

    const JobHistory& m_history;
    const CommunicationHistory& m_all;
    const std::vector<const CommunicationChange*>& m_changes;
    std::vector<std::set<std::string>> m_hosts; ///< of each communicator
    /// The changes that a process takes part in, with its place among their members.
    std::map<JobProcess, std::vector<std::pair<const CommunicationChange*, std::size_t>>> m_parts;
};

CulpritSearch::CulpritSearch(const JobHistory& history, const CommunicationHistory& all,
                             const std::vector<const CommunicationChange*>& changes)
    : m_history(history)
    , m_all(all)
    , m_changes(changes)
    , m_hosts(history.communicators.size())
{
    for (const HistoryMember& member : history.members) {
        if (!member.host.empty())
            m_hosts[member.communicator].insert(member.host);
    }
    for (const CommunicationChange* const change : changes) {
        for (std::size_t i = 0; i < change->members.size(); ++i)
            m_parts[jobProcessOf(history, change->members[i])].emplace_back(change, i);
    }
}

/// A process that is late in one communicator because it waits in another, or because another one transfers
/// more slowly.
bool CulpritSearch::isVictim(std::uint32_t member, double riseUs) const
{
    const auto own = m_parts.find(jobProcessOf(m_history, member));
    if (own == m_parts.end())
        return false;
    return std::any_of(own->second.begin(), own->second.end(), [riseUs](const auto& part) {
        const auto& [change, place] = part;
        if (change->kind == CommunicationChange::Kind::Transfer)
            return change->afterUs - change->beforeUs > 0.5 * riseUs;
        const double most = *std::max_element(change->riseUs.begin(), change->riseUs.end());
        return change->lastMember != change->members[place] && change->riseUs[place] > 0.5 * most;
    });
}

bool CulpritSearch::findLate(Culprit& culprit)
{
    std::set<JobProcess> late, incompleteLate;
    std::map<JobProcess, std::uint32_t> memberOf;
    bool isAnyWaiting = false, isUnclear = false, isPassedOn = false;
    for (const CommunicationChange* const change : m_changes) {
        if (change->kind != CommunicationChange::Kind::Waiting || change->afterUs < change->beforeUs)
            continue;
        isAnyWaiting = true;
        isUnclear = isUnclear || !change->isOfAll;
        if (!change->lastMember)
            continue;
        if (isVictim(*change->lastMember, change->afterUs - change->beforeUs)) {
            isPassedOn = true;
            continue;
        }
        const JobProcess process = jobProcessOf(m_history, *change->lastMember);
        late.insert(process);
        if (!change->isOfAll)
            incompleteLate.insert(process);
        memberOf.emplace(process, *change->lastMember);
    }
    if (late.empty()) {
        if (isAnyWaiting)
            culprit.text = isUnclear ? "The members wait longer; for whom cannot be told, because not all "
                                       "members recorded."
                : isPassedOn
                ? "The members wait longer; those that come last wait or transfer longer in another "
                  "communicator themselves."
                : "The members wait longer, but no member came last clearly more often than before.";
        return false;
    }
    std::set<std::string> hosts;
    for (const JobProcess& process : late)
        hosts.insert(std::get<0>(process));
    for (const auto& [process, member] : memberOf)
        culprit.members.push_back(member);
    const bool isOneHost = hosts.size() == 1 && !hosts.begin()->empty();
    if (late.size() == 1) {
        culprit.kind = Culprit::Kind::LateProcess;
        culprit.text = "The others wait for " + memberText(m_history, culprit.members.front()) + ".";
    } else if (isOneHost) {
        culprit.kind = Culprit::Kind::LateHost;
        culprit.text = "The others wait for " + std::to_string(late.size()) + " processes on "
            + quotedName(*hosts.begin()) + ".";
    } else {
        culprit.members.clear();
        culprit.text = std::to_string(late.size())
            + " processes come late, not all on one host as far as the files tell; which of them is the "
              "cause "
              "cannot be told.";
        return false;
    }
    if (isOneHost)
        culprit.hosts.push_back(*hosts.begin());
    if (incompleteLate == late)
        culprit.text += " Not all members recorded: one that did not may come even later.";
    return true;
}

/// Hosts that all slower communicators have, without those of communicators of the same span that did not
/// change.
std::set<std::string> CulpritSearch::sharedHosts(const std::set<std::uint32_t>& slower) const
{
    std::set<std::string> shared;
    bool isFirst = true;
    for (const std::uint32_t communicator : slower) {
        const std::set<std::string>& own = hostsOf(communicator);
        std::erase_if(shared, [&own](const std::string& host) { return own.count(host) == 0; });
        shared = isFirst ? own : shared;
        isFirst = false;
    }
    const bool spansHosts = std::any_of(slower.begin(), slower.end(), [this](std::uint32_t communicator) {
        return hostsOf(communicator).size() > 1;
    });
    for (const BandwidthRow& row : m_all.rows) {
        if (!row.isTested || row.transferChanged || slower.count(row.communicator) > 0 || row.members < 2)
            continue;
        const std::set<std::string>& own = hostsOf(row.communicator);
        if ((own.size() > 1) == spansHosts)
            std::erase_if(shared, [&own](const std::string& host) { return own.count(host) > 0; });
    }
    return shared;
}

void CulpritSearch::nameHost(Culprit& culprit) const
{
    const std::set<std::uint32_t> slower(culprit.communicators.begin(), culprit.communicators.end());
    const std::set<std::string> shared = sharedHosts(slower);
    const std::set<std::string>& first = hostsOf(*slower.begin());
    if (first.empty()) {
        culprit.text += " Which host is the cause cannot be told: the files do not name all hosts.";
        return;
    }
    if (shared.size() == 1) {
        culprit.kind = Culprit::Kind::TransferOfHost;
        culprit.hosts.push_back(*shared.begin());
        culprit.text += slower.size() == 1 && first.size() == 1
            ? " All its members are on " + quotedName(*shared.begin()) + "."
            : " " + quotedName(*shared.begin())
                + " is the only host that all of them share and that no communicator without this change "
                  "has.";
        return;
    }
    culprit.text += " Which host is the cause cannot be told: "
        + (shared.empty() ? std::string("none of them is in the slower communicators only.")
                          : std::to_string(shared.size()) + " hosts take part in each of them.");
}

void CulpritSearch::findTransfer(Culprit& culprit)
{
    std::set<std::uint32_t> slower;
    bool isOfAll = true;
    for (const CommunicationChange* const change : m_changes) {
        if (change->kind != CommunicationChange::Kind::Transfer || change->afterUs < change->beforeUs)
            continue;
        slower.insert(change->communicator);
        isOfAll = isOfAll && change->isOfAll;
    }
    if (slower.empty())
        return;
    std::vector<std::string> names;
    for (const std::uint32_t communicator : slower)
        names.push_back(communicatorText(m_history.communicators[communicator]));
    culprit.communicators.assign(slower.begin(), slower.end());
    if (!isOfAll) {
        culprit.text = "Collectives of " + joinedNames(names)
            + " take longer. Whether they wait or transfer cannot be told, because not all members recorded.";
        return;
    }
    culprit.kind = Culprit::Kind::Transfer;
    culprit.text = "The transfers of " + joinedNames(names)
        + " take longer, also for the member that waits for nobody.";
    nameHost(culprit);
}

Culprit CulpritSearch::find()
{
    Culprit late, transfer;
    std::set<std::uint32_t> changed;
    for (const CommunicationChange* const change : m_changes)
        changed.insert(change->communicator);
    late.communicators.assign(changed.begin(), changed.end());
    const bool isLate = findLate(late);
    findTransfer(transfer);
    if (isLate && transfer.kind == Culprit::Kind::Nobody)
        return late;
    if (!isLate && transfer.kind != Culprit::Kind::Nobody)
        return transfer;
    if (!isLate) {
        late.text += late.text.empty() || transfer.text.empty() ? transfer.text : " " + transfer.text;
        return late;
    }
    // Both: what comes late may do so because of the slower transfers.
    double waits = 0, transfers = 0;
    for (const CommunicationChange* const change : m_changes)
        (change->kind == CommunicationChange::Kind::Waiting ? waits : transfers)
            += change->afterUs - change->beforeUs;
    Culprit& larger = transfers >= waits ? transfer : late;
    larger.text += " " + (transfers >= waits ? late : transfer).text;
    return larger;
}

} // namespace

std::string communicatorText(const HistoryCommunicator& communicator)
{
    const std::string text = communicatorName(communicator);
    const bool hasBoth = !communicator.name.empty() && !communicator.hash.empty();
    std::string facts = hasBoth ? quotedName(communicator.hash) : std::string();
    if (communicator.ranks > 0)
        facts += (facts.empty() ? "" : ", ") + std::to_string(communicator.ranks)
            + (communicator.ranks == 1 ? " rank" : " ranks");
    return facts.empty() ? text : text + " (" + facts + ")";
}

std::string memberText(const JobHistory& history, std::uint32_t member)
{
    const HistoryMember& own = history.members[member];
    const HistoryCommunicator& communicator = history.communicators[own.communicator];
    std::string text = own.rank >= 0 ? "rank " + std::to_string(own.rank) : std::string("a member");
    text += " of " + communicatorName(communicator);
    if (!own.host.empty())
        text += " on " + quotedName(own.host);
    if (own.pid >= 0)
        text += " (pid " + std::to_string(own.pid) + ")";
    return text;
}

Culprit culpritOf(const JobHistory& history, const CommunicationHistory& all,
                  const std::vector<const CommunicationChange*>& changes)
{
    return CulpritSearch(history, all, changes).find();
}

} // namespace collscope
